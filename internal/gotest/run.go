package gotest

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dsd/internal/confine"
	"dsd/internal/subprocess"
)

// Options say how tests run.
type Options struct {
	// Run and Skip are patterns of the tests that run, and that do not, as for go test; "" for all and
	// none.
	Run, Skip string
	// Timeout ends the tests of a package; 0 stands for DefaultTimeout, and Quiet for a test without any
	// output.
	Timeout time.Duration
	// Bench says to run benchmarks, too, once each.
	Bench bool
	// Env returns further environment variables, "KEY=value", of a run that is about to begin, and the directories that
	// it writes to.
	Env func() (env, writes []string, err error)
	// Confined runs them so that they write nowhere else but in the copy, have no network, start no processes and read
	// only the module and what it depends on; see package confine.
	Confined bool
}

const (
	// Quiet is how long tests may print nothing, and none of them begin or end, without Options.Timeout.
	Quiet = time.Minute
	// DefaultTimeout is how long the tests of a package may take without Options.Timeout.
	DefaultTimeout = 5 * time.Minute
	// maxMemoryKB is the size of the memory that confined tests may write, in KiB, and maxFile that of the largest
	// file, in bytes.
	maxMemoryKB = 4 << 20
	maxFile     = 1 << 30
)

// State is what became of a test.
type State string

// The states of tests: the first three are final.
const (
	Pass    State = "PASS"
	Fail    State = "FAIL"
	Skip    State = "SKIP"
	Running State = "RUN"
	Paused  State = "PAUSE"
)

// Result is what a run of a binary showed.
type Result struct {
	// Tests are the states of the top-level tests, examples, fuzz tests and benchmarks that began.
	Tests map[string]State
	// Failed reports whether the run failed. Hangs reports whether it was stopped because no test went
	// on, and TimedOut whether it was at its timeout.
	Failed, Hangs, TimedOut bool
	// Took is how long it ran, and Waited how long the last test that ended had then ended before.
	Took, Waited time.Duration
	// First is the first line that was printed, apart from those about tests.
	First string
	// Longest is how long the longest test took that ended.
	Longest time.Duration
	// Variables are the environment variables that the tests looked at, but for those that Env sets; nil
	// if that is not known. Outside reports whether they looked at files of the module that are not in the package's
	// folder, or may have.
	Variables []string
	Outside   bool
}

// Run runs the tests in a new copy of the package's folder. quiet is how long they may print nothing; 0
// stands for Quiet. The error is ctx's, or that there is no copy.
func (b *Binary) Run(ctx context.Context, opt Options, quiet time.Duration) (*Result, error) {
	to, dir, err := b.copy()
	defer os.RemoveAll(to)
	if err != nil {
		return nil, err
	}
	looked, err := os.CreateTemp(to, "looked-*")
	if err != nil {
		return nil, err
	}
	looked.Close()
	args := []string{"-test.paniconexit0", "-test.v=test2json", "-test.testlogfile=" + looked.Name(), "-test.timeout=0"}
	switch {
	case opt.Timeout > 0:
		quiet = 2 * opt.Timeout
	case quiet == 0:
		quiet = Quiet
	}
	if opt.Run != "" {
		args = append(args, "-test.run="+opt.Run)
	}
	if opt.Skip != "" {
		args = append(args, "-test.skip="+opt.Skip)
	}
	if opt.Bench {
		args = append(args, "-test.bench=.", "-test.benchtime=1x")
	}
	var own, writes []string // variables, and directories
	if opt.Env != nil {
		if own, writes, err = opt.Env(); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, b.file, args...)
	cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), []string{"PWD=" + dir}, own)
	if opt.Confined {
		home := filepath.Join(to, "home")
		if err := os.Mkdir(home, 0o777); err != nil {
			return nil, err
		}
		cmd, err = confine.Command(ctx, confine.Rules{
			Dir: dir, Home: home, Write: append(writes, to), Read: b.over.Readable(), Env: own,
			MemoryKB: maxMemoryKB, FileBytes: maxFile,
		}, b.file, args...)
		if err != nil {
			return nil, err
		}
	}
	subprocess.KillGroup(cmd)
	r, err := watch(cmd, quiet, cmp.Or(opt.Timeout, DefaultTimeout))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		r.Variables, r.Outside = b.looked(looked.Name(), dir, own)
	}
	return r, err
}

// looked returns what is in the log of what a test binary looked at: the environment variables, but for those that are
// set in own, and whether it looked at files of the module outside of dir, the copy of the package's folder. The
// variables are nil if there is no log, as of a process that did not come to its end.
func (b *Binary) looked(log, dir string, own []string) (variables []string, outside bool) {
	text, err := os.ReadFile(log)
	if err != nil || len(text) == 0 {
		return nil, true
	}
	os.Remove(log)
	variables = []string{}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		what, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if seen[line] {
			continue
		}
		seen[line] = true
		switch what {
		case "getenv":
			if name != "PWD" && !slices.ContainsFunc(own, func(v string) bool { return strings.HasPrefix(v, name+"=") }) {
				variables = append(variables, name)
			}
		case "open", "stat":
			outside = outside || b.isOutside(name, dir)
		case "chdir": // of later names it is not known what they mean
			outside = true
		}
	}
	return variables, outside
}

