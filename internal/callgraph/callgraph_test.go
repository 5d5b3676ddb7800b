package callgraph

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
)

// load loads a module with one file.
func load(t *testing.T, file string) *source.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "m.go": file} {
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

const program = `package m

import "strings"

type Shape interface{ Area() int }

type (
	Square struct{ side int }
	Circle struct{ radius int }
	List[T Shape] struct {
		items []T
		total int
	}
)

func (s Square) Area() int  { return s.side * s.side }
func (c *Circle) Area() int { c.radius++; return id[int](c.radius) }

func (l *List[T]) Sum() {
	for _, x := range l.items {
		l.total += x.Area()
	}
}

func id[T any](x T) T { return x }

func use() func() int {
	var l List[Square]
	l.Sum()
	_ = strings.ToUpper("x")
	f := func() { even(1) }
	f()
	return Shape(nil).Area
}

func even(n int) bool { return n == 0 || odd(n-1) }
func odd(n int) bool  { return n != 0 && even(n-1) }
func self()           { self() }

func loops(list []int) {
	for range id(list) {
		self()
	}
	for i := id(0); even(i); {
		func() { odd(i) }()
	}
	_ = self
}
`

// TestEdges checks the edges of each function, as callee/kind, with * in loops.
func TestEdges(t *testing.T) {
	g := New(load(t, program))
	kinds := map[Kind]string{
		Call: "call", InterfaceCall: "interface", Value: "value", InterfaceValue: "interface value",
	}
	var got []string
	for _, f := range g.Funcs {
		line := strings.TrimPrefix(f.Name, "m.") + ":"
		for _, e := range g.Edges(f.Obj) {
			name := strings.TrimPrefix(source.FuncName(e.Callee), "m.")
			line += fmt.Sprintf(" %s/%s", name, kinds[e.Kind])
			if e.Loop {
				line += "*"
			}
		}
		got = append(got, line)
	}
	want := []string{
		"Square.Area:",
		"(*Circle).Area: id[...]/call",
		"(*List[...]).Sum: Shape.Area/interface*",
		"id[...]:",
		"use: (*List[...]).Sum/call even/call Shape.Area/interface value",
		"even: odd/call",
		"odd: even/call",
		"self: self/call",
		"loops: id[...]/call self/call* id[...]/call* even/call* odd/call* self/value",
	}
	if !slices.Equal(got, want) {
		t.Errorf("edges:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSummarize checks the fields that each function names, with its callees, and the components.
func TestSummarize(t *testing.T) {
	g := New(load(t, program))
	fields := func(f *source.Func, add func(*types.Var)) {
		ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := f.Pkg.Info.Uses[id].(*types.Var); ok && v.IsField() {
					add(v)
				}
			}
			return true
		})
	}
	byName := map[string]*types.Func{}
	for _, f := range g.Funcs {
		byName[strings.TrimPrefix(f.Name, "m.")] = f.Obj
	}
	for _, test := range []struct {
		fn    string
		kinds Kind
		want  string
	}{
		{"(*Circle).Area", AnyKind, "radius"},
		{"(*List[...]).Sum", AnyKind, "side radius items total"},
		{"(*List[...]).Sum", Call, "items total"},
		{"use", Call | InterfaceCall, "side radius items total"},
		{"use", InterfaceValue, "side radius"},
		{"use", Call, "items total"},
		{"even", AnyKind, ""},
	} {
		s := g.Summarize(test.kinds, fields)
		var got []string
		for v := range s.Of(byName[test.fn]).All() {
			got = append(got, v.Name())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s, kinds %04b: fields %q, want %q", test.fn, test.kinds, got, test.want)
		}
	}

	var none *Summary
	for v := range none.Of(byName["use"]).All() {
		t.Errorf("a nil Summary has %s", v)
	}

	var cycles []string
	for _, component := range g.Components(Call) {
		if len(component) > 1 {
			for _, fn := range component {
				cycles = append(cycles, fn.Name())
			}
		}
	}
	if slices.Sort(cycles); !slices.Equal(cycles, []string{"even", "odd"}) {
		t.Errorf("functions on cycles: %q, want even and odd", cycles)
	}
}
