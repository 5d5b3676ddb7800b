package testrun

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dsd/crash/stack"
	"dsd/internal/confine"
	"dsd/internal/memo"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/internal/subprocess"
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
	// Err is why the test did not run to its end: it does not compile, did not start, took too long, or
	// its process ended before. A panic is no error.
	Err string
	// Started reports whether the test function was called in some run.
	Started bool

	// NotRun reports whether the test was not run because Options.Time was over, or Options.Enough said so.
	NotRun bool
	// NotBuilt reports whether the test does not compile; Err has the compiler's first error.
	NotBuilt bool
	// Late reports whether the test was stopped because its time was over.
	Late bool
	// Refused are the names of the system calls that the confined test was refused, and that may be why it ended as
	// it did.
	Refused []string
}

// Options bound the runs.
type Options struct {
	// Timeout bounds each run of a test.
	Timeout time.Duration
	// Time is how long tests are begun, once they are compiled, in their order; 0 means until all have run.
	Time time.Duration
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
	// Enough, if not nil, is called with the result of each test. After it returns true, no other test is started.
	Enough func(i int, r Result) bool
	// CompilerFlags are further flags of the compiler for the module's packages.
	CompilerFlags string
	Log           io.Writer
	// Unconfined lets tests do everything that the user may.
	Unconfined bool
	// FullStack lets stacks grow as in any program, to 1 GB. By default an endless recursion ends sooner, and one that
	// is only deep may, too.
	FullStack bool
	// Memo, if not nil, has results of earlier runs, and gets new ones. Run does not look at it, but verify.Run.
	Memo *memo.Memo

	read []string // directories that they may read
}

const (
	// maxOutput is the number of bytes of a test's output that are kept.
	maxOutput = 256 << 10
	// memoryKB is the size of the memory that a test may write, in KiB: 4 GiB.
	memoryKB = 4 << 20
	// maxFile is the size of the largest file that a test may write, in bytes.
	maxFile = 64 << 20
)

const (
	// fullStack is the size to which Go lets stacks grow on 64-bit machines, in bytes, and maxStack how far they grow
	// in tests unless FullStack is set.
	fullStack, maxStack = 1_000_000_000, 64 << 20
)

// limits is a file that lets an endless recursion end soon: stacks grow to %[3]d bytes.
// It has a test, which shows whether tests start. %[2]s is the prefix of all names, which the package
// does not use.
const limits = `package %[1]s

import (
	%[2]sdebug "runtime/debug"
	%[2]stesting "testing"
)

func init() { %[2]sdebug.SetMaxStack(%[3]d) }

func Test_%[2]s(*%[2]stesting.T) {}
`

// room is a file that lets the stacks of an endless recursion have huge pages. Until it ends, it touches twice maxStack:
// with pages of 4 KB, three quarters of the time of such a test goes into page faults. The Go runtime asks for no huge
// pages, and on most systems only who asks gets them. So the heap gets as much address space, asks for them there, and
// gives it back to itself.
const room = `package %[1]s

import (
	%[2]sreflect "reflect"
	%[2]sruntime "runtime"
	%[2]ssyscall "syscall"
)

// The package may have a byte, make or uintptr of its own.
func init() {
	room := &[%[3]d / 16]%[2]ssyscall.Timespec{}
	%[2]ssyscall.RawSyscall(%[2]ssyscall.SYS_MADVISE, %[2]sreflect.ValueOf(room).Pointer(), %[3]d, %[2]ssyscall.MADV_HUGEPAGE)
	%[2]sruntime.GC()
}
`

// limitsFile and roomFile are their base names.
const (
	limitsFile = "zz_dsd_limits_test.go"
	roomFile   = "zz_dsd_room_test.go"
)

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
	opt.read = o.Readable()
	b := &builder{over: o, path: path, dir: dir, tests: tests, results: results, opt: opt}
	bin, err := b.build(ctx)
	if err != nil || bin == "" {
		return results, err
	}
	// Name the testee's files, not those of its copy, and no directory that differs
	// from run to run.
	const slash = string(filepath.Separator)
	names := strings.NewReplacer(o.Root+slash, root+slash, o.Scratch+slash, "")
	next := make(chan int)
	var enough atomic.Bool
	var wg sync.WaitGroup
	for n := range max(opt.Jobs, 1) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cwd := filepath.Join(o.Scratch, fmt.Sprintf("run%d", n))
			for i := range next {
				if enough.Load() {
					results[i].NotRun = true
					continue
				}
				results[i] = repeat(ctx, bin, cwd, &tests[i], opt, func() {
					if opt.Ended != nil {
						opt.Ended(i, cwd)
					}
				})
				results[i].Output = names.Replace(results[i].Output)
				if opt.Enough != nil && opt.Enough(i, results[i]) {
					enough.Store(true)
				}
			}
		}()
	}
	began := time.Now()
	for i := range tests {
		switch {
		case results[i].Err != "" || ctx.Err() != nil:
		case opt.Time > 0 && time.Since(began) > opt.Time:
			results[i].NotRun = true
		default:
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return results, ctx.Err()
}

// BuildError is the error of Run if the package does not compile with any test. Text is what the
// compiler reports.
type BuildError struct{ Package, Text string }

func (e *BuildError) Error() string {
	return fmt.Sprintf("the tests of %s do not build: %s", e.Package, e.Text)
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
	prefix string         // of the names in limitsFile
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
		// With -e the compiler reports all errors, not the first ten. What it would tell debuggers, the linker drops.
		flags := "-gcflags=" + b.path + "=-e -dwarf=false"
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
			return "", &BuildError{b.path, strings.TrimSpace(string(out))}
		}
	}
	return "", nil
}

