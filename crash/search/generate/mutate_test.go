package generate

import (
	"context"
	"go/types"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/search/carve"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
	"dsd/crash/search/searchtest"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
)

func sampler(tb testing.TB, seed int64) *Sampler { return samplerOf(tb, "tested/pkg", seed) }

func samplerOf(tb testing.TB, path string, seed int64) *Sampler {
	prog, pkg := searchtest.Load(tb, path)
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

// TestPrefer: about half of the values of an interface type are of the type that is named, and as few as ever without.
func TestPrefer(t *testing.T) {
	share := func(named, of string) float64 {
		s := samplerOf(t, "tested/boxes", 1)
		s.Prefer(func(typ string) bool { return typ == named })
		total, ints := 0, 0
		for range 2000 {
			for _, st := range s.Candidate() {
				if o := s.Graph.Table[st.Op]; o.Converts {
					total++
					if types.TypeString(o.In[0], nil) == of {
						ints++
					}
				}
			}
		}
		if total < 100 {
			t.Fatalf("%d values are too few", total)
		}
		return float64(ints) / float64(total)
	}
	for _, c := range []struct{ named, of string }{{"int", "int"}, {"[]uint8", "[]byte"}} {
		with, without := share(c.named, c.of), share("none", c.of)
		if with < 0.4 || without > 0.3 {
			t.Errorf("%.2f of the values are of type %s where %s is named, else %.2f", with, c.of, c.named, without)
		}
	}
}

// TestUsual: of a type that only the package can name, few values are nil, though all are unusual; and few slices of bytes
// are lists of their elements.
func TestUsual(t *testing.T) {
	g := sheetGraph(t)
	s := NewSampler(g, 1)
	for _, tt := range []struct {
		typ      string
		unwanted func(o *candidate.Op) bool
	}{
		{"*tested/sheet.style", func(o *candidate.Op) bool { return o.Nil }},
		{"[]byte", func(o *candidate.Op) bool { return o.Variadic }},
	} {
		found, unwanted := 0, 0
		for range 2000 {
			for _, st := range s.Candidate() {
				for _, p := range nodeOf(g, tt.typ).Producers {
					if o := g.Table[st.Op]; p.Op == st.Op && p.Out >= 0 && g.Out[st.Op][0].Type.String() == tt.typ {
						found++
						if tt.unwanted(o) {
							unwanted++
						}
					}
				}
			}
		}
		if found < 200 || unwanted == 0 || unwanted*8 > found {
			t.Errorf("%s: %d of %d values are unwanted, want a few", tt.typ, unwanted, found)
		}
	}
}

// TestHintedBytes: a slice of bytes whose length is known is made of a text of that length, which is mutated as such.
func TestHintedBytes(t *testing.T) {
	g := sheetGraph(t)
	s, n := NewSampler(g, 1), nodeOf(g, "[]byte")
	for range 100 {
		b := &program.Builder{Table: g.Table}
		if s.hinted(b, stacktrace.Argument{Length: 9}, n, 3) < 0 {
			t.Fatal("nothing is made")
		}
		if p := b.Program; len(p) != 2 || len(p[0].Text) != 9 || isBytes(g.Table[p[0].Op].Out[0]) {
			t.Fatalf("got %+v, want a text of 9 bytes and its conversion", p)
		}
	}
	b := &program.Builder{Table: g.Table}
	if s.hinted(b, stacktrace.Argument{Length: 0, Nil: true}, n, 3); len(b.Program) != 1 || !g.Table[b.Program[0].Op].Nil {
		t.Errorf("got %+v for nil", b.Program)
	}
}

// sheetGraph returns the graph of package sheet with a function that takes what only the package can name.
func sheetGraph(t *testing.T) *paramgraph.Graph {
	prog, pkg := searchtest.Load(t, "tested/sheet")
	var required []*types.Func
	for _, f := range pkg.Funcs() {
		if f.Obj.Name() == "bright" {
			required = append(required, f.Obj)
		}
	}
	g, _ := carve.Graph(prog, pkg, required, nil)
	return g
}

// nodeOf returns the node of a type; nil if there is none.
func nodeOf(g *paramgraph.Graph, typ string) (found *paramgraph.Node) {
	for _, n := range g.Nodes {
		if n.Type.String() == typ {
			found = n
		}
	}
	return found
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
	prog := load(t, "package m\n\ntype Node struct{ Next *Node }\n\nfunc Walk(list []any, n *Node) {}\n")
	g, _ := carve.Graph(prog, prog.Packages[0], nil, nil)
	g.Constants.Vocabulary.Deep = true
	s := NewSampler(g, 1)
	got := map[string]bool{}
	for range 2000 {
		for line := range lines(t, prog, s, s.Candidate()) {
			to, value, ok := strings.Cut(line, " = ")
			if ok && (to == value+"[0]" || to == value+".Next") {
				got[strings.TrimPrefix(to, value)] = true
			}
		}
	}
	if !got["[0]"] || !got[".Next"] {
		t.Errorf("got %v, want slices and nodes that lead to themselves", got)
	}
}

// TestSetField: fields are set in structs that functions return.
func TestSetField(t *testing.T) {
	prog := load(t, `package m

type Limits struct{ First, Then int }

type Config struct {
	Name   string
	Limits *Limits
	hidden int
}

func Default() Config { return Config{hidden: 1} }

func Build(c Config, copies int) {}
`)
	pkg := prog.Packages[0]
	b := paramgraph.NewThorough(prog, pkg, []*types.Func{pkg.Types.Scope().Lookup("Build").(*types.Func)}, nil)
	s := NewSampler(b.Graph(), 1)
	got := map[string]bool{}
	for range 2000 {
		p := s.Mutate(s.Candidate())
		searchtest.CheckTypes(t, s.Graph, p)
		defaulted := false
		for line := range lines(t, prog, s, p) {
			to, _, _ := strings.Cut(line, " = ")
			got[to] = got[to] || defaulted
			defaulted = defaulted || line == "c := Default()"
		}
	}
	if !got["c.Name"] || !got["c.Limits"] {
		t.Errorf("in what Default returns, no field is set: %v", got)
	}
}

// load loads a module of one file.
func load(t *testing.T, src string) *source.Program {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// lines returns the lines of the test that a candidate becomes.
func lines(t *testing.T, prog *source.Program, s *Sampler, p candidate.Program) iter.Seq[string] {
	test, err := p.WriteTest(prog.Packages[0], s.Graph.Table, "TestX", "", false)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(test.Body, "\n") {
			if !yield(strings.TrimSpace(line)) {
				return
			}
		}
	}
}
