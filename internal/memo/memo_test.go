package memo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"dsd/internal/cache"
	"dsd/internal/source"
)

// module is a module with a package that imports another one, whose test imports a third, and one that neither does.
var module = map[string]string{
	"go.mod":             "module example.com/m\n\ngo 1.24\n",
	"main/a.go":          "package main\n\nimport \"example.com/m/used\"\n\nfunc F() int { return used.One }\n",
	"main/a_test.go":     "package main\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/tested\"\n)\n\nfunc TestF(*testing.T) { _ = tested.Two }\n",
	"used/a.go":          "package used\n\nconst One = 1\n",
	"tested/a.go":        "package tested\n\nconst Two = 2\n",
	"other/a.go":         "package other\n\nconst Three = 3\n",
	"other/d.txt":        "data",
	"embeds/a.go":        "package embeds\n\nimport _ \"embed\"\n\n//go:embed in/d.txt\nvar Data string\n",
	"embeds/in/d.txt":    "data",
	"finds/a.go":         "package finds\n\nimport \"runtime\"\n\nfunc File() string { _, file, _, _ := runtime.Caller(0); return file }\n",
	"finds/in/d.txt":     "data",
	"external/a.go":      "package external\n",
	"external/x_test.go": "package external_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/tested\"\n)\n\nfunc TestX(*testing.T) { _ = tested.Two }\n",
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestBuild: what changes the digest of a package's build, and what does not.
func TestBuild(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		write(t, dir, name, text)
	}
	store, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	digest := func(path string, program ID, overlay map[string][]byte, texts ...string) ID {
		t.Helper()
		prog, err := source.Load(context.Background(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := New(context.Background(), store, program, prog)
		id, ok := m.Build(prog.Package("example.com/m/"+path), overlay, texts...)
		if !ok {
			t.Fatalf("%s: %v", path, func() error { _, err := m.build(prog.Package("example.com/m/"+path), overlay, texts); return err }())
		}
		return id.id
	}
	unchanged := map[string]ID{}
	text := func(s string) map[string][]byte { return map[string][]byte{s: []byte("package p\n\nconst Four = 4\n")} }
	for _, tt := range []struct {
		pkg, file, append string // the file that changes, and how
		overlay           map[string][]byte
		texts             []string
		program           ID
		changes           bool
	}{
		{pkg: "main"},
		{pkg: "main", file: "main/a.go", append: "\nconst Five = 5\n", changes: true},
		{pkg: "main", file: "main/a_test.go", append: "\nconst Five = 5\n", changes: true},
		{pkg: "main", file: "main/d.txt", append: "data", changes: true}, // perhaps read when a test begins
		{pkg: "main", file: "used/a.go", append: "\nconst Five = 5\n", changes: true},
		{pkg: "main", file: "tested/a.go", append: "\nconst Five = 5\n", changes: true},
		{pkg: "main", file: "other/a.go", append: "\nconst Five = 5\n"},
		{pkg: "main", file: "other/d.txt", append: "more"},
		{pkg: "main", file: "go.mod", append: "\n// comment\n", changes: true},
		{pkg: "used", file: "main/a.go", append: "\nconst Five = 5\n"},
		{pkg: "used", file: "tested/a.go", append: "\nconst Five = 5\n"},
		{pkg: "external", file: "tested/a.go", append: "\nconst Five = 5\n", changes: true},
		{pkg: "embeds", file: "embeds/in/d.txt", append: "more", changes: true},
		{pkg: "finds", file: "finds/in/d.txt", append: "more", changes: true},
		{pkg: "finds", file: "other/d.txt", append: "more", changes: true},
		{pkg: "main", overlay: text("main/b.go"), changes: true},
		{pkg: "main", overlay: text("used/b.go"), changes: true},
		{pkg: "main", overlay: text("generated/b.go"), changes: true},
		{pkg: "main", overlay: text("other/b.go")},
		{pkg: "main", texts: []string{"package main\n\nimport _ \"example.com/m/other\"\n"}, changes: true},
		{pkg: "main", texts: []string{"package main\n\nimport _ \"example.com/m/used\"\n"}},
		{pkg: "main", program: ID{1}, changes: true},
	} {
		before, ok := unchanged[tt.pkg]
		if !ok {
			before = digest(tt.pkg, ID{}, nil)
			unchanged[tt.pkg] = before
		}
		if tt.file != "" {
			write(t, dir, tt.file, module[tt.file]+tt.append)
		}
		after := digest(tt.pkg, tt.program, tt.overlay, tt.texts...)
		if changed := before != after; changed != tt.changes {
			t.Errorf("%s, %s, overlay %q, texts %q, program %x: changes %v, want %v", tt.pkg, tt.file, tt.overlay, tt.texts,
				tt.program[:1], changed, tt.changes)
		}
		if _, ok := module[tt.file]; ok {
			write(t, dir, tt.file, module[tt.file])
		} else if tt.file != "" {
			os.Remove(filepath.Join(dir, tt.file))
		}
	}
}

// TestUnknown: of a package that uses C, and of a test that imports what the module does not have, the digest is not
// told, and a nil Memo tells none.
func TestUnknown(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.24\n")
	write(t, dir, "a.go", "package m\n")
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	store, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m, pkg := New(context.Background(), store, ID{}, prog), prog.Package("example.com/m")
	for _, text := range []string{"package m\n\nimport \"C\"\n", "package m\n\nimport \"example.com/m/none\"\n", "no Go"} {
		if _, ok := m.Build(pkg, nil, text); ok {
			t.Errorf("the digest of the package with %q is told", text)
		}
	}
	if _, ok := (*Memo)(nil).Build(pkg, nil); ok || New(context.Background(), nil, ID{}, prog) != nil {
		t.Error("there is a Memo without a store")
	}
}

// TestPut: what is put is got under its ID, byte by byte, and under no other one.
func TestPut(t *testing.T) {
	store, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	type result struct {
		Text  string
		Words []string
	}
	m := &Memo{store: store, folders: map[string]folder{}}
	want := result{"\xff\x00", []string{"a", ""}}
	id, other := m.Of(Key{}, "a", 1), m.Of(Key{}, "a", 2)
	m.Put(id, want)
	var got, none result
	if !m.Get(id, &got) || !reflect.DeepEqual(got, want) || m.Get(other, &none) {
		t.Errorf("got %q, and %q under another ID; want %q, and none", got, none, want)
	}
	// Of files that have changed since, nothing is kept.
	dir := t.TempDir()
	write(t, dir, "a.go", "package m\n")
	changed := Key{ID{1}, []string{dir}}
	m.folder(dir)
	m.Put(changed, want)
	if !m.Get(changed, &got) {
		t.Error("nothing is kept of files that are as they were")
	}
	write(t, dir, "a.go", "package m // another\n")
	changed.id = ID{2}
	m.Put(changed, want)
	if m.Get(changed, &none) {
		t.Error("a result is kept of files that have changed")
	}
}

// TestWait: Wait returns after the go command that New started has ended, though no digest was asked for.
func TestWait(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n")
	write(t, dir, "a.go", "package m\n")
	store, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	command, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	ended := filepath.Join(bin, "ended")
	script := fmt.Sprintf("#!/bin/sh\n%q \"$@\"\nstatus=$?\n: >%q\nexit $status\n", command, ended)
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	m := New(context.Background(), store, ID{}, prog)
	m.Wait()
	if _, err := os.Stat(ended); err != nil {
		t.Errorf("the go command has not ended: %v", err)
	}
	var none *Memo
	none.Wait()
}
