package compose

import (
	"bytes"
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"dsd/internal/source"
	"dsd/schemas"
)

// A document is data, whoever wrote it: a test that is generated from it has only statements of the generator.
// `go test -fuzz FuzzWarning ./crash/compose` tries more documents than the seeds, into which the texts of planted
// are put everywhere.

// planted are texts that try to become code. forbidden is declared nowhere.
var planted = []string{
	"forbidden()", "0); forbidden(); (0", "\"+forbidden()+\"", "nil\n\tforbidden()\n", "x\nfunc init() { forbidden() }\n",
	"int; forbidden()", "struct{ X int }{forbidden()}.X", "func() { forbidden() }", "*/ forbidden() /*", "`+forbidden()+`",
	"../../escape", "/tmp/escape", "a\r//go:build ignore", "\x1b]0;title\a", "[forbidden()]int", "inputs.forbidden", "\u2028forbidden()",
	"int // \nforbidden()", "import \"os/exec\"",
}

// hostile are counterexamples, or calls that were recorded, each of a function of testdata/inputs.
var hostile = map[string]string{
	"Basic": `{"params": [{"name": "i", "type": "int", "lit": "-1"}, {"name": "u", "type": "uint8", "lit": "255"},
		{"name": "f", "type": "float64", "lit": "math.NaN()"}, {"name": "s", "type": "string", "lit": "\"a\\x00\""},
		{"name": "b", "type": "bool", "lit": "true"}],
		"returns": [{"name": "time.Now", "type": "time.Time"}],
		"globals": [{"name": "inputs.Table", "type": "int", "lit": "4"}]}`,
	"Named": `{"params": [{"name": "c", "type": "inputs.Celsius", "lit": "1.5"},
		{"name": "v", "type": "any", "dynamic": {"type": "inputs.Celsius", "lit": "2"}}]}`,
	"(*Node).Walk": `{"receiver": {"name": "n", "type": "*inputs.Node", "ref": 0}, "params": [{"name": "depth", "type": "int8", "lit": "3"}],
		"objects": [{"type": "inputs.Node", "fields": [{"name": "Val", "type": "int", "lit": "3"},
			{"name": "Tags", "type": "[]string", "ref": 1, "len": 1, "cap": 1}]},
			{"type": "[1]string", "elems": [{"index": 0, "value": {"type": "string", "lit": "\"t\""}}]}]}`,
	"Maps": `{"params": [{"name": "m", "type": "map[string]*inputs.Node", "ref": 0}],
		"objects": [{"type": "map[string]*inputs.Node", "elems": [{"key": {"type": "string", "lit": "\"k\""},
			"value": {"type": "*inputs.Node", "lit": "nil"}}]}]}`,
	"Funcs": `{"params": [{"name": "less", "type": "func(a int, b int) bool", "ref": 0}, {"name": "done", "type": "func()", "lit": "func"}],
		"objects": [{"type": "func(a int, b int) bool", "literal": "inputs/inputs.go:72:9", "fields": [
			{"name": "limit", "type": "int", "lit": "3"}, {"name": "names", "type": "map[string]int", "ref": 1}]},
			{"type": "map[string]int", "elems": [{"index": 0, "key": {"type": "string", "lit": "\"a\""}, "value": {"type": "int", "lit": "1"}}]}]}`,
	"Ifaces": `{"params": [{"name": "r", "type": "io.Reader", "dynamic": {"type": "*bytes.Buffer", "lit": "nil"}},
		{"name": "v", "type": "any", "dynamic": {"type": "struct{ X int }", "fields": [{"name": "X", "type": "int", "lit": "1"}]}},
		{"name": "w", "type": "any", "dynamic": {"type": "main.Local", "fields": [{"name": "S", "type": "string", "lit": "\"x\""}]}}],
		"types": [{"type": "main.Local", "fields": [{"name": "S", "type": "string", "tag": "json:\"s\""}]},
			{"type": "main.Kind", "underlying": "int"}]}`,
	"Generic[...]": `{"type_args": ["string", "[]int"], "params": [{"name": "m", "type": "map[string][]int", "lit": "nil"},
		{"name": "keys", "type": "[]string", "lit": "nil"}]}`,
	"Foreign": `{"params": [{"name": "o", "type": "inputs/sub.Open", "fields": []}, {"name": "c", "type": "*inputs/sub.Closed", "lit": "nil"}]}`,
	"Trees": `{"params": [{"name": "t", "type": "*inputs.Tree", "ref": 0}], "objects": [{"type": "inputs.Tree",
		"fields": [{"name": "Parent", "type": "*inputs.Tree", "ref": 0}]}]}`,
}

