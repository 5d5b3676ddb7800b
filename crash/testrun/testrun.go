package testrun

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"dsd/crash/confine"
	"dsd/crash/stack"
	"dsd/internal/overlay"
	"dsd/internal/source"
)

// Test is a test to run.
type Test struct {
	Name   string // of the test function, unique in its package
	File   string // base name of its file, unique in its package
	Source string
	// Files are the contents of further files that it needs, by paths relative to its package's
	// directory: Go files, which are compiled with it, and data that it reads.
	Files map[string]string
}

// Result is how a test ended.
type Result struct {
	// Output is what the test printed. Of several runs it is that of the last one that
	// panicked, or else of the last one.
	Output string
	// Crashes is the number of runs that panicked.
	Crashes int
	// Err is why the test did not run to its end: it does not compile, or took too long. A
	// panic is no error.
	Err string

	// NotBuilt reports whether the test does not compile; Err has the compiler's first error.
	NotBuilt bool
}

// Options bound the runs.
type Options struct {
	// Timeout bounds each run of a test.
	Timeout time.Duration
	// Jobs is the number of tests that run at a time; at least one does.
	Jobs int
	// Repeat is how many times each test is run; 0 means once.
	Repeat int
	// OwnTests are the package's own test files. They are compiled with the tests. If they do
	// not compile, they are left out, and Log gets a message.
	OwnTests []string
	// HideOwnTests leaves them out in any case.
	HideOwnTests bool
	// Overlay replaces files of the module, or adds some, by names relative to its root.
	Overlay map[string][]byte
	// Env are further environment variables of the tests, "KEY=value".
	Env []string
	// Ended, if not nil, is called after each run of the i-th test with the directory in which
	// it ran, before that is removed. Calls are concurrent.
	Ended func(i int, dir string)
	// CompilerFlags are further flags of the compiler for the module's packages.
	CompilerFlags string
	Log           io.Writer
	// Unconfined lets tests do everything that the user may.
	Unconfined bool
}

const (
	// maxOutput is the number of bytes of a test's output that are kept.
	maxOutput = 256 << 10
	// memoryKB is the size of the memory that a test may write, in KiB: 4 GiB.
	memoryKB = 4 << 20
	// maxFile is the size of the largest file that a test may write, in bytes.
	maxFile = 64 << 20
)

// stackLimit is a file that lets an endless recursion end soon: by default a stack may grow to 1
// GB.
const stackLimit = "package %s\n\nimport zzdebug \"runtime/debug\"\n\n" +
	"func init() { zzdebug.SetMaxStack(64 << 20) }\n"

// stackLimitFile is its base name.
const stackLimitFile = "zz_dsd_limits_test.go"

// Run compiles the tests into the package with import path path, in directory dir (relative to
// root, the testee's), and runs each in a process of its own. results[i] belongs to tests[i].
//
// An error means that the package itself cannot be tested, or that ctx ended; a test that does not
// compile has its reason in its result.
func Run(ctx context.Context, root, path, dir string, tests []Test, opt Options) ([]Result, error) {
	results := make([]Result, len(tests))
	o, err := overlay.Open(root)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	b := &builder{over: o, path: path, dir: dir, tests: tests, results: results, opt: opt}
	bin, err := b.build(ctx)
	if err != nil || bin == "" {
		return results, err
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for n := range max(opt.Jobs, 1) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cwd := filepath.Join(o.Scratch, fmt.Sprintf("run%d", n))
			for i := range next {
				results[i] = repeat(ctx, bin, cwd, &tests[i], opt, func() {
					if opt.Ended != nil {
						opt.Ended(i, cwd)
					}
				})
			}
		}()
	}
	for i := range tests {
		if results[i].Err == "" && ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	const slash = string(filepath.Separator)
	for i := range results {
		// Name the testee's files, not those of its copy, and no directory that differs
		// from run to run.
		out := strings.ReplaceAll(results[i].Output, o.Root+slash, root+slash)
		results[i].Output = strings.ReplaceAll(out, o.Scratch+slash, "")
	}
	return results, ctx.Err()
}

