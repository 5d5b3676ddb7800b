package confirm

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"dsd/internal/source"
)

func TestWritesPastConstructor(t *testing.T) {
	const text = `package p

type Queue struct{ items []int }

func NewQueue() *Queue { return &Queue{} }

type Tree[T any] struct{ root *T }

func NewTree[T any]() *Tree[T] { return &Tree[T]{} }

type Open struct{ Items []int }

func NewOpen() *Open { return &Open{} }

type Plain struct{ n int }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	p, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &source.Package{Types: p}
	for statements, want := range map[string]bool{
		"q := NewQueue()\nq.Take()":    false,
		"q := &Queue{}\nq.Take()":      true,
		"(&Tree[int]{}).Leftmost()":    true,
		"new(Queue).Take()":            true,
		"var q Queue\nq.Take()":        true,
		"Take([]Queue{NewQueue()}[0])": false,
		"(&Open{}).Take()":             false, // has no unexported fields
		"(&Plain{}).Take()":            false, // has no constructor
		"Take(\"Queue{}\")":            false,
		"Take(":                        false, // is no Go
	} {
		if got := writesPastConstructor(pkg, statements); got != want {
			t.Errorf("%s: %v, want %v", statements, got, want)
		}
	}
}
