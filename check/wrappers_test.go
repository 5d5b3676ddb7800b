package check

import (
	"os"
	"path/filepath"
	"testing"

	"dsd/schemas"
)

// TestWrappers: types that embed an interface, and may be nested in each other by value and by pointer, do not make hundreds of questions
// of one call, and what the call panics with is found.
func TestWrappers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module conns\n\ngo 1.22\n", "conns.go": `package conns

type Conn interface{ Name() string }

type Counted struct {
	Conn
	n int
}

type plain struct{ name string }

func (p *plain) Name() string { return p.name }

func IsLong(c Conn) bool {
	return len(c.Name()) > 9
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	doc := run(t, dir, Options{})
	found := map[schemas.Kind]bool{}
	for _, w := range doc.Warnings {
		found[w.Kind] = true
	}
	if !found[schemas.NilDeref] {
		t.Errorf("no warning of a nil Conn that is embedded: %+v", doc.Warnings)
	}
	if n := doc.Stats.Assertions; n > 40 {
		t.Errorf("%d assertions about one call", n)
	}
}
