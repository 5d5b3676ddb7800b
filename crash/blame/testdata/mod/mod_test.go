package mod_test

import "example.com/mod"

func ExampleForest() {
	f := &mod.Forest{Edge: 1, Owner: &mod.Record{}}
	f.Last()
}
