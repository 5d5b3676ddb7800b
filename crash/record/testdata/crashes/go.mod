module crashes

go 1.22
