package source

import (
	"go/types"
	"slices"
	"testing"
)

// TestHeld: the expressions of the function literals that package-level variables hold, "" for those that none names.
func TestHeld(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": goMod,
		"m.go": `package m

import "strings"

type t struct {
	a int
	f func()
	next *t
}

type kind uint8

const two kind = 2

var (
	direct = func() {}
	_      = func() {}
	fields = &t{f: func() {}, next: &t{0, func() {}, nil}}
	list   = []*t{{}, {f: func() {}}}
	kinds  = map[kind]func(){two: func() {}}
	boxed  = map[string]any{"a\"b": func(int) {}, "t": &t{f: func() {}}, "l": []any{1, func() {}}}
	keyed  = [...]func(){3: func() {}}
	lost   = map[string]func(){strings.ToLower("X"): func() {}}
	box any = t{f: func() {}}
	a, b   = pair(func() {})
	passed = strings.Map(func(r rune) rune { return r }, "")
)

func pair(f func()) (func(), func()) { return f, f }
`,
	})
	prog, err := Load(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	var got []string
	for _, h := range HeldIn(pkg.Files[0]) {
		expr, _ := h.Expr(pkg.Info, func(t types.Type) string { return types.TypeString(t, types.RelativeTo(pkg.Types)) })
		got = append(got, expr)
	}
	want := []string{
		"direct", "fields.f", "fields.next.f", "list[1].f", "kinds[2]", `boxed["a\"b"].(func(int))`, `boxed["t"].(*t).f`,
		`boxed["l"].([]any)[1].(func())`, "", "", "",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
