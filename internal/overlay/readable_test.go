package overlay

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestReadable: the modules of a workspace, and those that replace others, are readable, and nothing else beside the
// toolchain's.
func TestReadable(t *testing.T) {
	top := t.TempDir()
	for name, text := range map[string]string{
		"work/go.work":   "go 1.21\n\nuse ./a\nuse (\n\t./b // the second\n\t\"../c d\"\n)\n\nreplace example.com/x => ../x\n",
		"work/a/go.mod":  "module example.com/a\n\ngo 1.21\n\nreplace (\n\texample.com/y v1.0.0 => ../../y\n\texample.com/z => example.com/zz v1.0.0\n)\n",
		"work/b/go.mod":  "module example.com/b\n\ngo 1.21\n\nreplace example.com/w => " + filepath.Join(top, "w") + "\n",
		"work/a/a.go":    "package a\n",
		"work/b/b.go":    "package b\n",
		"c d/go.mod":     "module example.com/c\n",
		"y/go.mod":       "module example.com/y\n",
		"x/go.mod":       "module example.com/x\n",
		"w/go.mod":       "module example.com/w\n",
		"secret/private": "x",
	} {
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o, err := Open(filepath.Join(top, "work", "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	var got []string
	for _, dir := range o.Readable() {
		if rel, err := filepath.Rel(top, dir); err == nil && filepath.IsLocal(rel) {
			got = append(got, filepath.ToSlash(rel))
		}
	}
	if want := []string{"work/a", "work/b", "x", "w", "y"}; !slices.Equal(got, sorted(want)) {
		t.Errorf("got %q, want %q", got, sorted(want))
	}
	if all := o.Readable(); !slices.Contains(all, o.moduleCache) || !slices.Contains(all, o.toolchain) || !slices.Contains(all, o.Scratch) {
		t.Errorf("got %q", all)
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
