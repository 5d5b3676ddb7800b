package record

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSame checks that a program prints the same whether it is recorded or not, in each mode.
func TestSame(t *testing.T) {
	dir := filepath.Join("testdata", "same")
	bin := filepath.Join(t.TempDir(), "same")
	build := exec.Command("go", "build", "-o", bin, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(bin string) string {
		t.Helper()
		out, err := exec.Command(bin).CombinedOutput()
		exit, ok := err.(*exec.ExitError)
		if !ok || exit.ExitCode() != 3 {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	want := run(bin)
	for _, mode := range []string{"reference", "used", "shallow", "deep", "running", "running used"} {
		opt := Options{Copy: mode}
		if copy, ok := strings.CutPrefix(mode, "running"); ok {
			opt = Options{Copy: strings.TrimSpace(copy), Running: true, SecondChance: filepath.Join(t.TempDir(), "chance")}
		}
		s, err := Open(t.Context(), dir, opt)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var out strings.Builder
		recorded := bin + mode
		command := []string{"go", "build", "-o", recorded, "."}
		status, err := s.Run(t.Context(), command, nil, &out, &out)
		if status != 0 || err != nil {
			t.Fatalf("%s: status %d, %v\n%s", mode, status, err, out.String())
		}
		if got := run(recorded); got != want {
			t.Errorf("%s: it prints\n%s\nwant\n%s", mode, got, want)
		}
		if s.Functions() < 20 {
			t.Errorf("%s: %d functions are recorded, want 20 or more", mode, s.Functions())
		}
	}
}
