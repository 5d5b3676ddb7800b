package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
)

// TestOtherProgram: the crash of another program in the second-chance file is said to be that.
func TestOtherProgram(t *testing.T) {
	dir := program(t, "example.com/overflowing", overflowing)
	chance := filepath.Join(t.TempDir(), "chance.txt")
	text := "panic: x\n\ngoroutine 1 [running]:\nexample.com/other.F(...)\n\t/build/other.go:3\n"
	if err := os.WriteFile(chance, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), dir, Options{SecondChance: chance, File: filepath.Join(t.TempDir(), "recording.json")})
	if !errors.Is(err, source.ErrNoPackages) || !strings.Contains(err.Error(), "functions of the crash in "+chance) {
		t.Errorf("got %v, want that no package has functions of the crash", err)
	}
}