// isOutside reports whether a file that a test in dir, the copy of the package's folder, looks at is one of the module
// that is not in the folder. In the copy, what is not in the folder is a link.
func (b *Binary) isOutside(name, dir string) bool {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	real, err := filepath.EvalSymlinks(name)
	for err != nil && name != filepath.Dir(name) { // it is not there: where would it be?
		name = filepath.Dir(name)
		real, err = filepath.EvalSymlinks(name)
	}
	folder, err1 := filepath.EvalSymlinks(dir)
	root, err2 := filepath.EvalSymlinks(b.over.Root)
	copied, err3 := filepath.EvalSymlinks(strings.TrimSuffix(dir, relativeTo(root, b.Dir)))
	if err != nil || errors.Join(err1, err2, err3) != nil {
		return true
	}
	return !within(real, folder) && (within(real, root) || within(real, copied))
}

// within reports whether a file is dir, or in it.
func within(name, dir string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// relativeTo returns a path relative to another one, "" if that is the same one.
func relativeTo(base, name string) string {
	rel, err := filepath.Rel(base, name)
	if err != nil || rel == "." {
		return ""
	}
	return rel
}

// copies guards Binary.runs.
var copies sync.Mutex

// copy makes a new copy of the package's folder, dir, below a new directory.
func (b *Binary) copy() (to, dir string, err error) {
	copies.Lock()
	*b.runs++
	to = filepath.Join(b.over.Scratch, fmt.Sprintf("run%d", *b.runs))
	copies.Unlock()
	if err := os.Mkdir(to, 0o777); err != nil {
		return to, "", err
	}
	// The name of the module's folder stays: tests may look for it.
	root, err := filepath.EvalSymlinks(b.over.Root)
	if err != nil {
		return to, "", err
	}
	dir, err = Mirror(root, b.Dir, filepath.Join(to, "copy", filepath.Base(root)))
	return to, dir, err
}

// watch runs a test binary, and stops it if it is quiet for too long, or at the timeout.
func watch(cmd *exec.Cmd, quiet, timeout time.Duration) (*Result, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = in, in
	if err := cmd.Start(); err != nil {
		in.Close()
		return nil, err
	}
	in.Close()
	begin := time.Now()
	r := &reader{result: Result{Tests: map[string]State{}}, began: map[string]time.Time{}, ended: begin}
	var stopped, timedOut atomic.Bool
	timer := time.AfterFunc(quiet, func() {
		stopped.Store(true)
		cmd.Cancel()
	})
	limit := time.AfterFunc(timeout, func() {
		timedOut.Store(true)
		cmd.Cancel()
	})
	r.progress = func() { timer.Reset(quiet) }
	read := make(chan struct{})
	go func() { // a process that a test left behind may keep the pipe open
		r.read(out)
		close(read)
	}()
	err = cmd.Wait()
	select {
	case <-read:
	case <-time.After(time.Second):
		out.Close()
		<-read
	}
	timer.Stop()
	limit.Stop()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	r.result.Failed = err != nil
	r.result.Hangs, r.result.TimedOut = stopped.Load(), timedOut.Load()
	r.result.Took, r.result.Waited = time.Since(begin), time.Since(r.ended)
	return &r.result, nil
}

// reader reads the output of a test binary in the mode of test2json: lines about tests begin with the
// character 22, if need be after other output without an end of line.
type reader struct {
	result   Result
	began    map[string]time.Time
	ended    time.Time // when the last test ended, or the process began
	progress func()
}

// about matches what is said about a test.
var about = regexp.MustCompile(`\x16(=== RUN |=== PAUSE|=== CONT |=== NAME |--- PASS:|--- FAIL:|--- SKIP:) *(\S+)`)

// maxLine is the number of bytes of a line that are read at once.
const maxLine = 1 << 16

func (r *reader) read(from io.Reader) {
	in := bufio.NewReaderSize(from, maxLine)
	for {
		line, _, err := in.ReadLine()
		if err != nil {
			return
		}
		r.progress()
		text := string(line)
		said := about.FindAllStringSubmatch(text, -1)
		for _, m := range said {
			r.note(m[1], m[2])
		}
		if plain := strings.TrimSpace(text); len(said) == 0 && r.result.First == "" && plain != "" &&
			plain != "PASS" && plain != "FAIL" {
			r.result.First = plain
		}
	}
}

// note records what is said about a test.
func (r *reader) note(what, name string) {
	if strings.Contains(name, "/") {
		return
	}
	switch what {
	case "=== RUN ", "=== CONT ":
		r.result.Tests[name] = Running
		if _, ok := r.began[name]; !ok {
			r.began[name] = time.Now()
		}
	case "=== PAUSE":
		r.result.Tests[name] = Paused
	case "--- PASS:", "--- FAIL:", "--- SKIP:":
		r.result.Tests[name] = State(what[4:8])
		r.ended = time.Now()
		r.result.Longest = max(r.result.Longest, r.ended.Sub(r.began[name]))
	}
}
