//go:build unix

package scratch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dsd/internal/scratch/limittest"
)

// TestRemove: a folder that cannot be listed for a moment, since no file can be opened, is removed.
func TestRemove(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(filepath.Base(dir), Prefix) {
		t.Errorf("folder %s, want one that begins with %s", dir, Prefix)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	allow := limittest.NoFiles(t)
	if err := os.RemoveAll(dir); err == nil {
		t.Error("the folder is removed without an open file")
	}
	time.AfterFunc(50*time.Millisecond, allow)
	if err := Remove(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is left: %v", err)
	}
}
