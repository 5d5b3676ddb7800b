package symbol

import (
	"fmt"
	"strings"
	"testing"
)

// names are names as stack traces and symbol tables print them, with their parts.
var names = []struct {
	text string
	want Name
}{
	{"main.main", Name{Package: "main", Func: "main"}},
	{"example.com/m/pkg.F", Name{Package: "example.com/m/pkg", Func: "F"}},
	{"p.T.M", Name{Package: "p", Receiver: "T", Func: "M"}},
	{"p.(*T).M", Name{Package: "p", Receiver: "T", Pointer: true, Func: "M"}},
	{"p.F[...]", Name{Package: "p", Func: "F", TypeArgs: "[...]"}},
	{"p.F[go.shape.int]", Name{Package: "p", Func: "F", TypeArgs: "[go.shape.int]"}},
	{"p.F[a.b/c.T[int]].func1",
		Name{Package: "p", Func: "F", TypeArgs: "[a.b/c.T[int]]", Suffix: ".func1"}},
	{"p.T[...].M", Name{Package: "p", Receiver: "T", TypeArgs: "[...]", Func: "M"}},
	{"p.(*T[...]).M.func2.1",
		Name{Package: "p", Receiver: "T", Pointer: true, TypeArgs: "[...]", Func: "M",
			Suffix: ".func2.1"}},
	{"p.(*T[func(a.B).c]).M",
		Name{Package: "p", Receiver: "T", Pointer: true, TypeArgs: "[func(a.B).c]", Func: "M"}},
	{"p.F.func1", Name{Package: "p", Func: "F", Suffix: ".func1"}},
	{"p.F.F.func1.func2", Name{Package: "p", Receiver: "F", Func: "F", Suffix: ".func1.func2"}},
	{"p.F.G[...].func1", Name{Package: "p", Func: "F", Suffix: ".G[...].func1"}},
	{"p.F.(*T).M.func1", Name{Package: "p", Func: "F", Suffix: ".(*T).M.func1"}},
	{"p.F.gowrap1", Name{Package: "p", Func: "F", Suffix: ".gowrap1"}},
	{"p.F.func1.deferwrap2", Name{Package: "p", Func: "F", Suffix: ".func1.deferwrap2"}},
	{"p.F-range1", Name{Package: "p", Func: "F", Suffix: "-range1"}},
	{"p.F[...]-range1", Name{Package: "p", Func: "F", TypeArgs: "[...]", Suffix: "-range1"}},
	{"p.F.func1-range2", Name{Package: "p", Func: "F", Suffix: ".func1-range2"}},
	{"p.T.M-fm", Name{Package: "p", Receiver: "T", Func: "M", Suffix: "-fm"}},
	{"p.(*T).M-fm", Name{Package: "p", Receiver: "T", Pointer: true, Func: "M", Suffix: "-fm"}},
	{"p.init", Name{Package: "p", Func: "init"}},
	{"p.init.0", Name{Package: "p", Func: "init", Suffix: ".0"}},
	{"p.init.func1", Name{Package: "p", Func: "init", Suffix: ".func1"}},
	{"p.init.F.func1", Name{Package: "p", Func: "init", Suffix: ".F.func1"}},
	{"p.glob..func1", Name{Package: "p", Func: "glob.", Suffix: ".func1"}},
	{"gopkg.in/dep%2ev3.G", Name{Package: "gopkg.in/dep.v3", Func: "G"}},
	{"a.b/c-d.G", Name{Package: "a.b/c-d", Func: "G"}},
	{"a%25/b%22%2ec.ähnlich", Name{Package: `a%/b".c`, Func: "ähnlich"}},
	{"m/%c3%a4.F", Name{Package: "m/ä", Func: "F"}},
	// Texts that are no names stay whole.
	{"", Name{}},
	{"panic", Name{Func: "panic"}},
	{".F", Name{Func: ".F"}},
	{"p.", Name{Func: "p."}},
	{"p.(*T.M", Name{Func: "p.(*T.M"}},
	{"p.(*).M", Name{Func: "p.(*).M"}},
	{"p.F[int", Name{Func: "p.F[int"}},
	{"a[b].c", Name{Func: "a[b].c"}},
	{"created by p.F()", Name{Func: "created by p.F()"}},
}

func TestParse(t *testing.T) {
	for _, test := range names {
		got := Parse(test.text)
		if got != test.want {
			t.Errorf("Parse(%q) = %+v, want %+v", test.text, got, test.want)
		}
		if s := got.String(); s != test.text {
			t.Errorf("Parse(%q).String() = %q", test.text, s)
		}
	}
}

