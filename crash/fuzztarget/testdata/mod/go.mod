module example.com/fuzzed

go 1.22
