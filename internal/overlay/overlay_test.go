package overlay

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writeModule writes a small module into dir.
func writeModule(t *testing.T, dir string) {
	t.Helper()
	for name, content := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"main.go": "package main\n\nimport \"example.com/m/lib\"\n\n" +
			"func main() { println(lib.Word()) }\n",
		"lib/lib.go": "package lib\n\nfunc Word() string { return \"original\" }\n",
		"lib/lib_test.go": "package lib\n\nimport \"testing\"\n\n" +
			"func TestWord(t *testing.T) { println(\"tested:\", Word()) }\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o444); err != nil {
			t.Fatal(err)
		}
	}
}

// tree returns the names and contents of all files below dir.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var content []byte
			content, err = os.ReadFile(path)
			out.WriteString(path + ":\n" + string(content))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func open(t *testing.T, dir string) *Overlay {
	t.Helper()
	o, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

func run(t *testing.T, o *Overlay, verb string, args ...string) string {
	t.Helper()
	cmd, err := o.Command(context.Background(), verb, args...)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// TestOverlay builds a module with files replaced and added, and with a package that exists only in
// the overlay.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	writeModule(t, dir)
	before := tree(t, dir)
	o := open(t, dir)
	if o.Root != dir {
		t.Errorf("Root is %s, want %s", o.Root, dir)
	}
	add := func(name, content string) {
		t.Helper()
		if err := o.Add(name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, "original\n"},
		{func() { add("lib/lib.go", "package lib\n\nfunc Word() string { return \"replaced\" }\n") },
			"replaced\n"},
		{func() { add("lib/lib.go", "package lib\n\nfunc Word() string { return word() }\n") },
			"undefined: word"},
		{func() { add("lib/added.go", "package lib\n\nfunc word() string { return \"added\" }\n") },
			"added\n"},
		{func() {
			add("lib/added.go",
				"package lib\n\nimport \"example.com/m/internal/virtual\"\n\n"+
					"func word() string { return virtual.Word }\n")
			add("internal/virtual/v.go", "package virtual\n\nconst Word = \"virtual\"\n")
		}, "virtual\n"},
		{func() { o.Remove("lib/added.go"); o.Remove("lib/lib.go") }, "original\n"},
	} {
		step.do()
		if got := run(t, o, "run", "."); !strings.Contains(got, step.want) {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}

	// Tests see the overlay, too.
	add("lib/lib.go",
		"package lib\n\nimport \"example.com/m/internal/virtual\"\n\n"+
			"func Word() string { return virtual.Word }\n")
	if got := run(t, o, "test", "-v", "./lib"); !strings.Contains(got, "tested: virtual\n") ||
		!strings.Contains(got, "ok") {
		t.Errorf("go test printed %q", got)
	}
	// The compiler's errors name the file.
	add("lib/lib.go", "package lib\n\nfunc Word() string { return 5 }\n")
	if got := run(t, o, "build", "./lib"); !strings.Contains(got, "lib.go:3:29: cannot use 5") {
		t.Errorf("go build printed %q", got)
	}

	if after := tree(t, dir); after != before {
		t.Errorf("the module was written to: got\n%s\nwant\n%s", after, before)
	}
	if err := o.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(o.Scratch); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the scratch directory is still there: %v", err)
	}
}

// TestModuleCache checks that a module in the module cache is copied, and that the copy can be
// written to.
func TestModuleCache(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("GOMODCACHE", cache)
	dir := filepath.Join(cache, "example.com", "m@v1.0.0")
	writeModule(t, dir)
	if err := os.Symlink("main.go", filepath.Join(dir, "link.go")); err != nil {
		t.Fatal(err)
	}
	o := open(t, dir)
	if o.Root == dir || !strings.HasPrefix(o.Root, o.Scratch) {
		t.Fatalf("Root is %s, want a directory below %s", o.Root, o.Scratch)
	}
	if err := o.Add("lib/lib.go",
		[]byte("package lib\n\nfunc Word() string { return \"copied\" }\n")); err != nil {
		t.Fatal(err)
	}
	if got := run(t, o, "run", "."); got != "copied\n" {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(filepath.Join(o.Root, "main.go"), nil, 0o666); err != nil {
		t.Errorf("the copy cannot be written to: %v", err)
	}
	// A directory beside the cache whose name begins with the cache's is not in it.
	near := cache + "-near"
	writeModule(t, near)
	defer os.RemoveAll(near)
	if o := open(t, near); o.Root != near {
		t.Errorf("%s was copied to %s", near, o.Root)
	}
}

// TestTemporary: what the go command and the C compiler leave in TMPDIR when they are killed goes with Scratch, and the
// programs that the go command runs have the user's TMPDIR.
func TestTemporary(t *testing.T) {
	dir := t.TempDir()
	writeModule(t, dir)
	o := open(t, dir)
	t.Setenv("TMPDIR", "/the/user's")
	for _, tt := range []struct {
		verb, flag string
		want       string
	}{
		{"build", "-v", o.Scratch}, {"test", "-c", o.Scratch}, {"test", "-v", "/the/user's"}, {"run", ".", "/the/user's"},
	} {
		cmd, err := o.Command(context.Background(), tt.verb, tt.flag)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, v := range cmd.Env {
			if value, ok := strings.CutPrefix(v, "TMPDIR="); ok {
				got = value
			}
		}
		if got != tt.want {
			t.Errorf("go %s %s: got TMPDIR=%s, want %s", tt.verb, tt.flag, got, tt.want)
		}
	}
}

// TestCompiling: only a go command that runs nothing of the testee's has the settings of the garbage collector
// that make it faster, and those of the user stay.
func TestCompiling(t *testing.T) {
	dir := t.TempDir()
	writeModule(t, dir)
	o := open(t, dir)
	for _, tt := range []struct {
		user, verb, flag string
		want             bool
	}{
		{"", "build", "-v", true}, {"", "test", "-c", true}, {"", "test", "-v", false}, {"", "run", ".", false},
		{"50", "build", "-v", false},
	} {
		os.Unsetenv("GOMEMLIMIT")
		t.Setenv("GOGC", tt.user)
		if tt.user == "" {
			os.Unsetenv("GOGC")
		}
		cmd, err := o.Command(context.Background(), tt.verb, tt.flag)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(cmd.Env, "GOGC=400"); got != tt.want {
			t.Errorf("GOGC=%s go %s %s: got GOGC=400 %v, want %v", tt.user, tt.verb, tt.flag, got, tt.want)
		}
	}
}
