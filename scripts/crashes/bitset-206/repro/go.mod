module app

go 1.26

require github.com/bits-and-blooms/bitset v1.22.0
