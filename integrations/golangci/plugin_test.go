package golangci

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestLinter runs the linter on a package with a panic, by the command check of this tree.
func TestLinter(t *testing.T) {
	check := filepath.Join(t.TempDir(), "check")
	cmd := exec.Command("go", "build", "-o", check, "./cmd/check")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/linted\n\ngo 1.22\n",
		"linted.go":    "package linted\n\nfunc At(list []int, i int) int {\n\treturn list[i] // want \"out of range .dsd/index.\"\n}\n",
		"more_test.go": "package linted\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := New(map[string]any{"check": check, "kinds": []string{"index"}})
	if err != nil {
		t.Fatal(err)
	}
	analyzers, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, dir, analyzers[0], "./...")
}
