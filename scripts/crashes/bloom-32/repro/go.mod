module app

go 1.26

require github.com/willf/bloom v2.0.2+incompatible

require (
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	github.com/willf/bitset v1.1.11 // indirect
)