func TestNameMethods(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"p/q.F", "F F [] exported [F]"},
		{"p/q.f", "f f [] [f]"},
		{"p/q.T.M", "T.M T.M [p/q.T] exported [T M]"},
		{"p/q.t.M", "t.M t.M [p/q.t] [t M]"},
		{"p/q%2ev2.(*T[...]).M.func1", "(*T).M.func1 (*T).M [p/q%2ev2.T[...]] literal [M]"},
		{"p.F.G[int].func1-range1", "F.G.func1-range1 F [] literal [F G]"},
		{"p.F-range1", "F-range1 F [] literal [F]"},
		{"p.F.gowrap1", "F.gowrap1 F [] literal [F]"},
		{"p.T.M-fm", "T.M-fm T.M [p.T] [T M]"},
		{"p.init", "init init [] initializes []"},
		{"p.init.0", "init.0 init [] initializes []"},
		{"p.init.0.func1", "init.0.func1 init [] initializes literal []"},
		{"p.glob..func1", "glob..func1 glob. [] initializes literal []"},
		{"panic", "panic panic [] []"},
	} {
		n := Parse(test.name)
		got := fmt.Sprintf("%s %s [%s]", n.Local(), n.Decl(), n.Type())
		if n.Exported() {
			got += " exported"
		}
		if n.Initializes() {
			got += " initializes"
		}
		if n.Literal() {
			got += " literal"
		}
		if got += fmt.Sprintf(" %v", n.Declared()); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

func TestInside(t *testing.T) {
	for _, test := range []struct {
		name, decl string
		want       bool
	}{
		{"p.F", "F", true},
		{"p.F.func1", "F", true},
		{"p.F-range1", "F", true},
		{"p.FF", "F", false},
		{"p.G.F", "F", false},
		{"p.(*T[...]).M", "(*T).M", true},
		{"p.(*T).M", "T.M", false},
		{"p.T.M", "(*T).M", true},
		{"F", "F", false},
	} {
		if got := Parse(test.name).Inside(test.decl); got != test.want {
			t.Errorf("Parse(%q).Inside(%q) = %v", test.name, test.decl, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for _, test := range []struct{ name, plain, parent, short string }{
		{"a/p.F", "a/p.F", "a/p", "p.F"},
		{"a/p.(*T[...]).M", "a/p.(*T).M", "a/p.(*T)", "p.(*T[...]).M"},
		{"a/p.F[b/c.T[int].d].func1", "a/p.F.func1", "a/p.F", "p.F[b/c.T[int].d].func1"},
		{"a/p.F[int].G[x].func1", "a/p.F.G.func1", "a/p.F.G", "p.F[int].G[x].func1"},
		{"F[", "F[", "F[", "F["},
		{"", "", "", ""},
	} {
		plain := Plain(test.name)
		if plain != test.plain || Parent(plain) != test.parent || Short(test.name) != test.short {
			t.Errorf("%q: plain %q, parent %q, short %q, want %q, %q, %q", test.name,
				plain, Parent(plain), Short(test.name), test.plain, test.parent, test.short)
		}
	}
}

func TestMayBeStandard(t *testing.T) {
	for path, want := range map[string]bool{
		"fmt": true, "net/http": true, "m/x.y": true, "example.com/m": false, "main": false,
	} {
		if got := MayBeStandard(path); got != want {
			t.Errorf("MayBeStandard(%q) = %v", path, got)
		}
	}
}

func TestPos(t *testing.T) {
	for _, test := range []struct {
		text string
		want Pos
		line string
	}{
		{"", Pos{}, ""},
		{"a.go", Pos{File: "a.go"}, "a.go"},
		{"a/b.go:3", Pos{File: "a/b.go", Line: 3}, "a/b.go:3"},
		{"a/b.go:3:14", Pos{"a/b.go", 3, 14}, "a/b.go:3"},
		{"C:/b.go:3:14", Pos{"C:/b.go", 3, 14}, "C:/b.go:3"},
		{"C:/b.go", Pos{File: "C:/b.go"}, "C:/b.go"},
		{"m@v1.2.0/b.go:3", Pos{File: "m@v1.2.0/b.go", Line: 3}, "m@v1.2.0/b.go:3"},
		{"a.go:0", Pos{File: "a.go:0"}, "a.go:0"},
		{"a.go:-1:+2", Pos{File: "a.go:-1:+2"}, "a.go:-1:+2"},
		{":3", Pos{File: ":3"}, ":3"},
	} {
		got := ParsePos(test.text)
		if got != test.want || got.String() != test.text || Line(test.text) != test.line {
			t.Errorf("ParsePos(%q) = %+v, %q, of line %q, want %+v", test.text, got, got, Line(test.text),
				test.want)
		}
	}
	if !SameLine("a.go:3:1", "a.go:3") || SameLine("a.go:3", "a.go:4") ||
		SameLine("a.go:3", "b.go:3") {
		t.Error("SameLine compares something else than the file and the line")
	}
}

// TestPosLess compares every pair of positions that are in order, some of which the order of the
// texts would have the other way around.
func TestPosLess(t *testing.T) {
	sorted := []string{
		"", "a.go", "a.go:1", "a.go:1:1", "a.go:1:2", "a.go:1:10", "a.go:2:1", "a.go:10:1",
		"a/b.go:1:1", "a_b.go:1:1", "b.go:1:1", "dep@v1.2.3/a.go:3:4",
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := PosLess(a, b); got != (i < j) {
				t.Errorf("PosLess(%q, %q) = %v", a, b, got)
			}
		}
	}
}

// FuzzName checks that a parsed name prints and parses as itself, and that String changes nothing
// but the form of the escapes.
func FuzzName(f *testing.F) {
	for _, test := range names {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := Parse(text)
		if again := Parse(n.String()); again != n {
			t.Fatalf("%q parses as %#v, but %q as %#v", text, n, n, again)
		}
		if s := n.String(); !strings.Contains(text, "%") && strings.Trim(text, printable) == "" &&
			s != text {
			t.Fatalf("%q prints as %q", text, s)
		}
		if p := Plain(text); Plain(p) != p {
			t.Fatalf("%q has the plain name %q, which has %q", text, p, Plain(p))
		}
		n.Declared()
		n.Literal()
		n.Inside("F")
	})
}

const printable = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-()[]*"

// FuzzPos checks that a parsed position prints and parses as itself.
func FuzzPos(f *testing.F) {
	for _, text := range []string{"", "a.go", "a.go:1", "a.go:1:2", "C:/a.go:1:2", "a::1",
		"a:1:+2:03"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := ParsePos(text)
		if again := ParsePos(p.String()); again != p {
			t.Fatalf("%q parses as %#v, but %q as %#v", text, p, p, again)
		}
	})
}
