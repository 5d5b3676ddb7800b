package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/cmdline"
	"dsd/internal/confine"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// result is what a command did.
type result struct {
	status         int
	stdout, stderr string
}

// command runs crash in this process.
func command(stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	app := newApp()
	app.Reader, app.Writer, app.ErrWriter = strings.NewReader(stdin), &stdout, &stderr
	status := cmdline.Main(app, append([]string{"crash"}, args...))
	return result{status, stdout.String(), stderr.String()}
}

// write writes a file below a directory and returns its name.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// module writes a module of one file and returns its directory.
func module(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.22\n")
	write(t, dir, "m.go", "package m\n\n"+source)
	return dir
}

const half = "func Half(n int) int { return 100 / n }\n"

// document returns the text of a document.
func document(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func warnings(t *testing.T, path string) string {
	return document(t, func(b *bytes.Buffer) error {
		doc := &schemas.Warnings{Warnings: []schemas.Warning{},
			Skipped: []schemas.Skipped{}}
		doc.Module = schemas.Module{Path: path, Go: "1.22"}
		return schemas.WriteWarnings(b, doc)
	})
}

func crashes(t *testing.T, list ...schemas.Crash) string {
	return document(t, func(b *bytes.Buffer) error {
		doc := &schemas.Crashes{Crashes: append([]schemas.Crash{}, list...),
			Unconfirmed: []schemas.Unconfirmed{}}
		doc.Module = schemas.Module{Path: "example.com/m", Go: "1.22"}
		return schemas.WriteCrashes(b, doc)
	})
}

// TestUsage: wrong flags and arguments are refused with one line before any work.
func TestUsage(t *testing.T) {
	dir := module(t, half)
	other := write(t, t.TempDir(), "other.json", crashes(t))
	for _, tt := range []struct {
		args  string // DIR is the module
		stdin string
		want  string
	}{
		{"burn", "",
			`unknown command "burn" (want confirm, random, fuzz-targets, reproduce, record, replay, stack, report, explain, merge, diff, keep or verify)`},
		{"confirm --bogus", "", "flag provided but not defined: -bogus; see --help"},
		{"confirm -C missing", "", "-C missing: no such directory"},
		{"confirm -C DIR --timeout soon", "",
			`invalid value "soon" for flag -timeout: parse error; see --help`},
		{"confirm -C DIR --budget -1s", "", "--budget -1s: want a positive duration"},
		{"confirm -C DIR --policy mild", "", `unknown --policy "mild" (want classic, relaxed or all)`},
		{"confirm -C DIR a.json b.json", "", "want one warnings document, got 2"},
		{"confirm -C DIR", warnings(t, "example.com/x"),
			"standard input: module.path: the warnings are of module example.com/x, want example.com/m"},
		{"confirm -C DIR " + other, "", other + ": is a dsd/crashes/v1 document, want dsd/warnings/v1"},
		{"random -C DIR --time 0s", "", "invalid --time 0s: must be positive"},
		{"random -C DIR --time -1m", "", "invalid --time -1m0s: must be positive"},
		{"random -C DIR --reset no", "", `unknown --reset "no" (want reinit, process or none)`},
		{"random -C DIR --policy mild", "", `unknown --policy "mild" (want classic, relaxed or all)`},
		{"random -C DIR --func (", "", "invalid --func (: error parsing regexp: missing closing ): `(`"},
		{"random -C DIR --func Gone", "", "--func Gone matches no function of the packages"},
		{"random -C DIR . --seed 3", "", "--seed: flags go before the packages"},
		{"reproduce -C DIR --timeout 0s", "", "invalid --timeout 0s: must be positive"},
		{"reproduce -C DIR --strategies values,luck", "",
			`unknown --strategies "luck" (want values, search or solve)`},
		{"reproduce -C DIR --seeding luck", "",
			`unknown --seeding "luck" (want all, tests, models or none)`},
		{"reproduce -C DIR --without slice,speed", "",
			`unknown --without "speed" (want slice, core or frames)`},
		{"reproduce -C DIR a.txt b.txt", "", "want one text of a panic, got 2"},
		{"reproduce -C DIR", "exit status 1\n",
			`standard input: no panic and no stack trace: no line begins with "panic: " or "fatal error: ", none has the ` +
				`message of a runtime panic, and none is a stack frame as Go, debuggers, log libraries or error trackers write them`},
		{"reproduce -C DIR", "panic: x\n",
			`the text has the panic "x" but no stack: include the lines after "goroutine 1 [running]:"`},
		{"replay -C DIR a.json b.json", "", "want one recording, got 2"},
		{"replay -C DIR " + other, "", other + ": is a dsd/crashes/v1 document, want dsd/recording/v1"},
		{"stack -C DIR a.txt b.txt", "", "want one text of a panic, got 2"},
		{"report --format yaml", "", `unknown --format "yaml" (want text, json, sarif, github, codeclimate, checkstyle, junit, jsonl or html)`},
		{"report --rank mild", "",
			`unknown --rank "mild" (want likely-bug, look, contract or unreachable)`},
		{"report --fail-on mild", "", `unknown --fail-on "mild" (want likely-bug, look or any)`},
		{"explain", "", "want the ID of a crash and a crashes document, got 0 arguments"},
		{"explain C7 " + other, "", other + ": no crash C7: the document has none"},
		{"report a.json b.json", "", "want one crashes document, got 2"},
		{"report --redact " + other, "", "--redact: " + other + " is not a recording"},
	} {
		args := strings.Fields(strings.ReplaceAll(tt.args, "DIR", dir))
		got := command(tt.stdin, args...)
		if want := "crash: " + tt.want + "\n"; got.status != cmdline.Usage ||
			got.stderr != want || got.stdout != "" {
			t.Errorf("crash %s: got status %d, standard error %q, standard output %q, want 2, %q",
				tt.args, got.status, got.stderr, got.stdout, want)
		}
	}
}

// TestExitStatus runs commands that need not build anything.
func TestExitStatus(t *testing.T) {
	good, broken := module(t, half), module(t, "func Half(n int) int { return 100 / m }\n")
	crash := schemas.Crash{
		ID: "C1", Kind: schemas.DivZero, Func: "example.com/m.Half", Pos: "m.go:3",
		BuiltBy: schemas.BySequence, GroupSize: 1, Level: 1,
		Stack: []schemas.Frame{{Func: "example.com/m.Half", Pos: "m.go:3"}},
		Test: schemas.Test{Package: "example.com/m", File: "crash_test.go",
			Name: "TestCrash", Source: "package m\n"},
	}
	panicText := "panic: runtime error: integer divide by zero\n\n" +
		"goroutine 1 [running]:\nexample.com/m.Half(0x0)\n\t/m.go:3 +0x1d\n"
	for _, tt := range []struct {
		name, stdin string
		args        []string
		status      int
		stdout      string // a part of it
		stderr      string // a part of it
	}{
		{"help", "", nil, cmdline.Nothing, "USAGE", ""},
		{"confirm nothing", warnings(t, "example.com/m"), []string{"confirm", "-C", good},
			cmdline.Nothing, `"crashes": []`, ""},
		{"confirm what does not compile", warnings(t, "example.com/m"), []string{"confirm", "-C", broken},
			cmdline.Failed, "", "the testee does not compile"},
		{"report no crash", crashes(t), []string{"report"}, cmdline.Nothing, "", ""},
		{"report a crash", crashes(t, crash), []string{"report", "-C", good, "--rank", "all"},
			cmdline.Found, "m.go:3  func Half", ""},
		{"report no likely bug", crashes(t, crash), []string{"report", "--fail-on", "likely-bug"},
			cmdline.Nothing, "crash report --rank look", ""},
		{"report something to look at", crashes(t, crash), []string{"report", "--fail-on", "look"},
			cmdline.Found, "1 to look at", ""},
		{"explain a crash", crashes(t, crash), []string{"explain", "-C", good, "C1"},
			cmdline.Nothing, "Rank: look", ""},
		{"stack", panicText, []string{"stack", "-C", good}, cmdline.Nothing, `"pos": "m.go:3"`, ""},
	} {
		got := command(tt.stdin, tt.args...)
		if got.status != tt.status || !strings.Contains(got.stdout, tt.stdout) ||
			!strings.Contains(got.stderr, tt.stderr) {
			t.Errorf("%s: got status %d, standard output %q, standard error %q, want %d, %q, %q",
				tt.name, got.status, got.stdout, got.stderr, tt.status, tt.stdout, tt.stderr)
		}
	}
}

func TestAlternatives(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b"}, "a or b"},
		{[]string{"a", "b", "c"}, "a, b or c"},
	} {
		if got := alternatives(tt.words); got != tt.want {
			t.Errorf("alternatives(%q) = %q, want %q", tt.words, got, tt.want)
		}
	}
}
