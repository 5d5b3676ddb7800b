package since

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"dsd/internal/source"
)

// TestRead changes a module in a git repository, and looks which functions can behave otherwise.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, "sub", filepath.FromSlash(name)) // the module is below the root of the repository
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	a := `package a

type Shape interface{ Side() int }

type Box struct{ n int }

func (b Box) Side() int { return b.n }

const Most = 3

func Low(i int) int { return i }

func Mid(i int) int { return Low(i) + 1 }

func Alone() int { return 1 }

func Any(s Shape) int { return s.Side() }

var Table = map[string]func(int) int{"low": Low}

func ByName(s string) int { return Table[s](1) }

var Doubled = 2 * Low(Alone())

func init() { Doubled = Mid(Doubled) }

var later = func() int { return Low(Most) }
`
	b := `package b

import "example.com/m/a"

func Top() int { return a.Mid(a.Most) }

func Other() int { return a.Alone() }
`
	write("go.mod", "module example.com/m\n\ngo 1.24\n")
	write("a/a.go", a)
	write("b/b.go", b)
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")

	all := "a.(*).* all"
	for _, tt := range []struct {
		name  string
		edits map[string]string // of a/a.go
		files map[string]string
		want  string
		// distances are those of some functions from the change.
		distances map[string]int
	}{
		{"nothing", nil, nil, "", nil},
		{"a comment, and lines", map[string]string{"func Low": "\n\n// Low is.\nfunc Low"}, nil, "", nil},
		{"arguments on lines of their own", map[string]string{"func Mid(i int) int {": "func Mid(\n\ti int,\n) int {"}, nil, "", nil},
		{"a function", map[string]string{"{ return i }": "{ return i + 1 }"}, nil, "a.ByName a.Low a.Mid a.init a.init.0 a.init.func1 b.Top",
			map[string]int{"Low": 0, "Mid": 1, "Top": 2}},
		{"a constant", map[string]string{"Most = 3": "Most = 4"}, nil, "a.init.func1 b.Top", nil},
		{"a method that is called through an interface", map[string]string{"return b.n": "return -b.n"}, nil, "a.Any a.Box.Side", nil},
		{"a type", map[string]string{"struct{ n int }": "struct{ n, m int }"}, nil, "a.Any a.Box.Side", nil},
		{"a new file", nil, map[string]string{"a/new.go": "package a\n\nfunc New() int { return Low(1) }\n"}, "a.New", nil},
		{"a file that is moved", map[string]string{"func Alone() int { return 1 }\n": ""},
			map[string]string{"a/moved.go": "package a\n\nfunc Alone() int { return 1 }\n"}, "", nil},
		{"requirements", nil, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24.1\n"}, all, nil},
	} {
		text := a
		for from, to := range tt.edits {
			if !strings.Contains(text, from) {
				t.Fatalf("%s: %q is not there", tt.name, from)
			}
			text = strings.Replace(text, from, to, 1)
		}
		write("a/a.go", text)
		for name, text := range tt.files {
			write(name, text)
		}
		prog, err := source.Load(context.Background(), filepath.Join(dir, "sub"), nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Read(context.Background(), prog, "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		n := 0
		for _, pkg := range prog.Packages {
			literals, _ := pkg.Literals()
			for _, f := range slices.Concat(pkg.Funcs(), pkg.Initializers(), pkg.Inits(), literals) {
				n++
				if c.Has(f) {
					got = append(got, strings.TrimPrefix(f.Name, "example.com/m/"))
				}
				if want, ok := tt.distances[f.Obj.Name()]; ok && c.Distance(f) != want {
					t.Errorf("%s: %s is %d from the change, want %d", tt.name, f.Name, c.Distance(f), want)
				}
			}
		}
		sort.Strings(got)
		if tt.want == all && len(got) != n || tt.want != all && fmt.Sprint(got) != "["+tt.want+"]" {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
		if tt.want == all {
			if _, err := Read(context.Background(), prog, "none"); err == nil || err.Error() != "git knows no revision none here" {
				t.Errorf("an unknown revision: %v", err)
			}
		}
		git("checkout", "-q", ".")
		git("clean", "-fdq")
	}
	prog, err := source.Load(context.Background(), filepath.Join(dir, "sub"), nil)
	if err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(filepath.Join(dir, ".git"))
	if _, err := Read(context.Background(), prog, "HEAD"); err == nil {
		t.Error("no error without a repository")
	}
}
