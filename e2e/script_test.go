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

// commandTimeout is the time after which a command of a script is killed.
const commandTimeout = 60 * time.Second

// bin is the directory of the built commands and of links to the test binary, one per tool.
var bin string

// slow reports whether slow steps and tests are to run.
var slow = os.Getenv("DSD_SLOW") != ""

// TestMain builds the commands and runs the tests. If the test binary was called by the name of a
// tool, it runs that tool instead.
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
	cmd := exec.Command("go", "build", "-o", bin+"/", "dsd/cmd/infer", "dsd/cmd/check",
		"dsd/cmd/crash")
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
	return os.WriteFile(filepath.Join(bin, "validate"),
		[]byte("#!/bin/sh\nexec /usr/bin/python3 '"+script+"' \"$@\"\n"), 0o777)
}

// TestScripts runs the archives in testdata. An archive has the txtar form: a comment, then files,
// each after a line
//
//	-- name --
//
// The file "script" is not written but run, in the directory of the others. Its lines are
//
//	# after a blank line: a comment
//	$ a command for sh
//	exit 1
//	the lines that it prints on standard output and error,
//	where ... stands for any text within a line
//
// and a blank line ends the output. Without a line "exit N" the status must be 0. The file "slow
// script" has further steps, which run after those of "script" if DSD_SLOW is set.
//
// A directory with a go.mod is a testee: it is made read-only and must be unchanged afterwards. The
// command validate is skipped where it cannot run.
func TestScripts(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Run(strings.TrimSuffix(e.Name(), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if !strings.HasSuffix(e.Name(), ".txtar") {
				t.Fatalf("testdata/%s is not a .txtar archive, so nothing reads it", e.Name())
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

// consistentDocuments checks that no invariants document below a directory contradicts itself.
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
			return nil // malformed on purpose
		}
		bad, err := contradictions(doc)
		if err != nil || len(bad) > 0 {
			t.Errorf("%s: contradictory invariants %v; %v", d.Name(), bad, err)
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
	var script []step
	var testees []string
	for _, s := range archive(text) {
		switch s.name {
		case "slow script":
			if !slow {
				continue
			}
			fallthrough
		case "script":
			script = append(script, steps(t, name, s)...)
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
	if len(script) == 0 {
		t.Fatalf("%s: has no script", name)
	}
	env := append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"BIN="+bin, "TMPDIR="+tmp, "LC_ALL=C", "DSDCACHE="+t.TempDir())
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

	var wrong []result
	for _, s := range script {
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
			wrong = append(wrong, result{s, got, code})
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
			t.Errorf("%s: the directory of the testee %s has changed: %s",
				name, filepath.Base(dir), firstDifference(before[i], after))
		}
	}
	if left, _ := filepath.Glob(tmp + "/*"); len(left) > 0 {
		t.Errorf("%s: left in TMPDIR: %s", name, strings.Join(left, " "))
	}
}

// section is a file of an archive.
type section struct {
	name, text string
	line       int // the number of the line before its first, in the archive
}

var marker = regexp.MustCompile(`^-- (.+) --\s*$`)

// archive parses a text in txtar form. It drops the comment at the head.
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

// step is a command of a script with the wanted exit status and output.
type step struct {
	line    int
	command string
	code    int
	want    []string
}

// steps parses a script.
func steps(t *testing.T, name string, script section) []step {
	var out []step
	open := false // whether the line belongs to the output of the last step
	line := script.line
	for l := range strings.Lines(script.text) {
		line++
		l = strings.TrimRight(l, "\n")
		switch {
		case strings.HasPrefix(l, "$ "):
			if strings.LastIndex(l, "validate ") > len("$ ") {
				t.Fatalf("%s:%d: validate must be the only command of a step, because it may be skipped", name,
					line)
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

// shell runs a command and returns the lines that it prints and its exit status, or -1 if it was
// killed.
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

// matches reports whether each line matches the pattern of the same index.
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

// readOnly removes all write permissions below dir until the test ends. Root is not bound by them.
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

// state returns a line per file below dir: name, mode, time and hash. The times of directories
// reveal files that were created and removed.
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
			return fmt.Sprintf("before %q, after %q", append(x, "")[min(i, len(x))],
				append(y, "")[min(i, len(y))])
		}
	}
	return "nothing"
}

// moduleDir returns the directory of a dependency of ours in the module cache.
func moduleDir(t *testing.T, path string) string {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", path)
	cmd.Dir = ".."
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("%s is not in the module cache: run go mod download", path)
	}
	return dir
}

// haveValidator reports whether the command validate can run. If the variable CI is set, it must.
func haveValidator(t *testing.T) bool {
	err := exec.Command("/usr/bin/python3", "-c", "import jsonschema").Run()
	if err == nil {
		return true
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("documents cannot be validated: /usr/bin/python3 has no jsonschema (%v): "+
			"apt-get install python3-jsonschema", err)
	}
	t.Run("validate", func(t *testing.T) {
		t.Skipf("/usr/bin/python3 has no jsonschema (%v): apt-get install python3-jsonschema", err)
	})
	return false
}
