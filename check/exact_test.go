package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestExact checks the functions of testdata/exact, which its own tests run: those whose names begin
// with Can panic, and are warned of with a counterexample; those that begin with Never do not, and are
// not warned of.
func TestExact(t *testing.T) {
	var can, warned []string
	prog := load(t, "testdata/exact")
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			if strings.HasPrefix(f.Obj.Name(), "Can") {
				can = append(can, f.Obj.Name())
			}
		}
	}
	doc := run(t, "testdata/exact", Options{})
	for _, w := range doc.Warnings {
		name := w.Func[strings.LastIndex(w.Func, ".")+1:]
		if strings.HasPrefix(name, "Never") {
			t.Errorf("%s never panics, and is warned of: %s at %s, %s", name, w.Kind, w.Pos, w.Status)
		}
		if w.Status == schemas.Sat {
			warned = append(warned, name)
		}
	}
	for _, name := range can {
		if !slices.Contains(warned, name) {
			t.Errorf("%s panics, and is not warned of", name)
		}
	}
	for _, s := range doc.Skipped {
		t.Errorf("%s is skipped: %s", s.Func, s.Reason)
	}
}

// TestProgram: a program begins after the initialization of its package and those that it imports; its
// package-level variables have no other values then, and those of the library are not nil.
func TestProgram(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod": "module programs\n\ngo 1.24\n",
		"lib/lib.go": `package lib

var Count = 3

var List []int

func init() {
	for i := range Count {
		List = append(List, i)
	}
}

func Clear() { Count, List = 0, nil }
`,
		"never/main.go": `package main

import (
	"net/http"

	"programs/lib"
)

var order string

func note(s string) string {
	order += s
	return s
}

var second = note("b") + first

var first = note("a")

var _ = note("c")

func main() {
	http.DefaultClient.CloseIdleConnections()
	if lib.List[2] != 2 || order != "abc" || second != "ba" {
		panic("not as Go has it")
	}
	lib.Clear()
}
`,
		"can/main.go": `package main

import "programs/lib"

func main() {
	lib.Clear()
	println(lib.List[2])
}
`,
	})
	var got []string
	for _, w := range run(t, dir, Options{}).Warnings {
		got = append(got, w.Func+" "+w.Pos+" "+string(w.Status))
	}
	if want := []string{"programs/can.main can/main.go:7:14 sat"}; !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// writeModule writes the files of a module, by name, and returns its directory.
func writeModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