// faultOfOwnTests runs a test that does nothing, and returns why even that fails, "" if it does not: the
// init functions or the TestMain of the package's own tests may panic or exit, since tests run in an
// empty directory, or run no tests.
func (b *builder) faultOfOwnTests(ctx context.Context, bin string) string {
	cwd := filepath.Join(b.over.Scratch, "start")
	if err := os.MkdirAll(cwd, 0o777); err != nil {
		return err.Error()
	}
	r := run(ctx, bin, cwd, "Test_"+b.prefix, b.opt)
	if p := stack.Parse(r.Output); p != nil {
		return p.Message
	}
	return r.Err
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
	b.prefix = b.freePrefix()
	stack := maxStack
	if b.opt.FullStack {
		stack = fullStack
	}
	if runtime.GOOS == "linux" {
		const size = 2*maxStack + maxStack/4
		if err := b.add(roomFile, fmt.Sprintf(room, name, b.prefix, size)); err != nil {
			return err
		}
	}
	return b.add(limitsFile, fmt.Sprintf(limits, name, b.prefix, stack))
}

// freePrefix returns the beginning of names that no Go file of the package uses.
func (b *builder) freePrefix() string {
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(overlay.Literally(b.over.Root), overlay.Literally(b.dir), "*.go"))
	for _, f := range files {
		text, _ := os.ReadFile(f) // what cannot be read does not compile, either
		all.Write(text)
	}
	prefix := "zz"
	for strings.Contains(all.String(), prefix) {
		prefix += "z"
	}
	return prefix
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
		r.Started = r.Started || last.Started
		if stack.Parse(r.Output) != nil {
			crashes++
			last = r
		} else if crashes == 0 {
			last = r
		}
		last.Started = r.Started
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
func run(ctx context.Context, bin, cwd, name string, opt Options) (r Result) {
	ctx, cancel := context.WithTimeout(ctx, opt.Timeout)
	defer cancel()
	rules := confine.Rules{Dir: cwd, MemoryKB: memoryKB, FileBytes: maxFile,
		Env: opt.Env, Read: opt.read, Unconfined: opt.Unconfined}
	cmd, err := confine.Command(ctx, rules, bin, "-test.run=^"+regexp.QuoteMeta(name)+"$", "-test.count=1",
		"-test.v")
	if err != nil {
		return Result{Err: err.Error()}
	}
	out := &headWriter{}
	cmd.Stdout, cmd.Stderr = out, out
	subprocess.KillGroup(cmd)
	refused := func() []string { return nil }
	if !opt.Unconfined {
		refused = confine.Watch(cmd)
	}
	err = cmd.Run()
	r.Refused = refused()
	r.Output = out.buf.String()
	r.Started = strings.Contains(r.Output, "=== RUN   "+name)
	switch {
	case ctx.Err() == context.Canceled:
		r.Err = "interrupted"
	case ctx.Err() == context.DeadlineExceeded:
		r.Err, r.Late = fmt.Sprintf("the test did not end in %v", opt.Timeout), true
	case stack.Parse(r.Output) != nil:
	case !r.Started && err == nil:
		r.Err = "the test did not start: the process ended before"
	case !r.Started:
		r.Err = fmt.Sprintf("the test did not start: %v", because(err, r.Output))
	case err != nil && !out.full() && !strings.Contains(r.Output, "--- FAIL: "+name):
		r.Err = fmt.Sprintf("the process ended before the test: %v", because(err, r.Output))
	case err == nil && !out.full() && !ended.MatchString(r.Output):
		r.Err = "the process ended before the test, with status 0"
	}
	return r
}

// ended matches what a test that ended prints.
var ended = regexp.MustCompile(`(?m)--- (PASS|SKIP|FAIL): `)

// because returns the last line that a process printed before it ended with an error, and the error if
// it printed none.
func because(err error, output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if last := lines[len(lines)-1]; last != "" && !strings.HasPrefix(last, "=== RUN") {
		return fmt.Sprintf("%s (%v)", last, err)
	}
	return err.Error()
}

// headWriter is a writer that keeps the first maxOutput bytes.
type headWriter struct{ buf bytes.Buffer }

// full reports whether there was more.
func (w *headWriter) full() bool { return w.buf.Len() == maxOutput }

func (w *headWriter) Write(p []byte) (int, error) {
	if room := maxOutput - w.buf.Len(); room > 0 {
		w.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
