package source

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"
)

// TestDigest checks that what a module uses of another one belongs to the digest, and what it cannot see does not.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	digest := func() [sha256.Size]byte {
		t.Helper()
		prog, err := Load(context.Background(), filepath.Join(dir, "m"), nil)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := prog.Digest()
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	write("m/go.mod", "module m\n\ngo 1.24\n\nrequire other v0.0.0\n\nreplace other => ../other\n")
	write("m/m.go", "package m\n\nimport \"other\"\n\nfunc F() int { return other.G() }\n")
	write("m/in/in.go", "package in\n")
	write("other/go.mod", "module other\n\ngo 1.24\n")
	write("other/o.go", "package other\n\nfunc G() int { return 1 }\n")
	first := digest()
	if digest() != first {
		t.Error("the digest of the same program is another one")
	}
	write("other/p/p.go", "package p\n")
	if digest() != first {
		t.Error("a package that is not in the build changes the digest")
	}
	write("other/o.go", "package other\n\ntype T struct{}\n\nfunc (T) M() {}\n\nfunc G() int { return 1 }\n")
	second := digest()
	if second == first {
		t.Error("what another module declares does not belong to the digest")
	}
	write("m/in/in.go", "package in\n\nvar x int\n")
	if digest() == second {
		t.Error("a package's source does not belong to the digest")
	}
}
