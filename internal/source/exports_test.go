package source

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dsd/internal/cache"
)

// others returns what a module in dir imports from elsewhere and has export data, as the go command lists it.
func others(t *testing.T, dir string) (pkgs []*listedPackage) {
	t.Helper()
	l := &listing{dir: dir, isMine: inMainModule}
	if err := l.list(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, pkg := range l.pkgs {
		if !inMainModule(pkg) && pkg.ImportPath != "unsafe" {
			pkgs = append(pkgs, pkg)
		}
	}
	return pkgs
}

// TestExportsKept: what the go command answered is taken from the store, unless it has to look again.
func TestExportsKept(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": goMod, "m.go": "package m\n\nimport _ \"strings\"\n"})
	ctx := context.Background()
	store, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pkgs := others(t, dir)
	fresh, err := exports(ctx, dir, pkgs, false, store)
	if err != nil || fresh["strings"] == "" {
		t.Fatalf("exports = %v, %v", fresh, err)
	}
	id, ok := exportsID(ctx, dir, pkgs)
	if !ok || !maps.Equal(keptExports(store, id), fresh) {
		t.Fatalf("kept %d files, %v; want %d", len(keptExports(store, id)), ok, len(fresh))
	}
	file := filepath.Join(t.TempDir(), "export")
	for _, c := range []struct {
		name   string
		age    time.Duration // of the file; -1 if there is none
		flags  string        // GOFLAGS
		others []*listedPackage
		want   bool
	}{
		{"there", 0, "", pkgs, true},
		{"removed", -1, "", pkgs, false},
		{"soon to be removed", 5 * 24 * time.Hour, "", pkgs, false},
		{"with other flags", 0, "-tags=x", pkgs, false},
		{"of other packages", 0, "", pkgs[1:], false},
	} {
		os.Remove(file)
		if c.age >= 0 {
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			at := time.Now().Add(-c.age)
			if err := os.Chtimes(file, at, at); err != nil {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(map[string]string{"strings": file})
		if err != nil {
			t.Fatal(err)
		}
		store.Put(id, text)
		t.Setenv("GOFLAGS", c.flags)
		got, err := exports(ctx, dir, c.others, false, store)
		if err != nil {
			t.Fatal(err)
		}
		if (got["strings"] == file) != c.want {
			t.Errorf("%s: strings is in %q; kept was %q", c.name, got["strings"], file)
		}
	}
}

// TestExportsID: whether it is known on what export data depend.
func TestExportsID(t *testing.T) {
	const uses = "package m\n\nimport _ \"example.com/b\"\n"
	b := map[string]string{"b/go.mod": "module example.com/b\n\ngo 1.24\n", "b/b.go": "package b\n"}
	for _, c := range []struct {
		name, mod, source, flags string
		more                     map[string]string
		want                     bool
	}{
		{"standard library", goMod, "package m\n\nimport _ \"net/http\"\n", "", nil, true},
		{"overlay", goMod, "package m\n\nimport _ \"strings\"\n", "-overlay=o.json",
			map[string]string{"o.json": "{}"}, false},
		{"replaced", goMod + "\nrequire example.com/b v1.0.0\n\nreplace example.com/b => ./b\n", uses, "", b, false},
		{"vendored", goMod + "\nrequire example.com/b v1.0.0\n", uses, "", map[string]string{
			"vendor/modules.txt":            "# example.com/b v1.0.0\n## explicit; go 1.24\nexample.com/b\n",
			"vendor/example.com/b/b.go":     "package b\n",
			"vendor/example.com/b/other.go": "package b\n",
		}, false},
	} {
		files := map[string]string{"go.mod": c.mod, "m.go": c.source}
		maps.Copy(files, c.more)
		dir := module(t, files)
		if c.flags != "" {
			t.Setenv("GOFLAGS", strings.ReplaceAll(c.flags, "=", "="+dir+string(filepath.Separator)))
		} else {
			t.Setenv("GOFLAGS", "")
		}
		if _, ok := exportsID(context.Background(), dir, others(t, dir)); ok != c.want {
			t.Errorf("%s: known is %v, want %v", c.name, ok, c.want)
		}
	}
}

// TestExportsOfVersions: those of a module in the module cache are known, unless it has C code.
func TestExportsOfVersions(t *testing.T) {
	pkgs := others(t, filepath.Join("..", ".."))
	found := false
	for _, l := range pkgs {
		found = found || l.Module != nil
	}
	if _, ok := exportsID(context.Background(), ".", pkgs); !ok || !found {
		t.Errorf("known is %v, of packages of modules: %v", ok, found)
	}
	for _, l := range pkgs {
		if l.Module != nil {
			l.CgoFiles = []string{"c.go"}
		}
	}
	if _, ok := exportsID(context.Background(), ".", pkgs); ok {
		t.Error("known although there is C code")
	}
}
