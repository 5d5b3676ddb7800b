package testrun

import (
	"context"
	"dsd/crash/confine"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

func test(name, body string) Test {
	imports := ""
	for _, p := range []string{"os", "fmt"} {
		if strings.Contains(body, p+".") {
			imports += "import \"" + p + "\"\n"
		}
	}
	return Test{Name: "Test" + name, File: strings.ToLower(name) + "_test.go",
		Source: "package pkg\n\nimport \"testing\"\n" + imports + "\nfunc Test" + name + "(*testing.T) {\n" + body + "\n}\n"}
}

// TestRun: each test is judged on its own, whatever the others do.
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
		test("Writes", `if err := os.WriteFile("left", nil, 0o666); err != nil { panic(err) }`),
		test("Passes", "Div(1, 1)"),
	}
	results, err := Run(context.Background(), root, "harnessed/pkg", "pkg", tests, Options{Timeout: 2 * time.Second, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ output, err string }{
		{"integer divide by zero", ""},
		{"PASS", ""},
		{"", "did not end in 2s"},
		{"", "does not compile: undefined: undefined"},
		{"", ""},
		{"flood", ""},
		{"PASS", ""},
		{"PASS", ""},
	} {
		r := results[i]
		if !strings.Contains(r.Output, want.output) || (r.Err != "") != (want.err != "") || !strings.Contains(r.Err, want.err) {
			t.Errorf("%s: got %q, %q, want %q, %q", tests[i].Name, r.Output[:min(len(r.Output), 300)], r.Err, want.output, want.err)
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

func TestRunCancelled(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("testdata", "mod"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_, err = Run(ctx, root, "harnessed/pkg", "pkg", []Test{test("Loops", "for { }")}, Options{Timeout: time.Minute, Jobs: 1})
	if err == nil {
		t.Error("no error from a run that was cancelled")
	}
}
