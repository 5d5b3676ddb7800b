package gofile

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestFormat breaks long lines.
func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"short", "f(T{1, 2})", "f(T{1, 2})"},
		{"types", `f([]*T{&T{1}, nil}, [][]T{[]T{T{2}, T{}}, []T{}}, map[K]any{K{1}: K{2}}, []any{T{}}, []*T{T{}.p()})`,
			`f([]*T{{1}, nil}, [][]T{{{2}, {}}, {}}, map[K]any{{1}: K{2}}, []any{T{}}, []*T{T{}.p()})`},
		{"fields", `tree := &Tree{Root: &Node{Entries: s[:1:2], Children: s1[:1:2]}, ` +
			`Comparator: func(interface{}) (_ int) { return }, size: 8}`,
			`tree := &Tree{
	Root:       &Node{Entries: s[:1:2], Children: s1[:1:2]},
	Comparator: func(interface{}) (_ int) { return },
	size:       8,
}`},
		{"inner", `p(&Outer{list: []Thing{{Name: "abcdefghijklmnopqrstuvwxyz", Size: 1}, ` +
			`{Name: "abcdefghijklmnopqrstuvwxyz0123456789", Size: 2}}})`,
			`p(&Outer{list: []Thing{
	{Name: "abcdefghijklmnopqrstuvwxyz", Size: 1},
	{Name: "abcdefghijklmnopqrstuvwxyz0123456789", Size: 2},
}})`},
		{"numbers", "f([]byte{" + strings.Repeat("100, ", 24) + "7})",
			"f([]byte{\n" + strings.Repeat("\t"+strings.TrimSpace(strings.Repeat("100, ", 14))+"\n", 1) +
				"\t" + strings.Repeat("100, ", 10) + "7,\n})"},
		{"text", `f("` + strings.Repeat("x", 150) + `")`,
			`f("` + strings.Repeat("x", 68) + "\" +\n\t\"" + strings.Repeat("x", 68) + "\" +\n\t\"" +
				strings.Repeat("x", 14) + `")`},
	} {
		src := "package p\n\nfunc F() {\n" + tt.in + "\n}\n"
		got, err := Format([]byte(src))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		want := "package p\n\nfunc F() {\n\t" + strings.ReplaceAll(tt.want, "\n", "\n\t") + "\n}\n"
		if string(got) != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, want)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", got, 0); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
