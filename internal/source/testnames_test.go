package source

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTestNames checks which names the test files of a package take.
func TestTestNames(t *testing.T) {
	dir := t.TempDir()
	pkg := &Package{Name: "p"}
	for name, text := range map[string]string{
		"a_test.go": "package p\n\nimport \"os\"\n\nvar a, b = 1, os.Args\n\nconst c = 2\n\n" +
			"type d struct{}\n\nfunc e() { var local int; _ = local }\n\nfunc (d) method() {}\n",
		"x_test.go":      "package p_test\n\nvar external int\n",
		"broken_test.go": "package p\n\nvar broken =",
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		pkg.TestFiles = append(pkg.TestFiles, file)
	}
	for range 2 { // the second time without reading the files, and whatever was done with the first result
		names := pkg.TestNames()
		got := slices.Sorted(maps.Keys(names))
		if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		clear(names)
		os.RemoveAll(dir)
	}
}
