package candidate

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
)

// stackPackage type-checks a small package.
func stackPackage(tb testing.TB) *types.Package {
	tb.Helper()
	return checkPackage(tb, `package p

type Stack struct{ Items []int }

type Level uint8

const High Level = 3

func New(n int) (*Stack, error) { return nil, nil }

func (s *Stack) Push(x int, levels ...Level) {}
`)
}

// checkPackage type-checks a package of one file.
func checkPackage(tb testing.TB, src string) *types.Package {
	tb.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		tb.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset,
		[]*ast.File{file}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return pkg
}

// stackTable returns a table over stackPackage.
func stackTable(pkg *types.Package) []*Op {
	stack := types.NewPointer(pkg.Scope().Lookup("Stack").Type())
	level := pkg.Scope().Lookup("Level").Type()
	newFunc := pkg.Scope().Lookup("New").(*types.Func)
	push, _, _ := types.LookupFieldOrMethod(stack, true, pkg, "Push")
	return []*Op{
		0: Literal(types.Typ[types.Int]),
		1: Literal(level),
		2: SliceOf(types.NewSlice(level)),
		3: Call(newFunc, nil, nil, newFunc.Type().(*types.Signature)),
		4: Call(push.(*types.Func), stack, nil, push.Type().(*types.Signature)),
		5: Zero(stack),
	}
}

// TestWriteTest checks how statements become Go: literals and pure values in place, named
// constants, loops for repetitions, and nothing for what is not used.
func TestWriteTest(t *testing.T) {
	pkg := stackPackage(t)
	table := stackTable(pkg)
	pushed := Program{
		{Op: 0, Bits: 7}, {Op: 3, Args: []int{0}}, // results 1 and 2
		{Op: 1, Bits: 3}, {Op: 1, Bits: 4}, {Op: 2, Args: []int{3, 4}},
		{Op: 0, Bits: 1}, // not used
	}
	for range 4 {
		pushed = append(pushed, Stmt{Op: 4, Args: []int{1, 0, 5}})
	}
	for _, tt := range []struct {
		name    string
		program Program
		want    string
	}{
		{"loop", pushed,
			"\ts, _ := New(7)\n\tv := []Level{High, 4}\n" +
				"\tfor i := 0; i < 4; i++ {\n\t\ts.Push(7, v...)\n\t}"},
		{"in place", Program{{Op: 5}, {Op: 0}, {Op: 1, Bits: 1}, {Op: 2, Args: []int{2}},
			{Op: 4, Args: []int{0, 1, 3}}},
			"\t(*Stack)(nil).Push(0, 1)"},
	} {
		test, err := tt.program.WriteTest(&source.Package{Name: pkg.Name(), Types: pkg}, table, "TestX", "TestX panics.", false)
		if err != nil {
			t.Fatal(err)
		}
		if test.Body != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, test.Body, tt.want)
		}
	}
}

// TestWriteWith checks that a field is set in the variable itself where nothing else uses that, otherwise in a copy.
func TestWriteWith(t *testing.T) {
	pkg := checkPackage(t, `package p

type Config struct{ Limit int }

func Default() Config { return Config{} }

func Use(c Config) {}

var Shared Config
`)
	config := pkg.Scope().Lookup("Config").Type()
	call := func(name string) *Op {
		fn := pkg.Scope().Lookup(name).(*types.Func)
		return Call(fn, nil, nil, fn.Signature())
	}
	table := []*Op{
		0: Literal(types.Typ[types.Int]), 1: call("Default"), 2: call("Use"),
		3: With(config, config.Underlying().(*types.Struct).Field(0)),
		4: Variable(pkg.Scope().Lookup("Shared").(*types.Var)),
	}
	changed := Program{{Op: 1}, {Op: 0, Bits: 3}, {Op: 3, Args: []int{0, 1}}, {Op: 2, Args: []int{2}}}
	for _, tt := range []struct {
		program Program
		want    string
	}{
		{changed, "\tc := Default()\n\tc.Limit = 3\n\tUse(c)"},
		{append(slices.Clone(changed), Stmt{Op: 2, Args: []int{0}}), "\tc := Default()\n\tc2 := c\n\tc2.Limit = 3\n\tUse(c2)\n\tUse(c)"},
		{append(slices.Clone(changed[:3]), Stmt{Op: 2, Args: []int{0}}), "\tc := Default()\n\tUse(c)"},
		{append(Program{{Op: 4}}, changed[1:]...), "\tc := Shared\n\tc.Limit = 3\n\tUse(c)"},
	} {
		test, err := tt.program.WriteTest(&source.Package{Name: pkg.Name(), Types: pkg}, table, "TestX", "TestX panics.", false)
		if err != nil {
			t.Fatal(err)
		}
		if test.Body != tt.want {
			t.Errorf("got\n%s\nwant\n%s", test.Body, tt.want)
		}
	}
}

