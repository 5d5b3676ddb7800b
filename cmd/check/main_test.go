package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/cmdline"
	"dsd/schemas"
)

// result is what a command did.
type result struct {
	status         int
	stdout, stderr string
}

// command runs check in this process.
func command(stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	app := newApp()
	app.Reader, app.Writer, app.ErrWriter = strings.NewReader(stdin), &stdout, &stderr
	status := cmdline.Main(app, append([]string{"check"}, args...))
	return result{status, stdout.String(), stderr.String()}
}

// module writes a module of one file and returns its directory.
func module(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	write(t, filepath.Join(dir, "m.go"), "package m\n\n"+source)
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const (
	panics = "func Share(n, d int) int { return n / d }\n"
	safe   = "func Half(n int) int { return n / 2 }\n"
	broken = "func Half(n int) int { return m / 2 }\n"
)

func TestExitStatus(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		status       int
		stderr       string // its beginning
	}{
		{"a warning", panics, cmdline.Found, ""},
		{"no warning", safe, cmdline.Nothing, ""},
		{"does not compile", broken, cmdline.Failed, "check: the testee does not compile:\n"},
	} {
		got := command("", "-C", module(t, tt.source))
		if got.status != tt.status || !strings.HasPrefix(got.stderr, tt.stderr) || tt.stderr == "" &&
			got.stderr != "" {
			t.Errorf("%s: status %d, standard error %q, want %d and %q", tt.name, got.status, got.stderr,
				tt.status, tt.stderr)
		}
		if tt.status == cmdline.Failed {
			continue
		}
		doc, err := schemas.ReadWarnings(strings.NewReader(got.stdout), tt.name)
		if err != nil {
			t.Errorf("standard output: %v", err)
		} else if found := len(doc.Warnings) > 0; found != (tt.status == cmdline.Found) {
			t.Errorf("%s: %d warnings", tt.name, len(doc.Warnings))
		}
	}
}

func TestFlags(t *testing.T) {
	dir := module(t, panics)
	got := command("", "-C", dir, "--format", "text")
	if want := filepath.Join(dir, "m.go:3:37") + ": div-zero: the divisor is zero [W1]\n"; got.status != cmdline.Found ||
		!strings.HasPrefix(got.stdout, want) {
		t.Errorf("--format text: got %+v, want standard output %q", got, want)
	}

	out := filepath.Join(dir, "w.json")
	forms := filepath.Join(dir, "forms")
	got = command("", "-C", dir, "-o", out, "--dump", "ir,wp", "--dump-to", forms, "./...")
	if want := (result{status: cmdline.Found}); got != want {
		t.Errorf("-o, --dump: got %+v, want %+v", got, want)
	}
	for _, name := range []string{out, filepath.Join(forms, "example.com_m.Share.ir"),
		filepath.Join(forms, "example.com_m.Share.wp")} {
		if st, err := os.Stat(name); err != nil || st.Size() == 0 {
			t.Errorf("%s is missing or empty", name)
		}
	}

	// The only panic contradicts the assumption.
	invariants := `{"schema": "dsd/invariants/v1", "module": {"path": "example.com/m"}, "points": [
		{"func": "example.com/m.Share", "at": "entry", "samples": 9, ` +
		`"invariants": [{"id": "I1", "template": "non-zero",
		"vars": ["d"], "expr": "d != 0", "samples": 9, "confidence": 1, "assumed": true}]}]}`
	if got := command(invariants, "-C", dir, "--assume", "-"); got.status != cmdline.Nothing {
		t.Errorf("--assume -: got %+v, want no warnings", got)
	}
	other := strings.ReplaceAll(invariants, "example.com/m", "example.com/n")
	want := result{cmdline.Usage, "",
		"check: -: module.path: the invariants are of module example.com/n, want example.com/m\n"}
	if got := command(other, "-C", dir, "--assume", "-"); got != want {
		t.Errorf("--assume of another module: got %+v, want %+v", got, want)
	}
}

func TestUsageErrors(t *testing.T) {
	dir := module(t, safe)
	for _, tt := range []struct{ args, stderr string }{
		{"--bogus", "flag provided but not defined: -bogus; see --help"},
		{"-j many", `invalid value "many" for flag -j: parse error; see --help`},
		{"-C missing", "-C missing: no such directory"},
		{"-C " + dir + " ./... -o w.json", "-o: flags go before the packages"},
		{"-C " + dir + " -o missing/w.json",
			"-o missing/w.json: the directory missing does not exist: make it first"},
		{"-C " + dir + " --format html", `unknown --format "html" (want text, json, sarif, github, codeclimate, checkstyle, junit, jsonl)`},
		{"-C " + dir + " --assume missing", "open missing: no such file or directory"},
		{"-C " + dir + " --dump ir,ast", `--dump: unknown form "ast" (want ir, passive, wp, smt)`},
		{"-C " + dir + " --dump-to forms", "--dump-to needs --dump with the forms to write"},
		{"explain",
			"explain: want the ID of a warning, such as W12, and at most one document, or a kind of panic of check list; see --help"},
		{"explain W1 " + dir, dir + ": is a directory, want a document"},
		{"explain W1", "standard input: is empty"},
	} {
		want := result{cmdline.Usage, "", "check: " + tt.stderr + "\n"}
		if got := command("", strings.Fields(tt.args)...); got != want {
			t.Errorf("check %s: got %+v, want %+v", tt.args, got, want)
		}
	}
}

func TestExplain(t *testing.T) {
	file := filepath.FromSlash("../../schemas/testdata/warnings.json")
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	named, piped := command("", "explain", "W1", file), command(string(doc), "explain", "w1", "-")
	if named.status != cmdline.Nothing ||
		!strings.HasPrefix(named.stdout, "W1  ring.go:20:9: div-zero\n") || named != piped {
		t.Errorf("explain: got %+v from the file and %+v from standard input", named, piped)
	}
	want := result{cmdline.Usage, "", "check: " + file + ": no warning W9 (want W1 to W4)\n"}
	if got := command("", "explain", "W9", file); got != want {
		t.Errorf("explain: got %+v, want %+v", got, want)
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"explain", "--help"}, {"--version"}} {
		if got := command("", args...); got.status != cmdline.Nothing || got.stdout == "" ||
			got.stderr != "" {
			t.Errorf("check %v: got %+v", args, got)
		}
	}
}
