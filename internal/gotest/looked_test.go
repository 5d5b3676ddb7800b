package gotest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dsd/internal/overlay"
)

// TestLooked: which environment variables a test looks at, and whether it looks at files of the module outside of what
// Folder counts.
func TestLooked(t *testing.T) {
	prog := module(t, map[string]string{
		"a/a.go":            "package a\n",
		"a/testdata/d.txt":  "data",
		"a/testdata/b/b.go": "package b\n",
		"a/in/in.go":        "package in\n",
		"b/d.txt":           "data",
		"a/a_test.go": `package a

import (
	"os"
	"testing"
)

func TestEnv(t *testing.T)      { os.Getenv("ONE") }
func TestData(t *testing.T)     { os.ReadFile("testdata/d.txt") }
func TestCode(t *testing.T)     { os.ReadFile("testdata/b/b.go") }
func TestNone(t *testing.T)     { os.ReadFile("testdata/none"); os.Stat("none/none") }
func TestSystem(t *testing.T)   { os.ReadFile("/etc/hostname"); os.ReadFile("/none/none") }
func TestTemp(t *testing.T)     { os.WriteFile(t.TempDir()+"/x", nil, 0o666) }
func TestInner(t *testing.T)    { os.ReadFile("in/in.go") }
func TestOther(t *testing.T)    { os.ReadFile("../b/d.txt") }
func TestNoOther(t *testing.T)  { os.ReadFile("../b/none") }
func TestNoFolder(t *testing.T) { os.ReadFile("../none/none") }
func TestParent(t *testing.T)   { os.ReadDir("..") }
func TestGoMod(t *testing.T)    { os.Stat("../go.mod") }
func TestModule(t *testing.T)   { os.ReadFile(os.Getenv("MODULE") + "/b/d.txt") }
func TestChdir(t *testing.T)    { os.Chdir("testdata") }
`,
	})
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	built, _, err := Build(context.Background(), o, prog.Packages, 0)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(built, func(b *Binary) bool { return b.Path == "example.com/m/a" })
	t.Setenv("MODULE", prog.Dir)
	for name, outside := range map[string]bool{
		"Env": false, "Data": false, "Code": true, "None": false, "System": false, "Temp": false, "Inner": true, "Other": true, "NoOther": true,
		"NoFolder": true, "Parent": true, "GoMod": true, "Module": true, "Chdir": true,
	} {
		r, err := built[i].Run(context.Background(), Options{Run: "^Test" + name + "$"}, 0)
		if err != nil || r.Tests["Test"+name] != Pass {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		if r.Outside != outside {
			t.Errorf("%s: outside %v, want %v", name, r.Outside, outside)
		}
		if looks := slices.Contains(r.Variables, "ONE"); looks != (name == "Env") {
			t.Errorf("%s: it looks at %q", name, r.Variables)
		}
	}
}

// TestFolder: what changes the digest of a folder, and what does not.
func TestFolder(t *testing.T) {
	prog := module(t, map[string]string{
		"a.go": "package m\n", "testdata/d.txt": "data", "testdata/b/b.go": "package b\n", "in/in.go": "package in\n", "in/d.txt": "data",
	})
	before, err := Folder(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file    string
		changes bool
	}{{"a.go", true}, {"new", true}, {"testdata/d.txt", true}, {"testdata/b/b.go", false}, {"in/in.go", false}, {"in/d.txt", false}} {
		name := filepath.Join(prog.Dir, tt.file)
		old, readErr := os.ReadFile(name)
		if err := os.WriteFile(name, append(old[:len(old):len(old)], "\n// more\n"...), 0o666); err != nil {
			t.Fatal(err)
		}
		after, err := Folder(prog.Dir)
		if changed := after != before; err != nil || changed != tt.changes {
			t.Errorf("%s: changes %v, %v, want %v", tt.file, changed, err, tt.changes)
		}
		if readErr != nil {
			os.Remove(name)
		} else if err := os.WriteFile(name, old, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
