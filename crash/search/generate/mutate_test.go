package generate

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/search/carve"
	"dsd/crash/search/program"
	"dsd/crash/search/searchtest"
	"dsd/internal/source"
)

func sampler(tb testing.TB, seed int64) *Sampler {
	prog, pkg := searchtest.Load(tb, "tested/pkg")
	g, _ := carve.Graph(prog, pkg, nil, nil)
	return NewSampler(g, seed)
}

// TestDeterminism checks that the same seed gives the same candidates, and another seed different
// ones.
func TestDeterminism(t *testing.T) {
	draw := func(seed int64) string {
		s := sampler(t, seed)
		var out []byte
		for range 1000 {
			if p := s.Candidate(); p != nil {
				out = p.Append(out, s.Graph.Table)
				out = s.Mutate(p).Append(out, s.Graph.Table)
			}
		}
		return string(out)
	}
	first := draw(1)
	if draw(1) != first {
		t.Error("the same seed gives different candidates")
	}
	if draw(2) == first {
		t.Error("different seeds give the same candidates")
	}
}

// TestMutate checks that mutations are well-formed candidates, and that the candidate which is
// mutated does not change.
func TestMutate(t *testing.T) {
	s := sampler(t, 1)
	var corpus []candidate.Program
	for len(corpus) < 50 {
		if p := s.Candidate(); p != nil {
			corpus = append(corpus, p)
		}
	}
	for range 20_000 {
		i := s.Rand.Intn(len(corpus))
		before := string(corpus[i].Append(nil, s.Graph.Table))
		p := s.Mutate(corpus[i])
		if string(corpus[i].Append(nil, s.Graph.Table)) != before {
			t.Fatal("Mutate changes its argument")
		}
		searchtest.CheckTypes(t, s.Graph, p)
		if len(p) < MaxStatements {
			corpus[i] = p
		}
	}
}

// TestSweep checks that unused values are removed, that calls stay, and that arguments still refer
// to the same values.
func TestSweep(t *testing.T) {
	s := sampler(t, 1)
	literal := -1
	for i, o := range s.Graph.Table {
		if o.Lit {
			literal = i
		}
	}
	swept := 0
	for range 2000 {
		p := s.sweep(s.Candidate())
		if len(p) == 0 {
			continue
		}
		at := s.Rand.Intn(len(p) + 1)
		b := program.Extend(p[:at], s.Graph.Table)
		first := b.Results
		b.Add(candidate.Stmt{Op: literal, Text: "unused"})
		for _, st := range p[at:] {
			st.Args = program.Shift(st.Args, first, 1)
			b.Add(st)
		}
		got := string(s.sweep(b.Program).Append(nil, s.Graph.Table))
		if want := string(p.Append(nil, s.Graph.Table)); got != want {
			t.Fatalf("with a literal at %d: got %q, want %q", at, got, want)
		}
		swept++
	}
	if swept < 1000 {
		t.Errorf("%d programs were swept, want at least 1000", swept)
	}
}

func BenchmarkCandidate(b *testing.B) {
	s := sampler(b, 1)
	for b.Loop() {
		s.Candidate()
	}
}

// TestTie: where a recursion is looked for, some values are set in themselves.
func TestTie(t *testing.T) {
	dir := t.TempDir()
	const src = "package m\n\ntype Node struct{ Next *Node }\n\nfunc Walk(list []any, n *Node) {}\n"
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := carve.Graph(prog, prog.Packages[0], nil, nil)
	g.Constants.Vocabulary.Deep = true
	s := NewSampler(g, 1)
	got := map[string]bool{}
	for range 2000 {
		test, err := s.Candidate().WriteTest(prog.Packages[0], g.Table, "TestX", "", false)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(test.Body, "\n") {
			to, value, ok := strings.Cut(strings.TrimSpace(line), " = ")
			if ok && (to == value+"[0]" || to == value+".Next") {
				got[strings.TrimPrefix(to, value)] = true
			}
		}
	}
	if !got["[0]"] || !got[".Next"] {
		t.Errorf("got %v, want slices and nodes that lead to themselves", got)
	}
}
