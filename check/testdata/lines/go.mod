module lines

go 1.22
