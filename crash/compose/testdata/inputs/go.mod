module inputs

go 1.22
