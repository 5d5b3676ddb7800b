package record

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// repeats is a long expression for the functions of trivials.
const repeats = "strings.Repeat(s, 3) + strings.Repeat(s, 3) + strings.Repeat(s, 3) + " +
	"strings.Repeat(s, 3) + strings.Repeat(s, 3) + strings.Repeat(s, 3)"

// trivials is a file of functions. Those whose names begin with yes or Yes are trivial.
const trivials = `package p

import "strings"

var table [256]int8
var list []int

type T struct { n int; m map[string]int; next *T }
type t struct{ T }

func yesSpace(c byte) bool { return table[c] == 1 }
func YesSpace(c byte) bool { return table[c] == 1 }
func YesConst(c byte) bool { return table[3] == 1 }
func Index(c byte) bool { return list[c] == 1 }
func Small(c int8) bool { return table[c] == 1 }
func YesLoop(s string, of []string) (n int) {
	for i, c := range s {
		switch {
		case c == ' ':
			n += i
		case c >= '0' && c <= '9', n > 100:
			n = n*10 + int(c-'0')
		default:
			continue
		}
	}
	for range of {
		n += len(of) << 2
	}
	return n
}
func Div(a, b int) int { return a / b }
func DivAssign(a, b int) int { a /= b; return a }
func YesHalf(a int) int { return a % 2 / 3 }
func Shift(a, b int) int { a <<= b; return a }
func YesShift(a int, b uint) int { return a << b }
func (x *T) YesGet() int { return x.n }
func (x *T) Deep(a, b int) int { if x.n > a { return x.next.n + x.n }; ` +
	`if x.n > b { return x.n + x.next.next.n }; return a + b }
func (x T) YesValue() bool { return x.n > 0 && x.m == nil }
func Compare(a, b any) bool { if a == b { return true }; ` +
	`if b == nil { return a == b || a == nil }; return a != b }
func Assert(a any) int { return a.(int) }
func Cut(s string) string { return s[1:] }
func Array(s []int) [2]int { return [2]int(s) }
func Panic(a int) int { if a > 0 { panic("a") }; return a }
func Set(m map[string]int) { m["a"] = 1 }
func Make(n int) []int { return make([]int, n) }
func Calls(s string) string { return strings.TrimSpace(s) }
func yesCalls(s string) string { return strings.TrimSpace(s) }
func (x *t) YesCalls(s string) string { return strings.TrimSpace(s) }
func defers(s string) string { defer strings.TrimSpace(s); return s }
func Receive(c chan int) int { return <-c }
func YesSmall(l []int, i int) int { return l[i] }
func UsesSmall(l []int) int { return YesSmall(l, strings.Count("a", "b")) }
func Recursive(l []int, i int) int { if i > 3 { return l[i] }; return Recursive(l, i+1) }
func large(s string) int {
	for range 3 {
		s += ` + repeats + `
		s += ` + repeats + `
	}
	return len(s)
}
func yesLargeInLoop(s string) int {
	if s != "" {
		s += ` + repeats + `
		s += ` + repeats + `
	}
	return large(s)
}
func yesCircle1(s string) int {
	if s != "" {
		s += ` + repeats + `
		s += ` + repeats + `
	}
	return yesCircle2(s)
}
func yesCircle2(s string) int {
	if s != "" {
		s += ` + repeats + `
		s += ` + repeats + `
	}
	return yesCircle1(s) + large(s)
}
func Loop(s []string) { for _, x := range s[large("a"):] { yesLargeInLoop(x) } }
func inLiteral(l []int, i int) int { return l[i] }
var command = func(l []int) int { return inLiteral(l, len(l)) }
func yesInBoth(l []int, i int) int { return l[i] }
func Both(l []int) int { return func() int { return yesInBoth(l, 1) }() + yesInBoth(l, 2) }
func Iterate(f func(func(int) bool)) (n int) { for range f { n++ }; return n }
`

// TestTrivial checks which functions are trivial: small ones, and those that cannot panic.
func TestTrivial(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", trivials, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := source.NewInfo()
	imports := importer.ForCompiler(fset, "source", nil)
	conf := types.Config{Importer: imports, GoVersion: "go1.23"}
	if _, err := conf.Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	pkg := &source.Package{Name: "p", Path: "p", Info: info, Files: []*ast.File{file}}
	prog := &source.Program{All: []*source.Package{pkg}}
	w := &rewriter{pkg: pkg, calls: newCalls(prog, callgraph.New(prog))}
	for _, f := range pkg.Funcs() {
		got := w.trivial(f.Decl, f.Obj)
		want := strings.HasPrefix(strings.ToLower(f.Decl.Name.Name), "yes")
		if got != want {
			t.Errorf("trivial(%s) = %v, want %v", f.Decl.Name.Name, got, want)
		}
	}
}
