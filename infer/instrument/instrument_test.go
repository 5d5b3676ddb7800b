package instrument

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"dsd/infer/instrument/observe"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

var update = flag.Bool("update", false, "rewrite testdata/golden")

func load(t *testing.T, dir string) *source.Program {
	t.Helper()
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestGolden compares the rewritten files of testdata/shapes, and the points, with testdata/golden.
// The flag -update rewrites these.
func TestGolden(t *testing.T) {
	res := Rewrite(load(t, "testdata/shapes"), DefaultDepth)
	got := map[string]string{}
	for name, text := range res.Files {
		if strings.HasPrefix(name, RuntimeDir) || name == "run.go" {
			continue
		}
		got[strings.ReplaceAll(name, "/", "_")+".golden"] = string(text)
	}
	var points strings.Builder
	for i, p := range res.Points {
		fmt.Fprintf(&points, "%d %s %s", i, p.Func, p.At)
		if p.Interface {
			fmt.Fprint(&points, " of an interface")
		}
		fmt.Fprintln(&points)
		for _, c := range p.Conditions {
			fmt.Fprintf(&points, "\tasked: %s\n", c)
		}
		for _, v := range p.Vars {
			fmt.Fprintf(&points, "\t%s %s: %s", v.Name, v.Type, v.Rep)
			if v.Pointer != "" {
				fmt.Fprintf(&points, " if %s", v.Pointer)
			}
			fmt.Fprintln(&points)
		}
	}
	for _, s := range res.Skipped {
		fmt.Fprintf(&points, "skipped %s: %s\n", s.Name, s.Reason)
	}
	got["points.golden"] = points.String()

	if *update {
		if err := os.RemoveAll("testdata/golden"); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata/golden", 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range got {
			if err := os.WriteFile("testdata/golden/"+name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		want, err := os.ReadFile("testdata/golden/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		text, ok := got[f.Name()]
		if !ok {
			t.Errorf("testdata/golden/%s: Rewrite makes no such file", f.Name())
		} else if text != string(want) {
			t.Errorf("%s: %s", f.Name(), difference(text, string(want)))
		}
		delete(got, f.Name())
	}
	for name := range got {
		t.Errorf("Rewrite makes %s, which testdata/golden lacks", name)
	}
}

// difference returns the first line in which two texts differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			line := ""
			if i < len(b) {
				line = b[i]
			}
			return fmt.Sprintf("line %d: got\n%s\nwant\n%s", i+1, a[i], line)
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(a), len(b))
}

// TestDeterminism checks that two runs on one testee give the same files and points.
func TestDeterminism(t *testing.T) {
	a := Rewrite(load(t, "testdata/shapes"), DefaultDepth)
	b := Rewrite(load(t, "testdata/shapes"), DefaultDepth)
	for name := range a.Files {
		if x, y := string(a.Files[name]), string(b.Files[name]); x != y {
			t.Errorf("%s: %s", name, difference(x, y))
		}
	}
	if x, y := fmt.Sprint(a.Points, a.Skipped), fmt.Sprint(b.Points, b.Skipped); x != y {
		t.Errorf("points of the first run\n%s\nof the second\n%s", x, y)
	}
}

// lines returns the tokens and comments of a source, by line (from 1).
func lines(t *testing.T, name string, src []byte) [][]string {
	t.Helper()
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(src))
	var s scanner.Scanner
	fail := func(pos token.Position, msg string) { t.Fatalf("%v: %s", pos, msg) }
	s.Init(file, src, fail, scanner.ScanComments)
	out := make([][]string, bytes.Count(src, []byte("\n"))+2)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		at := file.PositionFor(pos, false).Line
		out[at] = append(out[at], lit)
	}
}

