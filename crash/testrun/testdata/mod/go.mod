module harnessed

go 1.22
