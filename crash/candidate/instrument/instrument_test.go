package instrument

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dsd/internal/expr"
	"dsd/internal/source"
	"dsd/schemas"
)

// loadFile loads a module m with one file, m.go.
func loadFile(t *testing.T, text string) *source.Program {
	t.Helper()
	return load(t, map[string]string{"m.go": text})
}

// load loads a module m with these files.
func load(t *testing.T, files map[string]string) *source.Program {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module m\n\ngo 1.22\n"
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestRewrite compares rewritten functions and variables with what is expected of them. The names
// of the runtime are written without the package.
func TestRewrite(t *testing.T) {
	for _, tt := range []struct {
		name, before, after string
		opt                 Options
	}{
		{
			name:   "coverage",
			before: `func F(n int) { for n > 0 { n-- }; switch n { case 0: n++ } }`,
			after: `func F(n int) { COUNT;  seen[0] = true;  ` +
				`for n > 0 { COUNT;  seen[1] = true;  n-- }; ` +
				`switch n { case 0: seen[2] = true;  n++ } }`,
		},
		{
			name:   "a directive forbids calls",
			before: "//go:nosplit\nfunc F() {}",
			after:  "//go:nosplit\nfunc F() {}",
		},
		{
			name:   "exit",
			before: "import \"os\"\nvar exit = os.Exit\n\nfunc F() { os.Exit(1) }",
			after: "import \"os\"\nvar exit = Exit\n\n" +
				"func F() { COUNT;  seen[0] = true;  Exit(1) }\nvar _ = os.Exit",
		},
		{
			name:   "recover",
			before: "func F() { defer recover(); defer func() { if e := recover(); e != nil { panic(e) } }() }",
			after: "func F() { COUNT;  seen[0] = true;  defer recover(); defer func() { COUNT;  seen[1] = true;  " +
				"if e := Recovered(recover()); e != nil { seen[2] = true;  panic(e) } }() }",
		},
		{
			name:   "preconditions",
			before: `func F(n int) {}`,
			after: `func F(n int) { Enter(1, func() bool { return true && bool(n > 0) }, nil); ` +
				`COUNT;  seen[0] = true; }`,
			opt: Options{Preconditions: Preconditions{"m.F": {expr.Var("n > 0"), expr.Var("undefined")}}},
		},
		{
			name:   "preconditions of a receiver",
			before: "type T struct { n int }\n\nfunc (t *T) F(n int) {}",
			after: "type T struct { n int }\n\nfunc (t *T) F(n int) { " +
				"Enter(1, func() bool { return true && bool(n < t.n) }, " +
				"func() bool { return true && bool(t.n > 0) }); COUNT;  seen[0] = true; }",
			opt: Options{Preconditions: Preconditions{"m.(*T).F": {
				expr.Var("t.n > 0"),
				expr.Op("<", expr.Var("n"), expr.Var("t.n")),
			}}},
		},
		{
			name:   "preconditions with functions that old versions of Go do not have",
			before: `func F(a, b, c int) {}`,
			after: `func F(a, b, c int) { Enter(1, func() bool { return true && ` +
				`bool(b <= c && a < b || !(b <= c) && a < c) && ` +
				`bool(a <= b && c != b || !(a <= b) && c != a) }, nil); ` +
				`COUNT;  seen[0] = true; }`,
			opt: Options{Preconditions: Preconditions{"m.F": {
				expr.Op("<", expr.Var("a"), expr.Apply("min", expr.Var("b"), expr.Var("c"))),
				expr.Ne(expr.Var("c"), expr.Apply("max", expr.Var("a"), expr.Var("b"))),
			}}},
		},
		{
			name:   "reset",
			before: "var n, m = 1, 2\n\nfunc init() { n++ }\n\nfunc F() { n += m }",
			after: "var n, m = 1, 2\n\nfunc init() { _dsd_init0() }; " +
				"func _dsd_init0() { COUNT;  seen[0] = true;  n++ }\n\n" +
				"func F() { Dirty = true;  COUNT;  seen[1] = true;  n += m }\n" +
				"func _dsd_reset0() { n = /*line DIR/m.go:3:12*/1 }\n" +
				"func init() { Reset(\"m\", false, false, func() { _dsd_reset0(); _dsd_init0() }) }",
			opt: Options{Reset: true},
		},
	} {
		prog := loadFile(t, "package m\n\n"+tt.before+"\n")
		pkg := prog.Packages[0]
		tt.opt.Root = prog.Dir
		got := "package m\n\n" + tt.before
		if text := Rewrite(prog, pkg, tt.opt).Files["m.go"]; text != nil {
			got = simplified(string(text), prog.Dir)
		}
		if want := "package m\n\n" + tt.after; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, want)
		}
	}
}

// blocksVar matches the declaration of the marks of a package's blocks.
var blocksVar = regexp.MustCompile(`\nvar ` + seenName + ` \[\d+\]bool\n\nvar _ = ` + RuntimeName +
	`\.Blocks\(\d+, ` + seenName + `\[:\]\)\n`)