// TestLinesStay checks that every token of the source is on its line in the rewritten text, except
// those that a redirected call does without, in the same order, and that declarations stay where
// they are.
func TestLinesStay(t *testing.T) {
	prog := load(t, "testdata/shapes")
	res := Rewrite(prog, DefaultDepth)
	var dropped []string
	for _, pkg := range prog.Packages {
		for i, name := range pkg.Filenames {
			rel, err := filepath.Rel(prog.Dir, name)
			if err != nil {
				t.Fatal(err)
			}
			text, ok := res.Files[filepath.ToSlash(rel)]
			if !ok {
				continue // left as it is
			}
			before, after := lines(t, name, pkg.Sources[i]), lines(t, name, text)
			if len(before) != len(after) {
				t.Errorf("%s has %d lines, had %d", rel, len(after), len(before))
				continue
			}
			for n := range before {
				redirected := slices.ContainsFunc(after[n], func(tok string) bool {
					return strings.HasPrefix(tok, "_dsd_via")
				})
				rest := slices.Clone(after[n])
				for _, tok := range before[n] {
					j := slices.Index(rest, tok)
					switch {
					case j >= 0 && redirected: // in another order
						rest = slices.Delete(rest, j, j+1)
					case j >= 0:
						rest = rest[j+1:]
					case tok == "." || tok == "(" || token.IsIdentifier(tok) || tok[0] == '/':
						// i.M(x) becomes _dsd_via0(i, x), without the dot,
						// the name, and comments between them. Blank
						// results get a name.
						dropped = append(dropped, fmt.Sprintf("%s:%d:%s", rel, n, tok))
					default:
						t.Errorf("%s:%d: %s is lost:\ngot  %q\nwant %q",
							rel, n, tok, after[n], before[n])
					}
				}
			}
			fset := token.NewFileSet()
			mode := parser.ParseComments | parser.SkipObjectResolution
			file, err := parser.ParseFile(fset, name, text, mode)
			if err != nil {
				t.Fatal(err)
			}
			all := len(file.Decls)
			decls := slices.DeleteFunc(file.Decls, importsRuntime)
			if len(decls) != all-1 {
				t.Errorf("%s imports the runtime %d times, want 1", rel, all-len(decls))
			}
			old := pkg.Files[i].Decls
			if len(decls) != len(old) {
				t.Errorf("%s has %d declarations, want %d", rel, len(decls), len(old))
				continue
			}
			for j, d := range old {
				want := [2]int{prog.Fset.Position(d.Pos()).Line, prog.Fset.Position(d.End()).Line}
				got := [2]int{fset.Position(decls[j].Pos()).Line, fset.Position(decls[j].End()).Line}
				if got != want {
					t.Errorf("%s: declaration %d has the lines %v, want %v", rel, j, got, want)
				}
			}
		}
	}
	if len(dropped) != 42 {
		t.Errorf("%d tokens were dropped, want 42: %q", len(dropped), dropped)
	}
}

// importsRuntime reports whether a declaration is the import of the runtime.
func importsRuntime(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT &&
		strings.Contains(g.Specs[0].(*ast.ImportSpec).Path.Value, RuntimeDir)
}

// rewritten returns an overlay of a module's instrumented sources.
func rewritten(t *testing.T, prog *source.Program) (*overlay.Overlay, *Result) {
	t.Helper()
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	res := Rewrite(prog, DefaultDepth)
	for name, text := range res.Files {
		if err := o.Add(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return o, res
}

// goRun runs a command of the module. It returns the output, and the directory with the samples.
func goRun(t *testing.T, o *overlay.Overlay, args ...string) (out, samples string) {
	t.Helper()
	samples = t.TempDir()
	cmd, err := o.Command(context.Background(), "run", args...)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Environ(), "DSD_TRACE="+samples)
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text), samples
}

