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
)

// Test is a test to be run.
type Test struct {
	Name   string // of the test function, unique in its package
	File   string // base name of its file, unique in its package
	Source string
	// Files are others that it needs: Go files beside it, and what it reads, by paths relative to its package's directory.
	Files map[string]string
}

// Result is how a test ended.
type Result struct {
	// Output is what it printed; of several runs, the last one that panicked.
	Output string
	// Crashes is how many of the runs panicked.
	Crashes int
	// Err says why it did not run to its end: it does not compile, or took too long. A panic is no error.
	Err string
	// NotBuilt reports that the test does not compile; Err has the compiler's first error.
	NotBuilt bool
}

// Options bound the runs.
type Options struct {
	// Timeout of one test.
	Timeout time.Duration
	// Jobs is how many tests run at a time.
	Jobs int
	// Repeat is how often a test is run; 0 is once.
	Repeat int
	// OwnTests are the package's own test files. They are compiled, too, as they will be where the tests go; if they do not
	// compile, they are left out, and Log is told.
	OwnTests []string
	// HideOwnTests leaves them out in any case.
	HideOwnTests bool
	Log          io.Writer
	// Unconfined lets tests do all that the user may.
	Unconfined bool
}

// maxOutput is how much a test may print before the rest is dropped.
const maxOutput = 1 << 18

// memoryKB bounds the address space of a test.
const memoryKB = 6 << 20

// maxFile bounds a file that a test writes, in bytes.
const maxFile = 64 << 20

// Run compiles the tests into the package with directory dir (relative to the testee's root) and import path path, and
// runs each in a process of its own. results[i] belongs to tests[i].
//
// Tests that do not compile are left out, and the others compiled again. An error means that the package itself cannot
// be tested, or that ctx ended.
func Run(ctx context.Context, root, path, dir string, tests []Test, opt Options) ([]Result, error) {
	results := make([]Result, len(tests))
	o, err := overlay.Open(root)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	bin, err := build(ctx, o, path, dir, tests, results, opt)
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
				results[i] = repeat(ctx, bin, cwd, &tests[i], opt)
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
	for i := range results { // the copy of a module in the module cache stands for the module
		results[i].Output = strings.ReplaceAll(results[i].Output, o.Root+string(filepath.Separator), root+string(filepath.Separator))
		results[i].Output = strings.ReplaceAll(results[i].Output, o.Scratch+string(filepath.Separator), "") // other each time
	}
	return results, ctx.Err()
}

// limits makes endless recursion end soon: the default is a stack of a gigabyte.
const limits = "package %s\n\nimport zzdebug \"runtime/debug\"\n\nfunc init() { zzdebug.SetMaxStack(64 << 20) }\n"

var packageClause = regexp.MustCompile(`(?m)^package \w+`)

// complaint is a compiler's line about one of our files.
var complaint = regexp.MustCompile(`(?m)^(?:\S*/)?(\S+_test\.go):\d+:\d+: (.*)$`)

// build compiles the tests that compile and returns the binary, "" if none is left.
func build(ctx context.Context, o *overlay.Overlay, path, dir string, tests []Test, results []Result, opt Options) (string, error) {
	hidden := len(opt.OwnTests) == 0
	hide := func(ours map[string]int) {
		hidden = true
		for _, name := range opt.OwnTests {
			if _, is := ours[filepath.Base(name)]; !is {
				o.Hide(filepath.Join(dir, filepath.Base(name)))
			}
		}
	}
	bin := filepath.Join(o.Scratch, "candidates.test")
	byFile := map[string]int{}
	for i, t := range tests {
		byFile[t.File] = i
		if err := o.Add(filepath.Join(dir, t.File), []byte(t.Source)); err != nil {
			return "", err
		}
		for name, text := range t.Files {
			if strings.HasSuffix(name, ".go") {
				if err := o.Add(filepath.Join(dir, name), []byte(text)); err != nil {
					return "", err
				}
			}
		}
	}
	if opt.HideOwnTests {
		hide(byFile)
	}
	if len(tests) > 0 {
		name := strings.TrimPrefix(packageClause.FindString(tests[0].Source), "package ")
		if err := o.Add(filepath.Join(dir, "zz_dsd_limits_test.go"), []byte(fmt.Sprintf(limits, name))); err != nil {
			return "", err
		}
	}
	for {
		left := 0
		for i := range tests {
			if results[i].Err == "" {
				left++
			}
		}
		if left == 0 {
			return "", nil
		}
		// All errors are wanted, not the first ten.
		cmd, err := o.Command(ctx, "test", "-c", "-gcflags="+path+"=-e", "-o", bin, path)
		if err != nil {
			return "", err
		}
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err == nil {
			return bin, nil
		}
		dropped := false
		for _, m := range complaint.FindAllStringSubmatch(string(out), -1) {
			i, ok := byFile[m[1]]
			if !ok || results[i].Err != "" {
				continue
			}
			results[i].Err = "the test does not compile: " + m[2]
			results[i].NotBuilt = true
			o.Remove(filepath.Join(dir, tests[i].File))
			dropped = true
		}
		if !dropped && !hidden {
			dropped = true
			fmt.Fprintf(opt.Log, "%s: its own tests do not build, so those of crashes are compiled without them: %s\n", path, firstComplaint(string(out)))
			hide(byFile)
		}
		if !dropped {
			return "", fmt.Errorf("the tests of %s do not build: %s", path, strings.TrimSpace(string(out)))
		}
	}
}

// firstComplaint is the first line that is not the name of a package.
func firstComplaint(out string) string {
	for l := range strings.Lines(out) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			return l
		}
	}
	return strings.TrimSpace(out)
}

// repeat runs one test several times, each time in a directory with nothing but what it reads.
func repeat(ctx context.Context, bin, cwd string, t *Test, opt Options) Result {
	var last Result
	crashes := 0
	for range max(opt.Repeat, 1) {
		os.RemoveAll(cwd)
		if err := os.Mkdir(cwd, 0o777); err != nil {
			return Result{Err: err.Error()}
		}
		for name, text := range t.Files {
			if strings.HasSuffix(name, ".go") {
				continue
			}
			file := filepath.Join(cwd, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return Result{Err: err.Error()}
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				return Result{Err: err.Error()}
			}
		}
		r := run(ctx, bin, cwd, t.Name, opt.Timeout, opt.Unconfined)
		if stack.Parse(r.Output) != nil {
			crashes++
			last = r
		} else if crashes == 0 {
			last = r
		}
		if r.Err != "" { // it takes long
			break
		}
	}
	last.Crashes = crashes
	return last
}

// run runs one test.
func run(ctx context.Context, bin, cwd, name string, timeout time.Duration, open bool) Result {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd, err := confine.Command(ctx, confine.Rules{Dir: cwd, MemoryKB: memoryKB, FileBytes: maxFile, Unconfined: open}, bin, "-test.run=^"+regexp.QuoteMeta(name)+"$", "-test.count=1")
	if err != nil {
		return Result{Err: err.Error()}
	}
	out := &limited{}
	cmd.Stdout, cmd.Stderr = out, out
	overlay.KillGroup(cmd)
	cmd.Run()
	r := Result{Output: out.buf.String()}
	if ctx.Err() == context.Canceled {
		r.Err = "interrupted"
	}
	if ctx.Err() == context.DeadlineExceeded {
		r.Err = fmt.Sprintf("the test did not end in %v", timeout)
	}
	return r
}

// limited keeps the beginning of what is written.
type limited struct{ buf bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := maxOutput - l.buf.Len(); room > 0 {
		l.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
