package search

import (
	"testing"

	"dsd/crash/exec"
)

// TestChange: what change makes is a program: its arguments are results of earlier statements, of the right types; and the
// program that it is made of stays as it is.
func TestChange(t *testing.T) {
	prog, pkg := load(t)
	s := newSampler(New(prog, pkg, nil, nil), 1)
	corpus := []exec.Program{}
	for len(corpus) < 50 {
		if p := s.candidate(); p != nil {
			corpus = append(corpus, p)
		}
	}
	for range 20_000 {
		i := s.r.Intn(len(corpus))
		before := string(corpus[i].Append(nil, s.g.Table))
		p := s.change(corpus[i])
		if string(corpus[i].Append(nil, s.g.Table)) != before {
			t.Fatal("change changes what it is given")
		}
		check(t, s.g, p)
		if len(p) < maxStatements {
			corpus[i] = p
		}
	}
}

func check(t *testing.T, g *Graph, p exec.Program) {
	t.Helper()
	var results []*node
	for i, st := range p {
		for j, a := range st.Args {
			want := g.in[st.Op][min(j, len(g.in[st.Op])-1)]
			if a >= len(results) || results[a] != want {
				t.Fatalf("statement %d (%s): argument %d is result %d of %d, of another type", i, g.Table[st.Op].Name, j, a, len(results))
			}
		}
		results = append(results, g.out[st.Op]...)
	}
}
