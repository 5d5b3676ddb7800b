package stack

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dsd/schemas"
)

var (
	rerun = flag.Bool("rerun", false,
		"run the crashing programs of testdata/panics again and store their output")
	update = flag.Bool("update", false, "store what Parse and Read return for the texts in testdata")
)

// archive is a file of testdata. Its sections begin with lines like "-- name --":
//
//	run     the command that crashed, in testdata/panics; "panics" is that program, built with
//	        -trimpath
//	output  what it printed
//	want    what Parse makes of it: the kind and the message, then one line per frame
type archive map[string]string

var sections = []string{"run", "output", "want"}

func readArchive(t testing.TB, file string) archive {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a := archive{}
	name := ""
	for _, line := range strings.SplitAfter(string(text), "\n") {
		l := strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(l, "-- ") && strings.HasSuffix(l, " --") &&
			slices.Contains(sections, l[3:max(3, len(l)-3)]) {
			name = l[3 : len(l)-3]
			a[name] = ""
		} else {
			a[name] += line
		}
	}
	return a
}

func (a archive) write(t testing.TB, file string) {
	t.Helper()
	var out bytes.Buffer
	for _, name := range sections {
		if text, ok := a[name]; ok {
			fmt.Fprintf(&out, "-- %s --\n%s", name, text)
		}
	}
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// show prints a Panic as in the archives.
func show(p *Panic) string {
	if p == nil {
		return "nothing\n"
	}
	s := fmt.Sprintf("%s: %s\n", p.Kind, p.Message)
	for _, f := range p.Frames {
		s += fmt.Sprintf("%s %s:%d\n", f.Func, f.File, f.Line)
	}
	return s
}

// TestParse parses the output of real crashes.
func TestParse(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Ext(file) == "" })
	if *rerun {
		crash(t, files)
	}
	seen := map[schemas.Kind]bool{}
	for _, file := range files {
		if filepath.Ext(file) != ".txt" {
			t.Errorf("%s is not an archive", file)
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			a := readArchive(t, file)
			p := Parse(a["output"])
			if p != nil {
				seen[p.Kind] = true
			}
			got := show(p)
			if *update {
				a["want"] = got
				a.write(t, file)
			}
			if got != a["want"] {
				t.Errorf("%s: got\n%swant\n%s", a["run"], got, a["want"])
			}
		})
	}
	for _, k := range schemas.Kinds {
		if !seen[k] {
			t.Errorf("no archive has a panic of kind %s", k)
		}
	}
	for k := range seen {
		if !slices.Contains(schemas.Kinds, k) {
			t.Errorf("kind %s is not in schemas.Kinds", k)
		}
	}
}

// crash runs the commands of the archives and stores their output.
func crash(t *testing.T, files []string) {
	dir := filepath.Join(os.TempDir(), "panics") // the outputs contain this path
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS("testdata/panics")); err != nil {
		t.Fatal(err)
	}
	run := func(command string) string {
		words := strings.Fields(command)
		cmd := exec.Command("env", words...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "GOTRACEBACK=")
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		return string(out)
	}
	if out := run("go build -trimpath ."); out != "" {
		t.Fatal(out)
	}
	for _, file := range files {
		if a := readArchive(t, file); a["run"] != "" {
			a["output"] = run(strings.TrimSpace(a["run"]))
			a.write(t, file)
		}
	}
}

// TestCases checks that there is an archive for every case of the program.
func TestCases(t *testing.T) {
	source, err := os.ReadFile("testdata/panics/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\bcase "(.+)":`).FindAllStringSubmatch(string(source), -1) {
		if _, err := os.Stat("testdata/" + m[1] + ".txt"); err != nil {
			t.Error(err)
		}
	}
}