// TestBlocks: each package has marks for its own blocks, which are numbered through.
func TestBlocks(t *testing.T) {
	prog := load(t, map[string]string{
		"a/a.go": "package a\n\nfunc A() {}\n\nfunc B() { A() }\n",
		"b/b.go": "package b\n\nimport \"m/a\"\n\nvar N = 1\n\nfunc C() { a.A() }\n",
		"b/c.go": "package b\n\nfunc D() {}\n",
	})
	out := Rewrite(prog, prog.Package("m/b"), Options{Root: prog.Dir})
	if out.Blocks != 4 {
		t.Errorf("got %d blocks, want 4", out.Blocks)
	}
	for file, want := range map[string]string{
		"a/a.go": "\nvar _dsd_run_seen [2]bool\n\nvar _ = _dsd_run.Blocks(0, _dsd_run_seen[:])\n",
		"b/b.go": "\nvar _dsd_run_seen [2]bool\n\nvar _ = _dsd_run.Blocks(2, _dsd_run_seen[:])\n",
		"b/c.go": "func D() { if _dsd_run.Passes--; _dsd_run.Passes < 0 { _dsd_run.OutOfPasses() };  _dsd_run_seen[1] = true; }",
	} {
		if text := string(out.Files[file]); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", file, want, text)
		}
	}
	if text := string(out.Files["b/c.go"]); strings.Contains(text, "var _dsd_run_seen") {
		t.Errorf("declared twice:\n%s", text)
	}
}

// simplified returns the text of a rewritten file without the import of the runtime and its uses.
func simplified(text, dir string) string {
	text = strings.Replace(text, "; import "+RuntimeName+` "m/`+RuntimeDir+`"`, "", 1)
	text = strings.Replace(text, "\nvar _ = "+RuntimeName+".OutOfPasses\n", "", 1)
	text = blocksVar.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, seenName, "seen")
	text = strings.ReplaceAll(text, RuntimeName+".", "")
	text = strings.ReplaceAll(text, "if Passes--; Passes < 0 { OutOfPasses() }", "COUNT")
	text = strings.ReplaceAll(text, dir+"/", "DIR/")
	for _, added := range []string{"func _dsd", "func init() { Reset", "var _ ="} {
		text = strings.ReplaceAll(text, "\n\n"+added, "\n"+added)
	}
	return strings.TrimRight(text, "\n")
}

// TestOperands: the operands of what may panic are reported, whatever their integer type is.
func TestOperands(t *testing.T) {
	for _, tt := range []struct{ code, kind, want string }{
		{"func F(n uint64) uint64 {\n\treturn 10 % (n + 1)\n}", "div-zero", "10 % uint64(Divisor(0, int((n + 1))))"},
		{"func F(n int) int {\n\treturn 10 / n\n}", "div-zero", "10 / Divisor(0, n)"},
		{"func F(s []int, i byte) int {\n\treturn s[i]\n}", "index", "s[byte(Index(0, int(i), len(s)))]"},
		{"func F(n uint64) uint64 {\n\treturn 10 / (1 << n)\n}", "div-zero", "10 / (1 << n)"},
		{"type T int\nfunc F(s []int, i T) int { return s[i] }", "index", "s[i]"},
	} {
		prog := loadFile(t, "package m\n\n"+tt.code+"\n")
		pkg := prog.Packages[0]
		out := Rewrite(prog, pkg, Options{
			Root: prog.Dir, Frames: []TargetFrame{{Func: pkg.Funcs()[0], Line: 4, Kind: schemas.Kind(tt.kind)}},
		})
		if got := simplified(string(out.Files["m.go"]), prog.Dir); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got\n%s\nwant %s", tt.code, got, tt.want)
		}
	}
}

// TestFollow compares a function on the trail with what is expected of it, and checks its steps.
func TestFollow(t *testing.T) {
	prog := loadFile(t, `package m

func F(s []int, i int) int {
	if i < 0 {
		return 0
	}
	if i == 3 || len(s) > i {
		return s[i]
	}
	return 1
}
`)
	pkg := prog.Packages[0]
	out := Rewrite(prog, pkg, Options{
		Root:   prog.Dir,
		Frames: []TargetFrame{{Func: pkg.Funcs()[0], Line: 8, Kind: "index"}},
	})
	steps := strings.Join(out.Steps[0], "; ")
	if want := "!(i < 0); i == 3 || len(s) > i; control comes to line 8"; steps != want {
		t.Errorf("got steps %s, want %s", steps, want)
	}
	got := simplified(string(out.Files["m.go"]), prog.Dir)
	for _, want := range []string{
		"func F(s []int, i int) int { At(0, 4); ",
		"if Ints(0, 3, 2, false, int64(i), int64(0), i < 0) {",
		"if Ints(0, 2, 0, true, int64(i), int64(3), i == 3) || " +
			"Ints(0, 2, 4, true, int64(len(s)), int64(i), len(s) > i) {",
		"\t\t At(0, 1); return s[Index(0, i, len(s))]\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the function lacks %s:\n%s", want, got)
		}
	}
}
