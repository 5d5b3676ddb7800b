// Package searchtest loads the test module that the tests below crash/search share.
package searchtest

import (
	"context"
	"path/filepath"
	"testing"

	"dsd/internal/source"
)

// Dir is the folder of the test module, from the folder of a package below crash/search.
var Dir = filepath.Join("..", "testdata", "mod")

// Load loads the test module and returns its package of that import path.
func Load(tb testing.TB, path string) (*source.Program, *source.Package) {
	tb.Helper()
	prog, err := source.Load(context.Background(), Dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	pkg := prog.Package(path)
	if pkg == nil {
		tb.Fatalf("package %s is not in %s", path, Dir)
	}
	return prog, pkg
}