// TestRun checks that the instrumented program prints the same, with the same line numbers, that
// every sample has the form that its point declares, and the samples of some points.
func TestRun(t *testing.T) {
	prog := load(t, "testdata/shapes")
	plain, err := overlay.Open(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	want, nothing := goRun(t, plain, "./cmd")
	if files, err := os.ReadDir(nothing); err != nil || len(files) != 0 {
		t.Errorf("without instrumentation, the program writes %v (%v)", files, err)
	}
	o, res := rewritten(t, prog)
	got, dir := goRun(t, o, "./cmd")
	if got != want {
		t.Errorf("instrumented it prints\n%swant\n%s", got, want)
	}

	files, err := filepath.Glob(dir + "/samples-*")
	if err != nil || len(files) != 1 {
		t.Fatalf("the files of samples are %v (%v), want one", files, err)
	}
	counts, err := os.ReadFile(strings.Replace(files[0], "samples-", "counts-", 1))
	if err != nil {
		t.Fatal(err)
	}
	text, err := observe.Samples(files[0], counts)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	samples := map[string][]string{} // by point: "func at"
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		fields := strings.Split(line, "\t")
		n, err := strconv.Atoi(fields[0])
		if err != nil || n >= len(res.Points) {
			t.Fatalf("sample %q: unknown point", line)
		}
		seen[n] = true
		p := res.Points[n]
		if fields = fields[1:]; len(fields) != len(p.Vars) {
			t.Errorf("%s %s: sample %q has %d values, want %d",
				p.Func, p.At, line, len(fields), len(p.Vars))
			continue
		}
		of := map[string]string{}
		for i, v := range p.Vars {
			of[v.Name] = fields[i]
			if !fits(v, fields[i]) {
				t.Errorf("%s %s: %s has the value %s, want the form of %s",
					p.Func, p.At, v.Name, fields[i], v.Rep)
			}
			if v.Pointer == "" || strings.HasPrefix(v.Name, "old(") {
				continue
			}
			at := of[v.Pointer]
			if (at == "nil" || at == "-") != (fields[i] == "-") {
				t.Errorf("%s %s: %s is %s, but %s is %s",
					p.Func, p.At, v.Name, fields[i], v.Pointer, at)
			}
		}
		name := strings.TrimPrefix(p.Func, "example.com/shapes") + " " + string(p.At)
		samples[name] = append(samples[name], strings.Join(fields, " "))
	}
	for i, p := range res.Points {
		if !seen[i] && !strings.Contains(p.Func, "Box[...]") {
			t.Logf("no sample of %s %s", p.Func, p.At)
		}
	}
	for _, test := range []struct{ point, want string }{
		{".oneResult entry", "1"},
		{".oneResult exit", "1 2"},
		{".results entry", `0 "a" 1; 1 ~fbaeb052d537903d 120`},
		{".results exit",
			`0 "a" 1 0 "" 0 "*errors.errorString"; 1 ~fbaeb052d537903d 120 1 ~fbaeb052d537903d 120 nil`},
		{".namedResults exit", "3 1.5 nil"},
		{".blanks exit", "true 1 true"},
		{".variadic entry", `"a" 1 nil 0 []; "b" 1 0 2 [1 2]; "c" 1 0 1 [1]`},
		{".hidden entry", "5 10"}, // parameter count, variable Limit
		{".recovers exit", "1 5"}, // returns after all
		{".goexit entry", "1 0"},
		{".goexit exit", ""}, // does not return
		{".fact entry", "3; 2; 1"},
		{".fact exit", "1 1; 2 2; 3 6"},
	} {
		if got := strings.Join(samples[test.point], "; "); got != test.want {
			t.Errorf("%s has the samples %s, want %s", test.point, got, test.want)
		}
	}
	// A call that panics has an entry and no exit.
	if a, b := len(samples[".manyLines entry"]), len(samples[".manyLines exit"]); a != 2 || b != 1 {
		t.Errorf("manyLines has %d entries and %d exits, want 2 and 1", a, b)
	}
}

// TestBehavior checks that corners of the language behave the same in an instrumented program. The
// program prints something for each.
func TestBehavior(t *testing.T) {
	cases := []struct{ name, src string }{
		{"a nil interface panics where it is called", `
			defer func() { fmt.Println(recover()) }()
			var i I
			i.Arg(say("argument"))`},
		{"operands are evaluated from left to right", `
			get := func(n int) I { say(fmt.Sprint("get ", n)); return T{n} }
			get(1).Arg(say("one")).Arg(say("two")).Arg(fmt.Sprint(get(2).Two()))`},
		{"deferred arguments are evaluated at once", `
			var i I = T{1}
			x := "before"
			func() { defer i.Arg(x); x = "after"; i = T{2} }()`},
		{"a pointer in an interface is changed", `
			p := &P{}
			var i I = p
			i.Arg("x")
			fmt.Println(p.last)`},
		{"a method that recovers", `
			func() { var i I = T{1}; defer i.Recover(); panic("in the body") }()`},
		{"deferring a call of a nil interface", `
			defer func() { fmt.Println(recover()) }()
			var i I
			defer i.Two()
			fmt.Println("not reached")`},
	}
	var main strings.Builder
	for i, c := range cases {
		fmt.Fprintf(&main, "case \"%d\":\n%s\n", i, c.src)
	}
	prog := load(t, module(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"main.go": `package main

import (
	"fmt"
	"os"
)

type I interface {
	Arg(s string) I
	Two() (int, string)
	Recover()
}

type T struct{ n int }

func (t T) Arg(s string) I     { fmt.Println("T.Arg", t.n, s); return T{t.n + 1} }
func (t T) Two() (int, string) { return t.n, "two" }
func (t T) Recover()           { fmt.Println("recovered", recover()) }

type P struct{ last string }

func (p *P) Arg(s string) I     { p.last = s; return p }
func (p *P) Two() (int, string) { return 0, p.last }
func (p *P) Recover()           {}

func say(s string) string { fmt.Println(s); return s }

func main() {
	switch os.Args[1] {
	` + main.String() + "}\n}\n",
	}))
	plain, err := overlay.Open(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	instrumented, _ := rewritten(t, prog)
	build := func(o *overlay.Overlay) string {
		binary := filepath.Join(o.Scratch, "main")
		cmd, err := o.Command(context.Background(), "build", "-o", binary, ".")
		if err != nil {
			t.Fatal(err)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return binary
	}
	before, after := build(plain), build(instrumented)
	t.Setenv("DSD_TRACE", t.TempDir())
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want, err := exec.Command(before, strconv.Itoa(i)).CombinedOutput()
			if err != nil || len(want) == 0 {
				t.Fatalf("%v\n%s", err, want)
			}
			got, err := exec.Command(after, strconv.Itoa(i)).CombinedOutput()
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("instrumented, it prints\n%s(%v) want\n%s", got, err, want)
			}
		})
	}
}

