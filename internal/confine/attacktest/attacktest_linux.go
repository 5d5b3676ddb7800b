package attacktest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A Field is what the module attacks.
type Field struct {
	// Dir is a copy of the module. With the build tag show, its functions panic and attempt nothing.
	Dir string
	// Attacks are the names of its functions that panic if their attempt gets through, but for Control, which
	// always panics.
	Attacks []string

	outside string
	before  string // digest
}

// New makes a field. The environment has a secret, and a file outside of the module is open for writing in this process and
// those that it starts, until the test ends.
func New(t *testing.T) *Field {
	_, here, _, _ := runtime.Caller(0)
	f := &Field{Dir: filepath.Join(t.TempDir(), "attacks"), outside: t.TempDir()}
	if err := os.CopyFS(f.Dir, os.DirFS(filepath.Join(filepath.Dir(here), "testdata", "attacks"))); err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	goEnv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	target := fmt.Sprintf(`package attacks

const (
	outside = %q
	home    = %q
	address = %q
	owner   = %d
	cache   = %q
	goroot  = %q
	module  = %q
)
`, f.outside, home, l.Addr(), os.Getpid(), goEnv("GOMODCACHE"), goEnv("GOROOT"), f.Dir)
	f.write(t, filepath.Join(f.Dir, "target.go"), target)
	precious := filepath.Join(f.outside, "precious")
	f.write(t, precious, "gold")
	open, err := os.OpenFile(precious, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := syscall.Dup(int(open.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	open.Close()
	t.Cleanup(func() { syscall.Close(inherited) })
	t.Setenv("SECRET", "hunter2")
	f.Attacks = attacks(t, f.Dir)
	var list strings.Builder
	list.WriteString("package main\n\nimport \"example.com/attacks\"\n\n" +
		"var list = []struct {\n\tname string\n\tdo   func()\n}{\n")
	for _, name := range append([]string{"Control"}, f.Attacks...) {
		fmt.Fprintf(&list, "\t{%q, attacks.%s},\n", name, name)
	}
	list.WriteString("}\n")
	f.write(t, filepath.Join(f.Dir, "run", "list.go"), list.String())
	f.before = f.digest(t)
	return f
}

func (f *Field) write(t *testing.T, name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// attacks returns the names of the exported functions that make an attempt.
func attacks(t *testing.T, dir string) (names []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.IsExported() && d.Name.Name != "Control" && d.Name.Name != "Report" {
				names = append(names, d.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Check fails the test if anything outside of the module, or the module, is not as it was.
func (f *Field) Check(t *testing.T) {
	t.Helper()
	if after := f.digest(t); after != f.before {
		t.Errorf("it was\n%sand now is\n%s", f.before, after)
	}
	for _, name := range []string{"/tmp/added", "/dev/shm/added", "/etc/added"} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s was made", name)
			os.Remove(name)
		}
	}
	file, err := os.Open(filepath.Join(f.Dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		t.Errorf("the module's file is locked: %v", err)
	}
}

// digest describes the files of the module and outside of it.
func (f *Field) digest(t *testing.T) string {
	var out bytes.Buffer
	for _, dir := range []string{f.Dir, f.outside} {
		err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(name)
			fmt.Fprintf(&out, "%s %v %v %x\n", name, info.Mode(), info.ModTime(), sha256.Sum256(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}
