module example.com/refine

go 1.21
