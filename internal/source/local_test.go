package source

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLocal: what a module depends on besides versions that do not change, with what its go.mod file, a workspace and
// GOFLAGS say.
func TestLocal(t *testing.T) {
	const uses = "package a\n\nimport _ \"example.com/b\"\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		flags string
		want  []string
	}{
		{"alone", map[string]string{
			"a/go.mod": "module example.com/a\n\ngo 1.25\n",
			"a/a.go":   "package a\n",
		}, "", []string{"a"}},
		{"replaced", map[string]string{
			"a/go.mod": "module example.com/a\n\ngo 1.25\n\nrequire example.com/b v1.0.0\n\nreplace example.com/b => ../b\n",
			"a/a.go":   uses,
			"b/go.mod": "module example.com/b\n\ngo 1.25\n",
			"b/b.go":   "package b\n",
		}, "", []string{"a", "b"}},
		{"replaced in another file", map[string]string{
			"a/go.mod":    "module example.com/a\n\ngo 1.25\n",
			"a/other.mod": "module example.com/a\n\ngo 1.25\n\nrequire example.com/b v1.0.0\n\nreplace example.com/b => ../b\n",
			"a/a.go":      uses,
			"b/go.mod":    "module example.com/b\n\ngo 1.25\n",
			"b/b.go":      "package b\n",
		}, "-modfile=other.mod", []string{"a", "b"}},
		{"workspace", map[string]string{
			"go.work":  "go 1.25\n\nuse ./a\nuse ./b\n",
			"a/go.mod": "module example.com/a\n\ngo 1.25\n",
			"a/a.go":   uses,
			"b/go.mod": "module example.com/b\n\ngo 1.25\n",
			"b/b.go":   "package b\n",
		}, "", []string{"a", "b", "go.work"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range c.files {
				file := filepath.Join(top, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv("GOFLAGS", c.flags)
			t.Setenv("GOWORK", "")
			got, err := Local(context.Background(), filepath.Join(top, "a"), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, name := range got {
				if got[i], err = filepath.Rel(top, name); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