// builder compiles the tests of a package.
type builder struct {
	over      *overlay.Overlay
	path, dir string // of the package
	tests     []Test
	results   []Result // Err of tests that do not compile
	opt       Options

	byFile map[string]int // index of the test, by the base name of its file
	hidden bool           // OwnTests are left out, or there are none
}

// packageClause matches the package clause of a file.
var packageClause = regexp.MustCompile(`(?m)^package \w+`)

// complaint matches a compiler's line about a test file.
var complaint = regexp.MustCompile(`(?m)^(?:\S*/)?(\S+_test\.go):\d+:\d+: (.*)$`)

// build compiles the tests that compile and returns the binary; "" if no test is left.
func (b *builder) build(ctx context.Context) (bin string, err error) {
	for name, text := range b.opt.Overlay {
		if err := b.over.Add(filepath.FromSlash(name), text); err != nil {
			return "", err
		}
	}
	if err := b.addFiles(); err != nil {
		return "", err
	}
	b.hidden = len(b.opt.OwnTests) == 0
	if b.opt.HideOwnTests {
		b.hideOwnTests()
	}
	bin = filepath.Join(b.over.Scratch, "candidates.test")
	for b.testsLeft() {
		// With -e the compiler reports all errors, not the first ten.
		flags := "-gcflags=" + b.path + "=-e"
		args := []string{"-c", "-o", bin, flags, b.path}
		if more := b.opt.CompilerFlags; more != "" {
			args = []string{"-c", "-o", bin, "-gcflags=./...=" + more, flags + " " + more, b.path}
		}
		cmd, err := b.over.Command(ctx, "test", args...)
		if err != nil {
			return "", err
		}
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err == nil {
			why := ""
			if !b.hidden {
				why = b.faultOfOwnTests(ctx, bin)
			}
			if why == "" {
				return bin, ctx.Err()
			}
			fmt.Fprintf(b.opt.Log, "%s: its own tests do not start where tests run, "+
				"so those of crashes are compiled without them: %s\n", b.path, why)
			b.hideOwnTests()
			continue
		}
		switch {
		case b.dropTests(string(out)):
		case !b.hidden:
			fmt.Fprintf(b.opt.Log, "%s: its own tests do not build, "+
				"so those of crashes are compiled without them: %s\n",
				b.path, source.FirstComplaint(string(out)))
			b.hideOwnTests()
		default:
			return "", fmt.Errorf("the tests of %s do not build: %s", b.path,
				strings.TrimSpace(string(out)))
		}
	}
	return "", nil
}

// faultOfOwnTests runs no test, and returns why even that fails, "" if it does not: the init
// functions or the TestMain of the package's own tests may panic or exit, since tests run in an
// empty directory.
func (b *builder) faultOfOwnTests(ctx context.Context, bin string) string {
	cwd := filepath.Join(b.over.Scratch, "start")
	if err := os.MkdirAll(cwd, 0o777); err != nil {
		return err.Error()
	}
	r, failed := runPattern(ctx, bin, cwd, "^$", b.opt)
	switch p := stack.Parse(r.Output); {
	case p != nil:
		return p.Message
	case r.Err != "":
		return r.Err
	case failed:
		return source.FirstComplaint(r.Output)
	}
	return ""
}

// addFiles adds the tests, the Go files that they need, and the stack limit to the package.
func (b *builder) addFiles() error {
	b.byFile = map[string]int{}
	for i, t := range b.tests {
		b.byFile[t.File] = i
		if err := b.add(t.File, t.Source); err != nil {
			return err
		}
		for name, text := range t.Files {
			if strings.HasSuffix(name, ".go") {
				if err := b.add(name, text); err != nil {
					return err
				}
			}
		}
	}
	if len(b.tests) == 0 {
		return nil
	}
	name := strings.TrimPrefix(packageClause.FindString(b.tests[0].Source), "package ")
	return b.add(stackLimitFile, fmt.Sprintf(stackLimit, name))
}