// TestParameterize checks that used literals become parameters.
func TestParameterize(t *testing.T) {
	pkg := stackPackage(t)
	p := Program{
		{Op: 0, Bits: 7}, {Op: 3, Args: []int{0}},
		{Op: 1, Bits: 3}, {Op: 2, Args: []int{3}}, {Op: 4, Args: []int{1, 0, 4}},
	}
	f := p.Parameterize(pkg, stackTable(pkg), "F")
	const want = "package p\n\n\nfunc F(v int, l Level) {\n\ts, _ := New(v)\n\ts.Push(v, l)\n}\n"
	if f.Source != want || f.Line != 6 || !slices.Equal(f.Literals, []int{0, 2}) {
		t.Errorf("got line %d, literals %v of\n%s\nwant line 6, literals [0 2] of\n%s",
			f.Line, f.Literals, f.Source, want)
	}
}

// TestLiteral checks literals and the untyped constants that may stand for them.
func TestLiteral(t *testing.T) {
	pkg := stackPackage(t)
	level := pkg.Scope().Lookup("Level").Type()
	f32, c64 := types.Typ[types.Float32], types.Typ[types.Complex64]
	for _, tt := range []struct {
		t             types.Type
		bits          uint64
		text, untyped string
	}{
		{types.Typ[types.Int], 1<<64 - 1, "-1", "-1"},
		{types.Typ[types.Int8], 0x80, "int8(-128)", "-128"},
		{types.Typ[types.Uint16], 1<<64 - 1, "uint16(65535)", "65535"},
		{types.Typ[types.Bool], 1, "true", "true"},
		{types.Typ[types.Float64], 0x3ff0000000000000, "1.0", "1.0"},
		{f32, 0x3ff8000000000000, "float32(1.5)", "1.5"},
		{f32, 0x7ff0000000000000, "float32(math.Inf(1))", "float32(math.Inf(1))"},
		{types.Typ[types.Float64], 1 << 63, "math.Copysign(0, -1)", "math.Copysign(0, -1)"},
		{c64, 0x3ff8000000000000, "complex64(complex(1.5, 0))",
			"complex64(complex(1.5, 0))"},
		{level, 3, "High", "High"},
		{level, 2, "Level(2)", "2"},
	} {
		text, untyped := literal(newWriter(pkg, nil, nil).file, &Stmt{Bits: tt.bits}, tt.t)
		if text != tt.text || untyped != tt.untyped {
			t.Errorf("%s %#x: got %s and %s, want %s and %s", tt.t, tt.bits, text,
				untyped, tt.text, tt.untyped)
		}
	}
}

// TestRepeated: long parts of texts that repeat themselves are written as such.
func TestRepeated(t *testing.T) {
	pkg := stackPackage(t)
	a := func(n int) string { return strings.Repeat("a", n) }
	for text, want := range map[string]string{
		"": `""`, a(127): `"` + a(127) + `"`, a(128): `strings.Repeat("a", 128)`,
		"x" + a(1<<18) + "\n":                                     `"x" + strings.Repeat("a", 262144) + "\n"`,
		strings.Repeat("[{", 100):                                 `strings.Repeat("[{", 100)`,
		strings.Repeat("[{", 100) + "[" + "]":                     `strings.Repeat("[{", 100) + "[]"`,
		strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200): `strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200)`,
	} {
		if got, _ := literal(newWriter(pkg, nil, nil).file, &Stmt{Text: text}, types.Typ[types.String]); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
