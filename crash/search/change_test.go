package search

import (
	"testing"

	"dsd/crash/candidate"
)

// TestChange: what change makes is a program: its arguments are results of earlier statements, of the right types; and the
// program that it is made of stays as it is.
func TestChange(t *testing.T) {
	prog, pkg := load(t)
	s := newSampler(New(prog, pkg, nil, nil), 1)
	corpus := []candidate.Program{}
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

func check(t *testing.T, g *Graph, p candidate.Program) {
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

// TestSweep: values that nothing uses are taken out, calls stay, and the others' arguments are as they were.
func TestSweep(t *testing.T) {
	prog, pkg := load(t)
	s := newSampler(New(prog, pkg, nil, nil), 1)
	literal := -1
	for i, o := range s.g.Table {
		if o.Lit {
			literal = i
		}
	}
	swept := 0
	for range 2000 {
		p := s.sweep(s.candidate())
		if len(p) == 0 {
			continue
		}
		b := &builder{table: s.g.Table}
		at := s.r.Intn(len(p) + 1)
		for _, st := range p[:at] {
			b.add(st)
		}
		first := b.results
		b.add(candidate.Stmt{Op: literal, Text: "unused"})
		for _, st := range p[at:] {
			st.Args = shifted(st.Args, first, 1)
			b.add(st)
		}
		if got, want := string(s.sweep(b.prog).Append(nil, s.g.Table)), string(p.Append(nil, s.g.Table)); got != want {
			t.Fatalf("a literal at %d: %q, want %q", at, got, want)
		}
		swept++
	}
	if swept < 1000 {
		t.Errorf("%d programs", swept)
	}
}
