package e2e_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dsd/schemas"
)

// commandTimeout ends a command that hangs.
const commandTimeout = 60 * time.Second

// bin holds the built commands, and the names under which the test binary is a command of its own.
var bin string

// TestMain builds the commands, or is one of the scripts' tools if it was called by that name.
func TestMain(m *testing.M) {
	if run := tools[filepath.Base(os.Args[0])]; run != nil {
		os.Exit(run(os.Args[1:]))
	}
	os.Exit(func() int {
		var err error
		if bin, err = os.MkdirTemp("", "e2e-bin-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(bin)
		if err := build(); err != nil {
			fmt.Fprintln(os.Stderr, "e2e:", err)
			return 1
		}
		return m.Run()
	}())
}

func build() error {
	cmd := exec.Command("go", "build", "-o", bin+"/", "dsd/cmd/infer", "dsd/cmd/check", "dsd/cmd/crash")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for name := range tools {
		if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
			return err
		}
	}
	script, err := filepath.Abs("../schemas/validate.py")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(bin, "validate"), []byte("#!/bin/sh\nexec /usr/bin/python3 '"+script+"' \"$@\"\n"), 0o777)
}

// TestScripts runs the archives in testdata. An archive is in txtar form: a comment, then files, each after a line
//
//	-- name --
//
// The file "script" is not written but run, in the directory of the others. In it,
//
//	# after a blank line is a comment
//	$ command for sh
//	exit 1
//	what it prints on standard output and error,
//	where ... stands for any text within a line
//
// and a blank line ends what is printed. Without a line "exit N" the status must be 0. A directory with a go.mod is a
// testee: it is made read-only and must be the same afterwards. The command validate is skipped where it cannot run.
func TestScripts(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Run(strings.TrimSuffix(e.Name(), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if !strings.HasSuffix(e.Name(), ".txtar") {
				t.Fatalf("testdata/%s is no .txtar archive, and nothing reads it", e.Name())
			}
			file := filepath.Join("testdata", e.Name())
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			runScript(t, file, string(text))
		})
	}
}

