module app

go 1.25

require github.com/maruel/panicparse/v2 v2.1.0
