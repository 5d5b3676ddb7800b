module example.com/attacks

go 1.22
