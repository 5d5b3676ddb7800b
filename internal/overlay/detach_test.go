package overlay

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"dsd/internal/source"
)

// write writes files below a directory.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDetach: a dependency is loaded from a copy although it has a go.work file, whose other modules are not in the
// module cache, and although go.sum lacks a module that only the copy needs: what a requires, which the main module's
// build, of modules of Go 1.17 and later, does without.
func TestDetach(t *testing.T) {
	top := t.TempDir()
	write(t, top, map[string]string{
		"dep/go.mod":                         "module example.com/dep\n\ngo 1.16\n",
		"dep/go.work":                        "go 1.24\n\nuse (\n\t.\n\t./examples\n)\n",
		"dep/dep.go":                         "package dep\n\nfunc F() int { return 1 }\n",
		"proxy/example.com/a/@v/v1.0.0.info": `{"Version": "v1.0.0"}`,
		"proxy/example.com/a/@v/v1.0.0.mod":  "module example.com/a\n\ngo 1.24\n\nrequire example.com/b v1.0.0\n",
		"proxy/example.com/b/@v/v1.0.0.info": `{"Version": "v1.0.0"}`,
		"proxy/example.com/b/@v/v1.0.0.mod":  "module example.com/b\n\ngo 1.24\n",
	})
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(filepath.Join(top, "proxy")))
	t.Setenv("GONOSUMDB", "example.com")
	t.Setenv("GOFLAGS", "-modcacherw")
	t.Setenv("GOMODCACHE", filepath.Join(top, "cache"))
	dep := &source.Module{Path: "example.com/dep", Version: "v1.2.0", Dir: filepath.Join(top, "dep"), GoVersion: "1.16"}
	build := []*source.Module{
		{Path: "example.com/m", Main: true}, dep, {Path: "example.com/a", Version: "v1.0.0"},
	}
	prog, err := Detach(context.Background(), build, top, dep, filepath.Join(top, "copy"), []string{"example.com/dep"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if pkg := prog.Package("example.com/dep"); pkg == nil || pkg.Dir != filepath.Join(top, "copy") {
		t.Errorf("got package %+v, want that of the copy", pkg)
	}
	if _, err := os.Stat(filepath.Join(dep.Dir, "go.work")); err != nil {
		t.Errorf("the module itself was changed: %v", err)
	}
}

// TestDetachOld: a dependency without a go.mod of its own is loaded though it requires modules of a later Go. It becomes of no later
// Go than these.
func TestDetachOld(t *testing.T) {
	top := t.TempDir()
	write(t, top, map[string]string{
		"old/old.go": "package old\n\nimport \"example.com/a\"\n\nfunc F() int { return a.F() }\n",
		"a/go.mod":   "module example.com/a\n\ngo 1.23\n",
		"a/a.go":     "package a\n\nfunc F() int { return 1 }\n",
	})
	old := &source.Module{Path: "example.com/old", Version: "v1.0.0", Dir: filepath.Join(top, "old")}
	a := &source.Module{Path: "example.com/a", Version: "v1.0.0", Replace: &source.Module{Path: "example.com/a", Dir: filepath.Join(top, "a")}}
	build := []*source.Module{{Path: "example.com/m", Main: true}, old, a}
	prog, err := Detach(t.Context(), build, top, old, filepath.Join(top, "copy"), []string{"example.com/old"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if prog.Package("example.com/old") == nil || prog.GoVersion != "1.23" {
		t.Errorf("got packages %v of Go %s, want example.com/old of Go 1.23", prog.Packages, prog.GoVersion)
	}
}
