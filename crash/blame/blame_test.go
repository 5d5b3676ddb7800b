package blame

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

func load(t *testing.T) *source.Program {
	t.Helper()
	prog, err := source.Load(context.Background(), "testdata/mod", nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// frame returns the frame of a function at the line that ends in a comment.
func frame(t *testing.T, prog *source.Program, fn, mark string) schemas.Frame {
	t.Helper()
	for _, pkg := range prog.All {
		for i, src := range pkg.Sources {
			line, _, ok := bytes.Cut(src, []byte("// "+mark+"\n"))
			if ok {
				dir := strings.TrimPrefix(strings.TrimPrefix(pkg.Path, prog.Module), "/")
				file := path.Join(dir, path.Base(pkg.Filenames[i]))
				return schemas.Frame{Func: pkg.Path + "." + fn,
					Pos: fmt.Sprintf("%s:%d", file, 1+bytes.Count(line, []byte("\n")))}
			}
		}
	}
	t.Fatalf("no line is marked with %s", mark)
	return schemas.Frame{}
}

// TestSigns has, for each sign, a crash that has it; "!" stands before one that it has not. The frames
// are "function mark", innermost first.
func TestSigns(t *testing.T) {
	prog := load(t)
	non := schemas.Invariant{ID: "I1", Template: "non-nil", Expr: "s != nil", Samples: 9}
	small := schemas.Invariant{ID: "I2", Template: "upper-bound", Expr: "i <= 3", Samples: 9}
	filled := schemas.Invariant{ID: "I3", Template: "lower-bound", Expr: "len(text) > 0", Samples: 9}
	author := schemas.Invariant{ID: "I4", Template: "non-nil", Expr: "p.Author != nil", Samples: 9}
	link := schemas.Invariant{ID: "I5", Template: "non-nil", Expr: "p.Link != nil", Samples: 9}
	known := &schemas.Invariants{Points: []schemas.Point{
		{Func: "example.com/mod.(*Page).Check", At: schemas.AtEntry, Samples: 9,
			Invariants: []schemas.Invariant{author, link}},
		{Func: "example.com/mod.(*Stack).First", At: schemas.AtEntry, Samples: 9,
			Invariants: []schemas.Invariant{non}},
		{Func: "example.com/mod.At", At: schemas.AtEntry, Samples: 9,
			Invariants: []schemas.Invariant{small}},
		{Func: "example.com/mod.Parse", At: schemas.AtEntry, Samples: 9,
			Invariants: []schemas.Invariant{filled}},
	}}
	tests := []struct {
		kind    schemas.Kind
		frames  string
		message string
		body    string
		rank    schemas.Rank
		want    string
	}{
		{"index", "second second, Parse parse", "", `Parse("a")`, schemas.LikelyBug,
			"returns-error text-inputs below-call satisfies-invariants unintended-kind"},
		{"index", "second second", "", "second([]string{\"a\"})", schemas.Look,
			"unexported text-inputs !no-public-way"},
		{"nil-deref", "Tune tune", "", `Tune("a", nil)`, schemas.Look, "nil-by-hand !nil-from-package"},
		{"index", "digit digit", "", "digit([]byte{0})", schemas.Look,
			"unexported text-inputs text-index !returns-error"},
		{"index", "lonely lonely", "", `lonely("")`, schemas.Unreachable, "no-public-way !unexported"},
		{"div-zero", "Bucket bucket", "", "Bucket(hash{}, Record{})", schemas.Look, "!stub plain-inputs"},
		{"type-assert", "Set set", "interface conversion: interface is nil, not mod.Shaper",
			"Set(&Settings{}, nil)", schemas.Look, "!dynamic-type"},
		{"index", "At at", "", `At([]int{1}, 1)`, schemas.Look, "index-argument satisfies-invariants"},
		{"index", "At at", "", `At(nil, 5)`, schemas.Look,
			"index-argument violates-argument passed-on !callers-check"},
		{"index", "Cell cell", "", `Cell(nil, 5)`, schemas.Contract, "callers-check !passed-on"},
		{"index", "At at, AtEnd at-end", "", `AtEnd(nil, 1<<20)`, schemas.Contract,
			"index-argument huge-number"},
		{"div-zero", "Div div", "", `Div(1, 0)`, schemas.Contract, "documented"},
		{"div-zero", "Quotient quotient", "", `Quotient(1, 0)`, schemas.Look, "index-argument"},
		{"div-zero", "Columns columns", "", `Columns(1, 0)`, schemas.Look, "!index-argument zero-argument"},
		{"explicit-panic", "MustParse must", "empty", `MustParse("")`, schemas.Contract, "must explicit"},
		{"explicit-panic", "MustPattern must-pattern", "regexp: Compile(`[`): error parsing regexp: missing closing ]: `[`",
			`MustPattern("[")`, schemas.Contract, "must !calls-must !library-panics"},
		{"explicit-panic", "MustIn must-in", "time: missing Location in call to Time.In", `MustIn(time.Time{}, nil)`,
			schemas.Look, "library-panics !must !calls-must"},
		{"index", "Read read, MustRead must-read", "", `MustRead("")`, schemas.LikelyBug,
			"returns-error text-inputs text-index"},
		{"index", "Serve serve", "", `Serve(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))`, schemas.LikelyBug,
			"text-inputs text-index"},
		{"type-assert", "User user", "interface conversion: interface {} is nil, not *mod.Record",
			`User(httptest.NewRequest("GET", "/", nil))`, schemas.Look, "context-value text-inputs"},
		{"index", "(*Stack).Push push", "", "s := NewStack()\ns.Pop()\ns.Push(1)", schemas.LikelyBug,
			"state-inputs returned-value checked-elsewhere"},
		{"nil-deref", "(*Stack).First first", "", `(*Stack)(nil).First()`, schemas.Look,
			"nil-receiver siblings-check violates-nil"},
		{"index", "(*Stack).First first", "", "s := &Stack{}\ns.First()", schemas.Look,
			"object-by-hand"},
		{"nil-deref", "(*Stack).First first", "", "s, _ := Get(\"\")\ns.First()", schemas.Contract,
			"failed-result nil-receiver"},
		{"index", "Sorted.Less less", "", `Sorted(nil).Less(0, 1)`, schemas.Contract, "convention"},
		{"nil-deref", "(*Fault).Error error", "", `(*Fault)(nil).Error()`, schemas.Contract,
			"convention"},
		{"explicit-panic", "Check check", "n must not be negative", `Check(-1)`, schemas.Look,
			"explicit blames-caller"},
		{"explicit-panic", "Check unreachable", "unreachable: seven", `Check(7)`, schemas.Look,
			"bug-message explicit"},
		{"explicit-panic", "Fill fill", "reflect: reflect.Value.SetInt using unaddressable value",
			`Fill("")`, schemas.LikelyBug, "returns-error library-panics text-inputs"},
		{"type-assert", "Bool bool", "", `Bool(1)`, schemas.Look, "dynamic-type"},
		{"div-zero", "Record.Share share", "", `Record{}.Share(1)`, schemas.Look, "plain-inputs"},
		{"stack-overflow", "Walk walk", "", "v := []any{1}\nv[0] = v\nWalk(v)", schemas.Contract,
			"cyclic-value"},
		{"index", "Later later", "", `Later(time.Date(2024, 2, 29, 1, 2, 3, 123456789, time.UTC))`,
			schemas.Look, "!huge-number"},
		{"index", "Old old", "", `Old("")`, schemas.LikelyBug,
			"deprecated text-inputs text-index"},
		{"index", "Generated generated", "", `Generated("")`, schemas.Look, "generated"},
		{"index", "(*Branch).Last twig", "", "b := NewBranch()\nc := b.Grow(\"a\")\nc.Add(b)\nc.Last()",
			schemas.Look, "cyclic-value !text-inputs"},
		{"index", "(*Branch).Last twig", "", "b := NewBranch()\nb.Below = []*Branch{}\nb.Last()",
			schemas.Look, "field-set"},
		{"index", "(*Branch).Last twig", "", "b := NewBranch()\nb.Grow(\"a,b\")\nb.Last()",
			schemas.LikelyBug, "text-inputs !cyclic-value !field-set"},
		{"explicit-panic", "Pattern pattern", "regexp: Compile(`(\\w*`): missing closing )", `Pattern("(")`,
			schemas.Contract, "calls-must !library-panics"},
		{"explicit-panic", "Words words", "regexp: Compile(`(`): missing closing )", `Words("(", "")`,
			schemas.LikelyBug, "returns-error library-panics !calls-must"},
		{"index", "(*Hit).Third hit-third", "", "h := Find(\"a:b\")\nh.Parts = nil\nh.Third()",
			schemas.Look, "field-set !text-inputs !text-index !returned-value"},
		{"index", "(*Hit).Second hit-second", "", "h := Find(\"a\")\nh.Second()",
			schemas.LikelyBug, "text-inputs text-index returned-value !field-set"},
		{"nil-deref", "(*Branch).Tie tie", "", "b := NewBranch()\nc := b.Root(0)\nb.Tie(c)", schemas.Look,
			"nil-result !nil-from-package"},
		{"index", "Leaves leaves", "", "Leaves(9, 0)", schemas.Contract, "no-constant"},
		{"index", "Leaves leaves", "", "Leaves(Winter, Bold|Struck)", schemas.Look, "!no-constant"},
		{"makeslice", "spread[...] make, Spread[...] spread", "", "Spread[int](-1)", schemas.Look,
			"index-argument"},
		{"index", "Second second-byte", "", "Second(nil)", schemas.LikelyBug, "text-inputs text-index"},
		{"type-assert", "Text text", "", "Text(24, 1)", schemas.Contract, "reflect-argument"},
		{"index", "Index index", "", `Index(nil)`, schemas.Look, "ruled-out"},
		{"index", "Head head", "", `Head("")`, schemas.Unreachable, "helper"},
		{"index", "Tail tail", "", `Tail("")`, schemas.LikelyBug, "internal"},
		{"nil-deref", "Low low", "", `Low(nil)`, schemas.Look, "nil-argument"},
		{"nil-deref", "Low low", "", `Low(stub{})`, schemas.Look, "stub"},
		{"nil-map", "(*Names).Add add", "", "n := Names{}\nn.Add(\"a\")", schemas.LikelyBug,
			"zero-allowed"},
		{"index", "(*Node).First kid", "", "n := &Node{Name: \"a\"}\nn.First()", schemas.Look,
			"package-made-object"},
		{"explicit-panic", "Fill fill", "reflect: reflect.Value.SetInt using unaddressable value",
			"v := func(v any) *any { return &v }(\"a\")\nFill(v)", schemas.Look,
			"returns-error library-panics same-panic"},
		{"nil-deref", "Apply apply", "", "Apply(func() *Record { return nil })", schemas.Look, "stub-function"},
		{"nil-deref", "(*Stack).First first", "", "s, _ := Maybe(\"none\")\ns.First()", schemas.Look,
			"nil-without-error nil-receiver"},
		{"index", "(*Gauge).Limit limit", "", "g := &Gauge{n: 3}\ng.Limit()", schemas.Look,
			"zero-without-constructor"},
		{"type-assert", "Bool bool", "interface conversion: interface {} is nil, not bool", `Bool(nil)`, schemas.Look, "nil-as-any"},
		{"nil-deref", "(*Box).Low box", "", "b := NewBox(nil)\nb.Low()", schemas.Look, "nil-by-hand"},
		{"nil-deref", "(*Page).Check link", "", "p := &Page{Link: nil, Author: nil}\np.Check()",
			schemas.Look, "violates-nil violates-argument"},
		{"nil-deref", "(*Page).Check link", "", "p := &Page{Link: &Record{}, Author: nil}\np.Check()",
			schemas.Look, "violates-argument"},
		{"index", "(*Forest).Last last", "", "f := &Forest{Owner: &Record{}}\nf.Last()", schemas.Look,
			"plain-inputs tests-write unintended-kind"},
		{"index", "(*Forest).Last last", "", "f := &Forest{Edge: 2}\nf.Last()", schemas.Look,
			"!tests-write package-made-object"},
		{"div-zero", "NewClock clock", "", "NewClock(Settings{Hours: 1})", schemas.Look,
			"plain-inputs"},
		{"div-zero", "Char char", "", "Char([]rune{'a'})", schemas.LikelyBug, "text-index"},
		{"nil-deref", "Apply apply", "",
			"Apply(func() *Record { println(); return nil })", schemas.Look, "!stub-function"},
		{"index", "Safe safe", "", `Safe("")`, schemas.LikelyBug, "documented-safe"},
		{"index", "Mode mode", "", `Mode(".")`, schemas.Look, "refused-calls"},
		{"nil-deref", "Lookup lookup", "", `Lookup("b")`, schemas.LikelyBug, "nil-from-package text-inputs"},
	}
	var list []schemas.Crash
	for i, tt := range tests {
		name := fmt.Sprintf("TestCrash%d", i)
		c := schemas.Crash{ID: fmt.Sprintf("C%d", i), Kind: tt.kind, Message: tt.message,
			BuiltBy: schemas.BySequence}
		for _, f := range strings.Split(tt.frames, ", ") {
			fn, mark, _ := strings.Cut(f, " ")
			if mark == "parse" {
				mark = "second" // any line will do
			}
			c.Stack = append(c.Stack, frame(t, prog, fn, mark))
		}
		c.Pos = c.Stack[0].Pos
		c.Func = c.Stack[len(c.Stack)-1].Func
		pkg := symbol.Parse(c.Func).Package
		if i := strings.LastIndex(c.Stack[0].Func, "/"); pkg == "" || i < 0 {
			t.Fatalf("%s: no package", tt.body)
		}
		c.Test = schemas.Test{Package: pkg, File: fmt.Sprintf("crash_%d_test.go", i), Name: name,
			Source: "package " + path.Base(pkg) + "\n\nimport (\n\"net/http/httptest\"\n\"testing\"\n\"time\"\n)\n\n" +
				"var (\n_ time.Time\n_ httptest.Server\n)\n" +
				"func " + name + "(*testing.T) {\n" + tt.body + "\n}\n"}
		if strings.Contains(tt.body, "hash{") {
			c.Test.Source += "\ntype hash struct{}\n\nfunc (hash) Hash(string) int { return 0 }\n"
		}
		if strings.Contains(tt.body, "stub{") {
			c.Test.Source += "\ntype stub struct{}\n\nfunc (stub) Read() *Record { return nil }\n"
		}
		list = append(list, c)
	}
	list = Assess(context.Background(), prog, list, Options{Assume: known})
	seen := map[string]bool{}
	for i, tt := range tests {
		var got []string
		for _, s := range list[i].Signs {
			got = append(got, s.Name)
		}
		for _, want := range strings.Fields(tt.want) {
			if not, ok := strings.CutPrefix(want, "!"); ok {
				if slices.Contains(got, not) {
					t.Errorf("%s: got %q, want none of %s", tt.body, got, not)
				}
				continue
			}
			seen[want] = true
			if !slices.Contains(got, want) {
				t.Errorf("%s: got %q, want %s", tt.body, got, want)
			}
		}
		if slices.Contains(got, "more-of-a-kind") || slices.Contains(got, schemas.SimilarPanic) {
			list[i].Rank = schemas.LikelyBug // the cases are of one package
		}
		if list[i].Rank != tt.rank {
			t.Errorf("%s: got %s with score %d and %q, want %s", tt.body, list[i].Rank,
				list[i].Score, got, tt.rank)
		}
	}
	for _, s := range signs {
		if !seen[s.name] {
			t.Errorf("no case has the sign %s", s.name)
		}
	}
}

// TestDemote: one likely bug stays of those with the same panic, the one with the highest score and the
// shortest inputs, four of those whose panics are alike, four of a class in one package, and six in one package.
func TestDemote(t *testing.T) {
	crash := func(id, fn, pos, at string, score int, inputs string) schemas.Crash {
		return schemas.Crash{ID: id, Kind: schemas.Index, Func: fn, Pos: pos, Score: score,
			Stack: []schemas.Frame{{Func: at}}, Inputs: inputs, Rank: schemas.LikelyBug}
	}
	bounds := crash("C5", "m.K", "m.go:4", "m.f", 6, "K(333)")
	bounds.Kind = schemas.SliceBounds
	division := crash("C7", "m.K", "m.go:4", "m.f", 6, "K(333)")
	division.Kind = schemas.DivZero
	other := func(k schemas.Kind, id, pos string, score int) schemas.Crash {
		c := crash(id, "m.L", pos, "m.l", score, "L(4444)")
		c.Kind = k
		return c
	}
	list := []schemas.Crash{
		crash("C1", "m.F", "m.go:1:3", "m.e", 6, "F(1, 2)"),
		crash("C2", "m.G", "m.go:1:3", "m.e", 8, "G(1)"),
		crash("C3", "m.F", "m.go:2", "m.f", 7, "F(1)"),
		crash("C4", "m.F", "m.go:3", "m.g", 7, "F(22)"),
		bounds,
		{ID: "C6", Kind: schemas.Index, Func: "m.F", Pos: "m.go:5", Rank: schemas.Contract},
		division,
		crash("C8", "m.H", "m.go:6", "m.f", 5, "H(1)"),
		crash("C9", "m.I", "m.go:7", "m.f", 5, "I(11)"),
		crash("C10", "m.J", "m.go:8", "m.j", 5, "J(111)"),
		crash("C11", "n.J", "n.go:8", "n.j", 5, "J(111)"),
		other(schemas.NilMap, "C12", "m.go:9", 6),
		other(schemas.TypeAssert, "C13", "m.go:10", 5),
		crash("C14", "n.K", "m.go:11", "m.f", 5, "K(111)"),
		crash("C15", "m/internal/x.A", "x.go:1", "m/internal/x.a", 5, "A(0)"),
		crash("C16", "m/internal/x.B", "x.go:2", "m/internal/x.b", 5, "B(00)"),
	}
	demote(list)
	var got []string
	for _, c := range list {
		text := c.ID + " " + string(c.Rank)
		for _, s := range c.Signs {
			text += " " + s.Name + ": " + s.Text
		}
		got = append(got, text)
	}
	want := []string{
		"C1 look same-panic: C2 shows the same panic",
		"C2 likely-bug",
		"C3 likely-bug",
		"C4 likely-bug similar-panic: C3 shows a similar panic in a call of the same function",
		"C5 likely-bug similar-panic: C3 shows a similar panic in the same function",
		"C6 contract",
		"C7 look more-of-a-kind: 4 others in the package stand first",
		"C8 look more-of-a-kind: 4 others in the package stand first " +
			"similar-panic: C3 shows a similar panic in the same function",
		"C9 look more-of-a-kind: 4 others in the package stand first " +
			"similar-panic: C3 shows a similar panic in the same function",
		"C10 look more-of-a-kind: 4 others in the package stand first",
		"C11 likely-bug",
		"C12 look more-of-a-kind: 4 others in the package stand first",
		"C13 look more-of-a-kind: 4 others in the package stand first",
		"C14 likely-bug similar-panic: C3 shows a similar panic in the same function",
		"C15 likely-bug",
		"C16 look more-of-a-kind: another of this kind in this internal package stands first",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDemoteMoreTime: what a longer run finds later, with a higher score, takes no rank from what it found before.
func TestDemoteMoreTime(t *testing.T) {
	found := func(n, score int) schemas.Crash {
		id := fmt.Sprintf("C%d", n)
		return schemas.Crash{ID: id, Kind: schemas.NilDeref, Func: "m.F" + id, Pos: fmt.Sprintf("m.go:%d", n), Rank: schemas.LikelyBug,
			Stack: []schemas.Frame{{Func: "m.f" + id}}, Score: score, Candidates: n, Inputs: "F(0)"}
	}
	var short []schemas.Crash
	for n := range maxOfPackage + 1 {
		short = append(short, found(n, 5))
	}
	long := append(slices.Clone(short), found(maxOfPackage+1, 9))
	demote(short)
	demote(long)
	for i := range short {
		if short[i].Rank != long[i].Rank {
			t.Errorf("%s: %s, and in more time %s", short[i].ID, short[i].Rank, long[i].Rank)
		}
	}
	if short[0].Rank != schemas.LikelyBug || short[maxOfPackage].Rank != schemas.Look || long[maxOfPackage+1].Rank != schemas.Look {
		t.Errorf("got %+v", long)
	}
}
