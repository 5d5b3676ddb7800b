module trailed

go 1.22
