module example.com/batches

go 1.24
