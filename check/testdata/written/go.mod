module written

go 1.21
