module app

go 1.25

require github.com/sourcegraph/conc v0.3.0

require (
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
)
