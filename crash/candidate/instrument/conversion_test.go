package instrument

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// TestConversions: where a value of a type becomes that of an interface, in whatever form, its block is found; where the
// value is only printed, or stays what it is, none.
func TestConversions(t *testing.T) {
	prog := loadFile(t, `package m

import "fmt"

type pair struct{ key, value any }

func number() (float64, bool) { return 1, true }

func take(list ...any) {}

func assigned() { var v any; v, _ = number(); _ = v }

func declared() { var v any = 1.5; _ = v }

func returned() (any, bool) { return number() }

func inClause(n int) (v any) {
	switch n {
	case 1:
		v = 2.5
	}
	return v
}

func passed(x float64) { take("a", x) }

func converted(x float64) any { return any(x) }

func element(x float64) []any { return []any{x} }

func field(x float64) pair { return pair{value: x} }

func key(x float64) map[any]int { return map[any]int{x: 1} }

func sent(c chan any, x float64) { c <- x }

func inLiteral() any { return func() any { return 3.5 } }

func spread(list []any) { take(list...) }

func plain(x float64) float64 { y := x; return y }

func printed(x float64) { fmt.Println(x) }

func other(x float32) any { return x }
`)
	names := map[ast.Node]string{}
	for _, f := range prog.Packages[0].Funcs() {
		ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
			names[n] = f.Obj.Name()
			return true
		})
	}
	var got []string
	for n := range conversions(prog.Packages, "float64") {
		if _, clause := n.(*ast.CaseClause); clause != (names[n] == "inClause") {
			t.Errorf("%s: got a %T", names[n], n)
		}
		got = append(got, names[n])
	}
	slices.Sort(got)
	const want = "assigned converted declared element field inClause inLiteral key passed returned sent"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}

	for n, want := range map[int]int{maxConversions: maxConversions, maxConversions + 1: 0} {
		text := "package m\n"
		for i := range n {
			text += fmt.Sprintf("\nfunc f%d() any { return 1.5 }\n", i)
		}
		if found := conversions(loadFile(t, text).Packages, "float64"); len(found) != want {
			t.Errorf("got %d of %d blocks, want %d", len(found), n, want)
		}
	}
}