// fits reports whether a value has the form of its variable's representation.
func fits(v schemas.TraceVar, text string) bool {
	if text == "-" {
		return v.Pointer != ""
	}
	var err error
	switch v.Rep {
	case "int":
		_, err = strconv.ParseInt(text, 10, 64)
	case "uint":
		_, err = strconv.ParseUint(text, 10, 64)
	case "float":
		_, err = strconv.ParseFloat(text, 64)
	case "bool":
		_, err = strconv.ParseBool(text)
	case "string":
		if hash, ok := strings.CutPrefix(text, "~"); ok {
			_, err = strconv.ParseUint(hash, 16, 64)
		} else {
			_, err = strconv.Unquote(text)
		}
	case "ref":
		if text != "nil" {
			_, err = strconv.Atoi(text)
		}
	case "type":
		if text != "nil" {
			_, err = strconv.Unquote(text)
		}
	case "ints", "uints", "floats", "strings", "refs":
		if text == "~" {
			return true
		}
		inner, ok1 := strings.CutPrefix(text, "[")
		inner, ok2 := strings.CutSuffix(inner, "]")
		if v.Rep == "strings" || inner == "" { // strings may have spaces
			return ok1 && ok2
		}
		for _, item := range strings.Split(inner, " ") {
			if v.Rep = schemas.Rep(strings.TrimSuffix(string(v.Rep), "s")); !fits(v, item) {
				return false
			}
		}
		return ok1 && ok2
	default:
		return false
	}
	return err == nil
}