// consistentDocuments checks that no document of invariants below a directory contradicts itself.
func consistentDocuments(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || schemas.NameOf(text) != schemas.InvariantsName {
			return err
		}
		doc, err := schemas.ReadInvariants(bytes.NewReader(text), path)
		if err != nil {
			return nil // made to be refused
		}
		bad, err := contradictions(doc)
		if err != nil || len(bad) > 0 {
			t.Errorf("%s: %v contradict themselves; %v", d.Name(), bad, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// runScript unpacks the archive and runs its script.
func runScript(t *testing.T, name, text string) {
	work, tmp := t.TempDir(), t.TempDir()
	var script *section
	var testees []string
	for _, s := range archive(text) {
		if s.name == "script" {
			script = &s
			continue
		}
		file := filepath.Join(work, filepath.FromSlash(s.name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o666)
		if strings.HasPrefix(s.text, "#!") {
			mode = 0o777
		}
		if err := os.WriteFile(file, []byte(s.text), mode); err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) == "go.mod" {
			testees = append(testees, filepath.Dir(file))
		}
	}
	if script == nil {
		t.Fatalf("%s: has no script", name)
	}
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "BIN="+bin, "TMPDIR="+tmp, "LC_ALL=C", "GOWORK=off")
	if strings.Contains(text, "$SMETRICS") {
		dir := moduleDir(t, "github.com/xrash/smetrics")
		env = append(env, "SMETRICS="+dir)
		testees = append(testees, dir)
	}
	before := make([]string, len(testees))
	for i, dir := range testees {
		if strings.HasPrefix(dir, work) {
			readOnly(t, dir)
		}
		before[i] = state(t, dir)
	}

	var wrong []answer
	for _, s := range steps(t, name, *script) {
		if strings.HasPrefix(s.command, "validate ") && !haveValidator(t) {
			continue
		}
		start := time.Now()
		got, code := shell(s.command, work, env)
		if testing.Verbose() {
			t.Logf("%.2fs $ %s", time.Since(start).Seconds(), s.command)
		}
		switch {
		case code == s.code && matches(got, s.want):
		case *update:
			wrong = append(wrong, answer{s, got, code})
		default:
			t.Errorf("%s:%d: $ %s\ngot exit %d\n%s\nwant exit %d\n%s", name, s.line, s.command,
				code, strings.Join(got, "\n"), s.code, strings.Join(s.want, "\n"))
		}
	}

	if len(wrong) > 0 {
		rewrite(t, name, text, wrong)
	}
	consistentDocuments(t, work)
	for i, dir := range testees {
		if after := state(t, dir); after != before[i] {
			t.Errorf("%s: the directory of the testee %s has changed: %s", name, filepath.Base(dir), firstDifference(before[i], after))
		}
	}
	if left, _ := filepath.Glob(tmp + "/*"); len(left) > 0 {
		t.Errorf("%s: left in TMPDIR: %s", name, strings.Join(left, " "))
	}
}

// section is a file of an archive.
type section struct {
	name, text string
	line       int // of the archive, before its first
}

var marker = regexp.MustCompile(`^-- (.+) --\s*$`)

// archive takes a text in txtar form apart; the comment at its head is dropped.
func archive(text string) []section {
	var out []section
	line := 0
	for l := range strings.Lines(text) {
		line++
		if m := marker.FindStringSubmatch(l); m != nil {
			out = append(out, section{name: m[1], line: line})
		} else if len(out) > 0 {
			out[len(out)-1].text += l
		}
	}
	return out
}

// step is a command of a script and what must come of it.
type step struct {
	line    int
	command string
	code    int
	want    []string
}

// steps takes a script apart.
func steps(t *testing.T, name string, script section) []step {
	var out []step
	open := false // lines belong to the last step
	line := script.line
	for l := range strings.Lines(script.text) {
		line++
		l = strings.TrimRight(l, "\n")
		switch {
		case strings.HasPrefix(l, "$ "):
			if strings.LastIndex(l, "validate ") > len("$ ") {
				t.Fatalf("%s:%d: validate must stand alone, as it may have to be skipped", name, line)
			}
			out = append(out, step{line: line, command: l[2:]})
			open = true
		case l == "":
			open = false
		case !open && strings.HasPrefix(l, "#"):
		case !open:
			t.Fatalf("%s:%d: %q belongs to no command", name, line, l)
		case strings.HasPrefix(l, "exit ") && len(out[len(out)-1].want) == 0:
			code, err := strconv.Atoi(l[len("exit "):])
			if err != nil {
				t.Fatalf("%s:%d: %v", name, line, err)
			}
			out[len(out)-1].code = code
		default:
			out[len(out)-1].want = append(out[len(out)-1].want, l)
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s: the script has no command", name)
	}
	return out
}

// shell runs a command and returns the lines that it prints and its exit status, -1 if it had to be killed.
func shell(command, dir string, env []string) ([]string, int) {
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(env[:len(env):len(env)], "PWD="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	var lines []string
	if text := strings.TrimRight(string(out), "\n"); text != "" {
		lines = strings.Split(text, "\n")
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return append(lines, err.Error()), -1
	}
	return lines, cmd.ProcessState.ExitCode()
}

// matches compares lines with patterns, one each.
func matches(got, want []string) bool {
	if len(got) != len(want) {
		return false
	}
	for i, w := range want {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(w), `\.\.\.`, `.*`)
		if !regexp.MustCompile("^" + pattern + "$").MatchString(got[i]) {
			return false
		}
	}
	return true
}

// readOnly takes all permissions to write below dir, until the test ends. (They mean nothing to root.)
func readOnly(t *testing.T, dir string) {
	chmod := func(file, dir fs.FileMode) func(string, fs.DirEntry, error) error {
		return func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir():
				return os.Chmod(path, dir)
			}
			return os.Chmod(path, file)
		}
	}
	if err := filepath.WalkDir(dir, chmod(0o444, 0o555)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { filepath.WalkDir(dir, chmod(0o666, 0o777)) })
}

// state describes everything below dir, a line a file. The times of directories tell of files that came and went.
func state(t *testing.T, dir string) string {
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "%s %v %v", rel, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&out, " %x", sha256.Sum256(content))
		}
		fmt.Fprintln(&out)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("before %q, after %q", append(x, "")[min(i, len(x))], append(y, "")[min(i, len(y))])
		}
	}
	return "nothing"
}

// moduleDir is where the module cache has a dependency of ours.
func moduleDir(t *testing.T, path string) string {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path)
	cmd.Dir = ".."
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("the module cache does not have %s: go mod download", path)
	}
	return dir
}

// haveValidator says whether documents can be validated from outside; where tests run unattended they must be.
func haveValidator(t *testing.T) bool {
	err := exec.Command("/usr/bin/python3", "-c", "import jsonschema").Run()
	if err == nil {
		return true
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("documents cannot be validated: /usr/bin/python3 has no jsonschema (%v): apt-get install python3-jsonschema", err)
	}
	t.Run("validate", func(t *testing.T) {
		t.Skipf("/usr/bin/python3 has no jsonschema (%v): apt-get install python3-jsonschema", err)
	})
	return false
}