// warningOf and recordingOf return documents about a call of a function.
func warningOf(tb testing.TB, fn, call string) []byte {
	var out bytes.Buffer
	w := schemas.Warning{ID: "W1", Kind: schemas.Index, Func: "inputs." + fn, Pos: "inputs.go:7:2", Message: "index out of range",
		Path: []schemas.Step{{Pos: "inputs.go:6:2", Note: "n > 0 is true"}}, Status: schemas.Sat, Counterexample: parsed(tb, call)}
	err := schemas.WriteWarnings(&out, &schemas.Warnings{Header: header, Functions: 1, Warnings: []schemas.Warning{w}})
	if err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func recordingOf(tb testing.TB, fn, call string) []byte {
	ce := parsed(tb, call)
	c := schemas.RecordedCrash{ID: "R1", Panic: "panic: x\n\ngoroutine 1 [running]:\ninputs." + fn + "(...)\n\t/b/inputs.go:7\n",
		Ended: "program", Objects: ce.Objects, Types: ce.Types, Frames: []schemas.RecordedFrame{{Symbol: "inputs." + fn,
			File: "/b/inputs.go", Line: 7, Func: "inputs." + fn, Receiver: ce.Receiver, Params: ce.Params, TypeArgs: ce.TypeArgs}}}
	var out bytes.Buffer
	if err := schemas.WriteRecording(&out, &schemas.Recording{Header: header, Copy: "deep", Build: schemas.RecordedBuild{Go: "go1.24", OS: "linux", Arch: "amd64", Main: "inputs"}, Crashes: []schemas.RecordedCrash{c}}); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

var header = schemas.Header{Module: schemas.Module{Path: "inputs", Go: "1.24"}}

func parsed(tb testing.TB, call string) *schemas.Counterexample {
	ce := &schemas.Counterexample{}
	if err := json.Unmarshal([]byte(call), ce); err != nil {
		tb.Fatal(err)
	}
	return ce
}

// generator returns what makes the tests of a warnings document or a recording, all of which it checks.
func generator(tb testing.TB) func(t *testing.T, doc []byte) (tests int) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "inputs"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	funcs := map[string]*source.Func{}
	for _, f := range prog.Package("inputs").Funcs() {
		funcs[f.Name] = f
	}
	return func(t *testing.T, doc []byte) (tests int) {
		check := func(test *Test, err error) {
			if err == nil {
				tests++
				checkGenerated(t, test)
			}
		}
		if d, err := schemas.ReadWarnings(bytes.NewReader(doc), "x"); err == nil {
			for _, w := range d.Warnings {
				if f := funcs[w.Func]; f != nil && w.Counterexample != nil {
					check(Compose(prog, f, w.Counterexample, "TestX", "x_test.go", "TestX panics at "+w.Pos+": "+w.Message+"."))
				}
			}
		}
		if d, err := schemas.ReadRecording(bytes.NewReader(doc), "x"); err == nil {
			for _, c := range d.Crashes {
				for i := range c.Frames {
					if f := funcs[c.Frames[i].Func]; f != nil {
						check(Recorded(prog, f, c.Call(i), "TestX", "x_test.go", "TestX panics: "+c.Panic))
						check(Loaded(prog, f, c.Call(i), "TestX", "x_test.go", "TestX panics: "+c.Panic))
					}
				}
			}
		}
		return tests
	}
}

// checkGenerated fails if a generated test has code or file names that come from the document.
func checkGenerated(t *testing.T, test *Test) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "x_test.go", test.Source, parser.ParseComments)
	if err != nil {
		t.Fatalf("%v:\n%s", err, test.Source)
	}
	for _, r := range test.Source {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			t.Fatalf("%q is in the source:\n%q", r, test.Source)
		}
	}
	for _, d := range file.Imports {
		if p, _ := strconv.Unquote(d.Path.Value); p == "os/exec" || p == "C" || p == "plugin" || p == "syscall" {
			t.Fatalf("import of %s:\n%s", p, test.Source)
		}
	}
	functions := 0
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if strings.Contains(n.Name, "forbidden") {
				t.Fatalf("the name %s is in the source:\n%s", n.Name, test.Source)
			}
		case *ast.FuncDecl:
			if n.Recv == nil {
				functions++
			}
		case *ast.Comment:
			if strings.HasPrefix(n.Text, "//go:") || strings.HasPrefix(n.Text, "/*") {
				t.Fatalf("the comment %s is in the source:\n%s", n.Text, test.Source)
			}
		}
		return true
	})
	if functions != 1 {
		t.Fatalf("%d functions:\n%s", functions, test.Source)
	}
	for _, f := range test.Files {
		if !filepath.IsLocal(f.File) || path.Dir(f.File) != "." && path.Dir(f.File) != "testdata" {
			t.Fatalf("a file %s", f.File)
		}
	}
}

