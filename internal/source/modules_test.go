package source

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// TestModulesWithoutSums: go.sum lacks a module of which no package is built, so that the go command does not list all.
func TestModulesWithoutSums(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":   goMod + "\nrequire example.com/a v1.0.0\n\nreplace example.com/a => ./a\n",
		"go.sum":   "example.com/c v1.0.0/go.mod h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
		"m.go":     "package m\n\nimport _ \"example.com/a\"\n",
		"a/go.mod": "module example.com/a\n\ngo 1.16\n\nrequire example.com/b v1.0.0\n",
		"a/a.go":   "package a\n",

		"proxy/example.com/b/@v/v1.0.0.info": `{"Version": "v1.0.0"}`,
		"proxy/example.com/b/@v/v1.0.0.mod":  "module example.com/b\n\ngo 1.24\n",
	})
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(filepath.Join(dir, "proxy")))
	t.Setenv("GONOSUMDB", "example.com")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", t.TempDir())
	list, err := Modules(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, m := range list {
		got += fmt.Sprintf("%s %v %v\n", m.Name(), m.Main, m.Dir != "")
	}
	if want := "example.com/m true true\nexample.com/a@v1.0.0 false true\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
