package testrun

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dsd/internal/confine"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// test returns a test with a body.
func test(name, body string) Test {
	imports := ""
	for _, p := range []string{"os", "fmt"} {
		if strings.Contains(body, p+".") {
			imports += "import \"" + p + "\"\n"
		}
	}
	return Test{Name: "Test" + name, File: strings.ToLower(name) + "_test.go",
		Source: "package pkg\n\nimport \"testing\"\n" + imports + "\nfunc Test" + name +
			"(*testing.T) {\n" + body + "\n}\n"}
}

// TestRun checks that each test gets its own result, whatever the others do.
func TestRun(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("testdata", "mod"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []Test{
		test("Panics", "Div(1, 0)"),
		test("State", `if calls != 0 { panic("state of another test") }`),
		test("Loops", "for { }"),
		test("Broken", "Div(1, undefined)"),
		test("Exits", "os.Exit(0)"),
		test("Floods", `for range 1 << 16 { fmt.Println("flood flood flood flood") }`),
		test("Writes",
			`if err := os.WriteFile("left", nil, 0o666); err != nil { panic(err) }`),
		test("Passes", "Div(1, 1)"),
	}
	results, err := Run(context.Background(), root, "harnessed/pkg", "pkg", tests,
		Options{Timeout: 2 * time.Second, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ output, err string }{
		{"integer divide by zero", ""},
		{"PASS", ""},
		{"", "did not end in 2s"},
		{"", "does not compile: undefined: undefined"},
		{"", "ended before the test, with status 0"},
		{"flood", ""},
		{"PASS", ""},
		{"PASS", ""},
	} {
		r := results[i]
		if !strings.Contains(r.Output, want.output) || (r.Err != "") != (want.err != "") ||
			!strings.Contains(r.Err, want.err) {
			t.Errorf("%s: got %q, %q, want %q, %q", tests[i].Name,
				r.Output[:min(len(r.Output), 300)], r.Err, want.output, want.err)
		}
		if want := tests[i].Name == "TestBroken"; r.NotBuilt != want {
			t.Errorf("%s: got NotBuilt %v, want %v", tests[i].Name, r.NotBuilt, want)
		}
		if len(r.Output) > maxOutput {
			t.Errorf("%s: %d bytes of output kept", tests[i].Name, len(r.Output))
		}
	}
	files, err := os.ReadDir(filepath.Join(root, "pkg"))
	if err != nil || len(files) != 1 {
		t.Errorf("the testee has %d files now: %v", len(files), err)
	}
}

// TestRunCancelled checks that Run returns when its context ends, long before the time-out of the
// test.
func TestRunCancelled(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("testdata", "mod"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_, err = Run(ctx, root, "harnessed/pkg", "pkg", []Test{test("Loops", "for { }")},
		Options{Timeout: time.Minute, Jobs: 1})
	if err == nil {
		t.Error("no error after the end of the context")
	}
}

// TestPredeclared: a package may give all predeclared names other meanings.
func TestPredeclared(t *testing.T) {
	dir := t.TempDir()
	text := "package pkg\n\ntype (\n"
	for _, name := range []string{"bool", "byte", "error", "int", "rune", "string", "uint8", "uintptr"} {
		text += "\t" + name + " struct{}\n"
	}
	text += ")\n\nconst nil, iota, true = 1, 2, 3\n\nfunc append() {}\nfunc cap() {}\nfunc len() {}\nfunc make() {}\nfunc new() {}\n"
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	results, err := Run(context.Background(), dir, "example.com/m", ".", []Test{test("Passes", "make()")}, Options{Timeout: 5 * time.Second})
	if err != nil || !strings.Contains(results[0].Output, "PASS") {
		t.Errorf("%+v, %v", results, err)
	}
}

// TestTime: tests for which there is no time are compiled, and say that they did not run.
func TestTime(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("testdata", "mod"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []Test{test("Passes", "Div(1, 1)"), test("Broken", "Div(1, undefined)"), test("Panics", "Div(1, 0)")}
	results, err := Run(context.Background(), root, "harnessed/pkg", "pkg", tests,
		Options{Timeout: time.Minute, Time: time.Nanosecond, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, true} {
		if results[i].NotRun != want || results[i].Started {
			t.Errorf("%s: got %+v, want NotRun %v", tests[i].Name, results[i], want)
		}
	}
}

// TestEnough: tests that come after one that is enough do not run.
func TestEnough(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("testdata", "mod"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []Test{test("Passes", "Div(1, 1)"), test("Panics", "Div(1, 0)"), test("Late", "Div(2, 0)")}
	results, err := Run(context.Background(), root, "harnessed/pkg", "pkg", tests, Options{
		Timeout: time.Minute, Jobs: 1, Enough: func(i int, r Result) bool { return r.Crashes > 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, ran := range []bool{true, true, false} {
		if results[i].Started != ran || results[i].NotRun == ran {
			t.Errorf("%s: got %+v, want run %v", tests[i].Name, results[i], ran)
		}
	}
}

// TestOwnTests checks that test files of the package are left out, with a message, if they do not
// compile, or do not start in the directory that tests run in.
func TestOwnTests(t *testing.T) {
	for _, tt := range []struct{ name, own, log string }{
		{"does not compile", "package pkg\n\nvar _ = undefined\n", "undefined: undefined"},
		{"panics", "package pkg\n\nimport \"os\"\n\nfunc init() {\n" +
			"\tif _, err := os.Stat(\"pkg.go\"); err != nil {\n\t\tpanic(err)\n\t}\n}\n",
			"stat pkg.go: no such file or directory"},
		{"exits", "package pkg\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n" +
			"func TestMain(*testing.M) {\n\tprintln(\"no database\")\n\tos.Exit(1)\n}\n",
			"no database"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range map[string]string{
				"go.mod":          "module m\n\ngo 1.22\n",
				"pkg/pkg.go":      "package pkg\n\nfunc Div(x, y int) int { return x / y }\n",
				"pkg/own_test.go": tt.own,
			} {
				file := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var log strings.Builder
			opt := Options{Timeout: time.Minute, Repeat: 2, OwnTests: []string{"own_test.go"},
				Log: &log}
			results, err := Run(context.Background(), root, "m/pkg", "pkg",
				[]Test{test("Panics", "Div(1, 0)")}, opt)
			if err != nil {
				t.Fatal(err)
			}
			if results[0].Crashes != 2 || results[0].Err != "" {
				t.Errorf("got %d crashes, error %q; want 2 crashes", results[0].Crashes,
					results[0].Err)
			}
			if !strings.Contains(results[0].Output, "integer divide by zero") {
				t.Errorf("got output %q, want the panic of the test", results[0].Output)
			}
			if !strings.Contains(log.String(), tt.log) {
				t.Errorf("got log %q, want %q", log.String(), tt.log)
			}
		})
	}
}