func (b *builder) add(name, text string) error {
	return b.over.Add(filepath.Join(b.dir, name), []byte(text))
}

// hideOwnTests leaves the package's own test files out. A generated test that was kept among them
// stays.
func (b *builder) hideOwnTests() {
	b.hidden = true
	for _, name := range b.opt.OwnTests {
		if _, generated := b.byFile[filepath.Base(name)]; !generated {
			b.over.Hide(filepath.Join(b.dir, filepath.Base(name)))
		}
	}
}

// testsLeft reports whether some test has not been dropped.
func (b *builder) testsLeft() bool {
	for i := range b.tests {
		if b.results[i].Err == "" {
			return true
		}
	}
	return false
}

// dropTests leaves out the tests that the compiler complains about and reports whether there are
// any.
func (b *builder) dropTests(complaints string) bool {
	dropped := false
	for _, m := range complaint.FindAllStringSubmatch(complaints, -1) {
		i, ok := b.byFile[m[1]]
		if !ok || b.results[i].Err != "" {
			continue
		}
		b.results[i].Err = "the test does not compile: " + m[2]

		b.results[i].NotBuilt = true
		b.over.Remove(filepath.Join(b.dir, b.tests[i].File))
		dropped = true
	}
	return dropped
}

// repeat runs one test as often as opt says, each time in directory cwd with nothing but the files
// that it reads. It calls ended after each run.
func repeat(
	ctx context.Context, bin, cwd string, t *Test, opt Options, ended func(),
) Result {
	var last Result
	crashes := 0
	for range max(opt.Repeat, 1) {
		if err := prepare(cwd, t); err != nil {
			return Result{Err: err.Error()}
		}
		r := run(ctx, bin, cwd, t.Name, opt)
		ended()
		if stack.Parse(r.Output) != nil {
			crashes++
			last = r
		} else if crashes == 0 {
			last = r
		}
		if r.Err != "" { // another run would most likely take as long
			break
		}
	}
	last.Crashes = crashes
	return last
}

// prepare makes cwd a directory with the data files of a test only.
func prepare(cwd string, t *Test) error {
	os.RemoveAll(cwd)
	if err := os.Mkdir(cwd, 0o777); err != nil {
		return err
	}
	for name, text := range t.Files {
		if strings.HasSuffix(name, ".go") {
			continue
		}
		file := filepath.Join(cwd, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// run runs the test function called name once, in directory cwd.
func run(ctx context.Context, bin, cwd, name string, opt Options) Result {
	r, _ := runPattern(ctx, bin, cwd, "^"+regexp.QuoteMeta(name)+"$", opt)
	return r
}

// runPattern runs the tests that a pattern matches, in directory cwd. failed reports whether the
// process did not exit with status 0.
func runPattern(
	ctx context.Context, bin, cwd, pattern string, opt Options,
) (r Result, failed bool) {
	ctx, cancel := context.WithTimeout(ctx, opt.Timeout)
	defer cancel()
	rules := confine.Rules{Dir: cwd, MemoryKB: memoryKB, FileBytes: maxFile,
		Env: opt.Env, Unconfined: opt.Unconfined}
	cmd, err := confine.Command(ctx, rules, bin, "-test.run="+pattern, "-test.count=1")
	if err != nil {
		return Result{Err: err.Error()}, true
	}
	out := &headWriter{}
	cmd.Stdout, cmd.Stderr = out, out
	overlay.KillGroup(cmd)
	err = cmd.Run()
	r.Output = out.buf.String()
	switch ctx.Err() {
	case context.Canceled:
		r.Err = "interrupted"
	case context.DeadlineExceeded:
		r.Err = fmt.Sprintf("the test did not end in %v", opt.Timeout)
	}
	return r, err != nil
}

// headWriter is a writer that keeps the first maxOutput bytes.
type headWriter struct{ buf bytes.Buffer }

func (w *headWriter) Write(p []byte) (int, error) {
	if room := maxOutput - w.buf.Len(); room > 0 {
		w.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