// module writes files, contents by name, into a new directory, and returns that.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestCompiles checks that instrumented programs compile where that is delicate. Each is a package
// of one module, built at once.
func TestCompiles(t *testing.T) {
	const iface = "type I interface { M(a, b int) int; N(s string) string; " +
		"O(_ int, arg0 string); V(xs ...I) I }\n"
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.18\n",
		"other/other.go": "package other\n\ntype hidden int\n\ntype J interface { " +
			"Get() hidden; Put(hidden); List([]map[string]*hidden); In() struct{ X int } }\n",
	}
	cases := []struct{ name, src string }{
		{"empty", "func f() {}; func g() (int) { return 1 }; func h() (a, b int) { return }"},
		{"redirect", iface +
			"func f(i I) int { return i.M(i.M(1, 2), 3) }; " +
			"func g(i I) I { return i.V(i.V(), i).V([]I{i, nil}...) }"},
		{"opaque",
			"import \"time\"\nimport \"reflect\"\nimport \"sync\"\n" +
				"func f(t time.Time, v reflect.Value, m *sync.Mutex, " +
				"w struct{ sync.RWMutex; p *int }) (time.Time, reflect.Value) { return t, v }"},
		{"embedded",
			"type t struct{ *u; n int }; type u struct{ t2 *t; string }; " +
				"func (x t) f() *u { return x.u }; func (x *t) g(y u) string { return y.string }"},
		{"aliases", "type a = *b; type b struct{ next a; s []a }; type c = I; " + iface +
			"func f(x a, y c) int { return y.M(1, 2) }"},
		{"typeparams",
			"type n interface{ ~int | ~string }; " +
				"type p[T n] struct{ v T; q *T; l []T; r *p[T] }; " +
				"func f[T n, S ~[]T, M map[string]T](x T, s S, m M, p *p[T], c chan T, " +
				"g func(T) S) (T, error) { return x, nil }"},
		{"goto", "func f(n int) (int, bool) { if n > 0 { goto end }; n++\nend: return n, true }"},
		{"recursive",
			"type l []l; type m map[string]m; type f func(f) f; type p *p; " +
				"func g(a l, b m, c f, d p, e *struct{ next *p }) (l, m, f, p) { " +
				"return a, b, c, d }"},
		{"unnameable",
			"import \"example.com/m/other\"\n" +
				"func f(j other.J) { _ = j.Get(); j.Put(1); j.List(nil); _ = j.In().X }"},
		{"unsafe",
			"import \"unsafe\"\nfunc f(p unsafe.Pointer, u uintptr, c complex128, r rune) " +
				"(unsafe.Pointer, complex64) { return p, 0 }"},
		{"globals", "import \"os\"\nvar stdin, n = os.Stdin, 1; func f() *os.File { n++; return stdin }"},
		{"directives",
			"//go:generate echo\n\n//go:noinline\nfunc f(a int) int { return a }\n\n" +
				"//line elsewhere.go:7\nfunc g(a int) int { return a }"},
		{"many-variables", "type big struct{ " + fields(60) +
			" }; func f(a, b, c *big, d big) (big, *big) { return d, a }"},
		{"vendored-name", "import observe \"fmt\"\nfunc f(x int) string { return observe.Sprint(x) }"},
		{"parenthesized", iface + "func f(i I) int { return (i.M)(1, 2) + (i).M(1, 2) + (*&i).M(1, 2) }"},
		{"shadowed-receiver", iface +
			"func f(i I) func() int { return func() int { " +
			"if i := i; i != nil { return i.M(1, 2) }; return 0 } }"},
		{"go-and-defer", iface +
			"func f(i I) { go i.M(1, 2); defer i.M(1, 2); defer func() { i.M(1, 2) }() }"},
		{"multi-value", iface +
			"func two() (int, int) { return 1, 2 }; func f(i I) int { return i.M(two()) }"},
		{"parameter-len", "func f(len int, list []int) int { return len }"},
		{"parameter-int64", "func f(int64 int, s string) int { return int64 }"},
		{"package-level-string",
			"type string struct{ s []byte }; func f(s string, b bool) bool { return b }; " +
				"func g(s []int, err error) {}; func nil() {}"},
		{"parameter-arg0", iface + "func f(i I) { i.O(1, \"\") }"},
		{"parameter-called-like-package",
			"type J interface{ M(example int, _dsd int) }; func f(j J, observe int) { j.M(1, observe) }"},
	}
	for _, c := range cases {
		files[c.name+"/x.go"] = "package x\n\n" + c.src + "\n"
	}
	prog := load(t, module(t, files))
	o, res := rewritten(t, prog)
	cmd, err := o.Command(context.Background(), "build", "-gcflags=-e", "./...")
	if err != nil {
		t.Fatal(err)
	}
	out, _ := cmd.CombinedOutput()
	complaints := map[string]string{}
	for _, part := range regexp.MustCompile(`(?m)^# `).Split(string(out), -1) {
		name, text, _ := strings.Cut(part, "\n")
		if name = strings.TrimPrefix(name, "example.com/m/"); name != "" {
			complaints[name] = text
		}
	}
	for _, c := range cases {
		text, failed := complaints[c.name]
		delete(complaints, c.name)
		t.Run(c.name, func(t *testing.T) {
			if failed {
				t.Errorf("%s\ndoes not compile any more:\n%s\nrewritten:\n%s\n%s",
					c.src, text, res.Files[c.name+"/x.go"], res.Files[c.name+"/zz_dsd_via.go"])
			}
		})
	}
	if len(complaints) > 0 {
		t.Errorf("go build reports errors in other packages: %q", complaints)
	}
}

// TestInternalPackage checks that forwarders do not name types of packages that they cannot import.
func TestInternalPackage(t *testing.T) {
	prog := load(t, module(t, map[string]string{
		"go.mod":                  "module example.com/m\n\ngo 1.18\n",
		"a/internal/deep/deep.go": "package deep\n\ntype T struct{ N int }\n",
		"a/a.go": "package a\n\nimport \"example.com/m/a/internal/deep\"\n\n" +
			"type hidden int\n\ntype J interface { Get() hidden; Deep(deep.T) deep.T; " +
			"Put(func(*deep.T) map[string][]deep.T) }\n",
		"b/b.go": "package b\n\nimport \"example.com/m/a\"\n\n" +
			"func F(j a.J) { j.Get(); j.Deep(j.Deep([1]struct{ N int }{{1}}[0])) }\n",
	}))
	o, _ := rewritten(t, prog)
	cmd, err := o.Command(context.Background(), "build", "./...")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the testee does not compile any more:\n%s", out)
	}
}

// fields returns n declarations of fields.
func fields(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("f%d int", i))
	}
	sort.Strings(list)
	return strings.Join(list, "; ")
}
