module app

go 1.25

require github.com/plandem/xlsx v1.0.4

require github.com/plandem/ooxml v1.1.2 // indirect
