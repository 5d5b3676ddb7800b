package origin

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"dsd/internal/source"
)

// TestFieldAt: the bytes of a field, counted from the last pointer on the way to it, which is what a panic's address shows.
func TestFieldAt(t *testing.T) {
	const src = `package m

type In struct{ X, Y int }

type T struct {
	Name string
	List []int
	In   In
	Next *T
	*Up
}

type Up struct{ A, B int }

func F(p *T, v T) {
	_ = p.Name
	_ = p.List
	_ = p.In.Y
	_ = p.Next.In.X
	_ = v.In.X
	_ = v.B
	_ = (*p).In
}
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	want := map[string]string{
		"p.Name": "0 16 true", "p.List": "16 24 true", "p.In.Y": "48 8 true", "p.Next.In.X": "40 8 true",
		"v.In.X": "40 8 false", "v.B": "8 8 true", "(*p).In": "40 16 true",
	}
	ast.Inspect(pkg.Files[0], func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			x := a.Rhs[0].(*ast.SelectorExpr)
			off, size, behind := fieldAt(pkg, prog.Sizes, x)
			text := types.ExprString(x)
			if got := fmt.Sprint(off, size, behind); got != want[text] {
				t.Errorf("%s: got %s, want %s", text, got, want[text])
			}
			delete(want, text)
		}
		return true
	})
	if len(want) > 0 {
		t.Errorf("not seen: %v", want)
	}
}
