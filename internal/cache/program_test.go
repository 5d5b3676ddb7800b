package cache

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestBuildID: programs that are made from other sources, or otherwise, have other build IDs; what has none is read.
func TestBuildID(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no ELF")
	}
	dir := t.TempDir()
	build := func(source string, flags ...string) string {
		t.Helper()
		file, out := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
		if err := os.WriteFile(file, []byte("package main\n\n"+source), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append(append([]string{"build", "-o", out}, flags...), file)
		if text, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, text)
		}
		return string(buildID(out))
	}
	one := build("func main() {}\n")
	if one == "" || one != build("func main() {}\n") {
		t.Errorf("build ID %q, want the same twice", one)
	}
	for what, other := range map[string]string{
		"another source": build("func main() { println() }\n"),
		"a flag":         build("func main() {}\n", "-gcflags=-N"),
	} {
		if other == one || other == "" {
			t.Errorf("%s: build ID %q, want another one", what, other)
		}
	}
	if none := build("func main() {}\n", "-ldflags=-buildid="); none != "" {
		t.Errorf("build ID %q, want none", none)
	}
	if id := buildID(filepath.Join(dir, "main.go")); id != nil {
		t.Errorf("build ID %q of a file that is no program", id)
	}
	if id, err := Program(); err != nil || id == (ID{}) {
		t.Errorf("this program: %x, %v", id, err)
	}
}
