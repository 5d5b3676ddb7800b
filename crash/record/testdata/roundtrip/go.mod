module roundtrip

go 1.22