// TestParseOther parses texts of other versions of Go, and texts that only resemble panics.
func TestParseOther(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", "nothing\n"},
		{"a log", "ok  \tm\t0.1s\nthe panic: was averted\n\tpanic: no\n", "nothing\n"},
		{"message alone", "panic: runtime error: integer divide by zero",
			"div-zero: runtime error: integer divide by zero\n"},
		{"no frames", "panic: x\n\ngoroutine 1 [running]:\n", "explicit-panic: x\n"},
		{"goroutine cut off", "panic: x\n\ngoroutine 1 [running]:\nmain.main()", "explicit-panic: x\n"},
		{"after a panic of another program", `panic: deadlock detected

panic: runtime error: index out of range [1] with length 1

goroutine 1 [running]:
m.F(...)
	/home/me/m/m.go:4
`, "index: runtime error: index out of range [1] with length 1\nm.F /home/me/m/m.go:4\n"},
		{"recovered by tests, before Go 1.23", `--- FAIL: TestF (0.00s)
panic: runtime error: index out of range [5] with length 3 [recovered]
	panic: runtime error: index out of range [5] with length 3

goroutine 6 [running]:
testing.tRunner.func1.2({0x4f1a40, 0xc0000b4000})
	/usr/local/go/src/testing/testing.go:1545 +0x238
testing.tRunner.func1()
	/usr/local/go/src/testing/testing.go:1548 +0x397
panic({0x4f1a40?, 0xc0000b4000?})
	/usr/local/go/src/runtime/panic.go:914 +0x21f
m.F(...)
	/home/me/m/m.go:4
m.TestF(0x0?)
	/home/me/m/m_test.go:5 +0x1d
testing.tRunner(0xc0000a2820, 0x50cd08)
	/usr/local/go/src/testing/testing.go:1595 +0xff
created by testing.(*T).Run in goroutine 1
	/usr/local/go/src/testing/testing.go:1648 +0x3ad
FAIL	m	0.004s
`, `index: runtime error: index out of range [5] with length 3
m.F /home/me/m/m.go:4
m.TestF /home/me/m/m_test.go:5
testing.tRunner /usr/local/go/src/testing/testing.go:1595
`},
		{"Go 1.12: no numbers, frames of the runtime", `panic: runtime error: index out of range

goroutine 18 [running, locked to thread]:
panic(0x45c300, 0x4b6420)
	/usr/lib/go/src/runtime/panic.go:522 +0x1b5
main.(*T).M(0xc000056f78, 0x5, 0x5)
	/home/my projects/t.go:7 +0x44
created by main.main
	/home/my projects/t.go:12 +0x66
exit status 2
`, `index: runtime error: index out of range
main.(*T).M /home/my projects/t.go:7
`},
		{"another goroutine is printed first", `panic: boom

goroutine 9 [chan receive]:
main.wait()
	/t.go:1 +0x1

goroutine 10 [running]:
main.boom()
	/t.go:2 +0x1

goroutine 11 [running]:
main.other()
	/t.go:3 +0x1
`, "explicit-panic: boom\nmain.boom /t.go:2\n"},
		{"Windows", "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\tC:/src/t.go:2 +0x1\n",
			"explicit-panic: boom\nmain.main C:/src/t.go:2\n"},
		{"the runtime's debug package is not the runtime",
			"panic: boom\n\ngoroutine 1 [running]:\n" +
				"runtime/debug.Stack()\n\t/s.go:24 +0x5e\n" +
				"runtime.Goexit()\n\t/p.go:1 +0x1\n" +
				"main.main()\n\t/t.go:2 +0x1\n",
			"explicit-panic: boom\nruntime/debug.Stack /s.go:24\nmain.main /t.go:2\n"},
		{"the first of two crashes",
			"panic: one\n\ngoroutine 1 [running]:\nmain.a()\n\t/t.go:2 +0x1\n\n" +
				"panic: two\n\ngoroutine 1 [running]:\nmain.b()\n\t/t.go:3 +0x1\n",
			"explicit-panic: one\nmain.a /t.go:2\n"},
	} {
		if got := show(Parse(test.text)); got != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.name, got, test.want)
		}
	}
}

// FuzzParse checks the form of what Parse returns, and that it does not depend on later output.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if text := readArchive(f, file)["output"]; len(text) < 4000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := Parse(text)
		if p == nil {
			if strings.HasPrefix(text, "panic: ") {
				t.Fatalf("Parse(%q) = nil", text)
			}
			return
		}
		if !slices.Contains(schemas.Kinds, p.Kind) {
			t.Fatalf("%q: kind %q is not in schemas.Kinds", text, p.Kind)
		}
		if strings.Contains(p.Message, "\n") || !strings.Contains(text, p.Message) {
			t.Fatalf("%q: message %q", text, p.Message)
		}
		for _, f := range p.Frames {
			if f.Func == "" || f.File == "" || f.Line < 0 || f.Func == "panic" ||
				strings.HasPrefix(f.Func, "runtime.") {
				t.Fatalf("%q: frame %+v", text, f)
			}
		}
		if got, want := show(Parse(text+"\n\nexit status 2\n")), show(p); got != want {
			t.Fatalf("%q: got %s, want %s with more output after it", text, got, want)
		}
	})
}

// TestRevision: the ways in which a text says what its program was built from.
func TestRevision(t *testing.T) {
	const panicked = "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/m/main.go:3 +0x1\n"
	for _, line := range []string{
		"\tbuild\tvcs.revision=0123456789abcdef0123456789abcdef01234567",
		`time=2024-01-01 level=INFO msg=start vcs.revision=0123456789abcdef0123456789abcdef01234567 dirty=false`,
		`{"msg":"start","vcs.revision":"0123456789abcdef0123456789abcdef01234567"}`,
		`{vcs.revision 0123456789abcdef0123456789abcdef01234567}`,
		`{Key:vcs.revision Value:0123456789abcdef0123456789abcdef01234567}`,
		`{"Key":"vcs.revision","Value":"0123456789abcdef0123456789abcdef01234567"}`,
	} {
		if p := Read(line + "\n" + panicked); p == nil || p.Revision != "0123456789abcdef0123456789abcdef01234567" {
			t.Errorf("%s: %+v", line, p)
		}
	}
	if p := Read("vcs.revision=unknown\n" + panicked); p.Revision != "" {
		t.Errorf("a revision %q", p.Revision)
	}
}
