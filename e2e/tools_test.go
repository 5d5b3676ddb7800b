package e2e_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"dsd/schemas"
)

// tools maps the names under which scripts call the test binary to their functions. An argument
// list and an exit status are those of a command.
var tools = map[string]func(args []string) int{"show": show, "rerun": rerun, "interrupt": interrupt}

func fail(format string, args ...any) int {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	return 1
}

// show DOCUMENT... prints one line per entry of each document. It reads them as the commands do.
func show(args []string) int {
	for _, name := range args {
		text, err := os.ReadFile(name)
		if err == nil {
			err = showDocument(text, name)
		}
		if err != nil {
			return fail("show: %v", err)
		}
	}
	return 0
}

func showDocument(text []byte, name string) error {
	plain := io.Reader(bytes.NewReader(text))
	if z, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
		plain = z
	}
	var head schemas.Header
	if err := json.NewDecoder(plain).Decode(&head); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if head.Incomplete {
		fmt.Println("incomplete")
	}
	switch head.Schema {
	case "dsd/trace/v1":
		return showTrace(text, name)

	case "dsd/invariants/v1":
		doc, err := schemas.ReadInvariants(bytes.NewReader(text), name)
		if err != nil {
			return err
		}
		for _, p := range doc.Points {
			for _, inv := range p.Invariants {
				fmt.Printf("%s %s: %s\n", p.Func, p.At, inv.Expr)
			}
		}

	case "dsd/warnings/v1":
		doc, err := schemas.ReadWarnings(bytes.NewReader(text), name)
		if err != nil {
			return err
		}
		for _, w := range doc.Warnings {
			fmt.Printf("%s %s %s %s %s\n", w.ID, w.Kind, w.Func, w.Pos, w.Status)
		}
		for _, s := range doc.Skipped {
			fmt.Printf("skipped %s: %s\n", s.Func, s.Reason)
		}

	case "dsd/crashes/v1":
		doc, err := schemas.ReadCrashes(bytes.NewReader(text), name)
		if err != nil {
			return err
		}
		for _, c := range doc.Crashes {
			fmt.Printf("%s %s %s %s %s\n", c.Warning, c.Kind, c.Func, c.Pos, c.Message)
		}
		for _, u := range doc.Unconfirmed {
			fmt.Printf("unconfirmed %s: %s\n", u.Warning, u.Reason)
		}

	default:
		return fmt.Errorf("%s: unknown schema %q", name, head.Schema)
	}
	return nil
}

func showTrace(text []byte, name string) error {
	t, err := schemas.NewTraceReader(bytes.NewReader(text), name)
	if err != nil {
		return err
	}
	fmt.Println("tests:", t.Header.Tests)
	for _, l := range t.Header.LeftOut {
		fmt.Printf("left out %s: %s\n", l.Name, l.Reason)
	}
	for {
		s, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		p := t.Header.Points[s.Point]
		fmt.Printf("%d x %s %s:", s.Count, p.Func, p.At)
		for i, v := range p.Vars {
			fmt.Printf(" %s=%s", v.Name, s.Values[i])
		}
		fmt.Println()
	}
}

// rerun CRASHES MODULE TESTS does what the reader of a report would do: it copies the tests into a
// copy of the module, runs each with go test, and prints the position where it panics.
func rerun(args []string) int {
	f, err := os.Open(args[0])
	if err != nil {
		return fail("rerun: %v", err)
	}
	defer f.Close()
	doc, err := schemas.ReadCrashes(f, args[0])
	if err != nil {
		return fail("rerun: %v", err)
	}
	dir, err := os.MkdirTemp("", "rerun-")
	if err != nil {
		return fail("rerun: %v", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return fail("rerun: %v", err)
	}
	for _, from := range []string{args[1], args[2]} {
		if err := copyFiles(from, dir); err != nil {
			return fail("rerun: %v", err)
		}
	}
	for _, c := range doc.Crashes {
		pkg := strings.TrimPrefix(strings.TrimPrefix(c.Test.Package, doc.Module.Path), "/")
		source, err := os.ReadFile(filepath.Join(args[2], pkg, c.Test.File))
		if err != nil || string(source) != c.Test.Source {
			return fail("rerun: %s: its test in %s is not that of the document (%v)", c.ID, args[2], err)
		}
		cmd := exec.Command("go", "test", "-run", "^"+c.Test.Name+"$", c.Test.Package)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return fail("rerun: %s: go test passes (%v):\n%s", c.ID, err, out)
		}
		where := panicPosition(string(out), dir)
		if !strings.HasPrefix(c.Pos+":", where+":") {
			return fail("rerun: %s: panics at %q, want %s as in the document:\n%s", c.ID, where, c.Pos, out)
		}
		fmt.Printf("%s/%s panics at %s\n", c.Test.Package, c.Test.Name, where)
	}
	return 0
}

var frame = regexp.MustCompile(`^\t(.+\.go):(\d+)( |$)`)

// panicPosition returns file:line of the innermost frame below dir, in the first stack that a test
// printed.
func panicPosition(out, dir string) string {
	_, trace, _ := strings.Cut(out, "\ngoroutine ")
	for line := range strings.Lines(trace) {
		if m := frame.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			if rel, err := filepath.Rel(dir, m[1]); err == nil && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel) + ":" + m[2]
			}
		}
	}
	return ""
}

// copyFiles copies the regular files below from into to, and makes them writable.
func copyFiles(from, to string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), content, 0o666)
	})
}

// Time limits of interrupt.
const (
	untilStarted = 30 * time.Second
	untilStopped = 15 * time.Second // long, for a busy machine
)

// interrupt GLOB COMMAND... runs the command, sends it SIGINT once a file matches GLOB, and exits
// with its status. Unlike a terminal, it does not send the signal to the children of the command.
// It fails if the command does not end soon, or if a process that it started, directly or not,
// outlives it.
func interrupt(args []string) int {
	// Environments are inherited, so this marks the command and all its descendants.
	mark := fmt.Sprintf("E2E_INTERRUPT=%d.%d", os.Getpid(), time.Now().UnixNano())
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Env = append(os.Environ(), mark)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return fail("interrupt: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() {
		for pid := range marked(mark) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}()

	for deadline := time.Now().Add(untilStarted); ; time.Sleep(10 * time.Millisecond) {
		if found, _ := filepath.Glob(args[0]); len(found) > 0 {
			break
		}
		if time.Now().After(deadline) {
			return fail("interrupt: %s did not appear in %v", args[0], untilStarted)
		}
	}
	time.Sleep(300 * time.Millisecond) // until the work that the file announces has begun
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		return fail("interrupt: the command ended too early: %v", err)
	}
	select {
	case <-ended:
	case <-time.After(untilStopped):
		return fail("interrupt: the command is still running %v after SIGINT", untilStopped)
	}
	left := marked(mark)
	for i := 0; i < 20 && len(left) > 0; i++ { // they may be killed and not yet reaped
		time.Sleep(50 * time.Millisecond)
		left = marked(mark)
	}
	for _, command := range left {
		fmt.Fprintln(os.Stderr, "interrupt: left behind:", command)
	}
	return cmd.ProcessState.ExitCode()
}

// marked returns the processes with mark in their environment: process id to command line.
func marked(mark string) map[int]string {
	out := map[int]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(append([]byte{0}, env...), []byte("\x00"+mark+"\x00")) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(file, "/proc/%d/", &pid); err == nil {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			out[pid] = strings.ReplaceAll(strings.TrimRight(string(command), "\x00"), "\x00", " ")
		}
	}
	return out
}
