package mod_test

import "example.com/mod"

func ExampleForest() {
	f := &mod.Forest{Edge: 1}
	f.Last()
}
