// Package searchtest holds what the tests below crash/search share: their test module, and a check
// of candidates.
package searchtest

import (
	"context"
	"path/filepath"
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
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

// CheckTypes checks that the arguments of a candidate are results of earlier statements, of the
// right types.
func CheckTypes(tb testing.TB, g *paramgraph.Graph, p candidate.Program) {
	tb.Helper()
	var results []*paramgraph.Node
	for i, st := range p {
		for j, a := range st.Args {
			want := g.In[st.Op][min(j, len(g.In[st.Op])-1)]
			if a >= len(results) || results[a] != want {
				name := g.Table[st.Op].Name
				tb.Fatalf("statement %d (%s), argument %d: result %d of %d is no %s",
					i, name, j, a, len(results), want.Type)
			}
		}
		results = append(results, g.Out[st.Op]...)
	}
}