// plant returns the documents that arise from putting a text in place of one text of a document, or at its end.
func plant(tb testing.TB, doc []byte, text string) [][]byte {
	tb.Helper()
	var out [][]byte
	var root any
	if err := json.Unmarshal(doc, &root); err != nil {
		tb.Fatal(err)
	}
	add := func() {
		b, err := json.Marshal(root)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, b)
	}
	var visit func(x any, set func(any))
	visit = func(x any, set func(any)) {
		switch x := x.(type) {
		case string:
			for _, s := range []string{text, x + text, text + x} {
				set(s)
				add()
			}
			set(x)
		case []any:
			for i := range x {
				visit(x[i], func(v any) { x[i] = v })
			}
		case map[string]any:
			for k := range x {
				visit(x[k], func(v any) { x[k] = v })
			}
		}
	}
	visit(root, func(v any) { root = v })
	return out
}

// TestHostileDocuments puts the texts of planted everywhere into documents, one of them at a time.
func TestHostileDocuments(t *testing.T) {
	generate := generator(t)
	all, made := 0, 0
	for fn, call := range hostile {
		for _, doc := range [][]byte{warningOf(t, fn, call), recordingOf(t, fn, call)} {
			if generate(t, doc) == 0 {
				t.Errorf("no test from %s", doc)
			}
			for i, text := range planted {
				for j, d := range plant(t, doc, text) {
					if (i+j)%5 > 0 && os.Getenv("DSD_SLOW") == "" {
						continue
					}
					all++
					if generate(t, d) > 0 {
						made++
					}
				}
			}
		}
	}
	t.Logf("%d documents, tests from %d of them", all, made)
	if made < all/20 {
		t.Errorf("tests were made from %d of %d documents only", made, all)
	}
}

func FuzzWarning(f *testing.F)   { fuzzGenerated(f, warningOf) }
func FuzzRecording(f *testing.F) { fuzzGenerated(f, recordingOf) }

func fuzzGenerated(f *testing.F, seed func(tb testing.TB, fn, call string) []byte) {
	generate := generator(f)
	for fn, call := range hostile {
		f.Add(seed(f, fn, call))
	}
	f.Fuzz(func(t *testing.T, doc []byte) { generate(t, doc) })
}
