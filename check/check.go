package check

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"dsd/check/lower"
	"dsd/check/smt"
	"dsd/check/vcgen"
	"dsd/internal/source"
	"dsd/schemas"
)

// Options say how to check. The zero value is the language level with the default bounds.
type Options struct {
	// Assume are invariants to assume; nil is the language level.
	Assume *schemas.Invariants
	// Jobs is how many functions are worked on at a time; 0 is one a processor. It does not change the result.
	Jobs int
	// Solver is the command of an external solver; "" is the libz3 that the program is linked with.
	Solver string
	// Rlimit is the budget of a query in the solver's units of work; 0 is DefaultRlimit.
	Rlimit int
	// Dump, if not nil, receives those intermediate forms of each function that Forms names, see Forms.
	Dump  func(fn, form, text string)
	Forms []string
	// Functions, if not nil, are checked in place of those of prog.Packages.
	Functions []*source.Func
	// Asks, if not nil, says which of a function's panics are asked about, of a kind at a "file:line:col".
	Asks func(fn string, kind schemas.Kind, pos string) bool
	// Log receives what a person should know. Not nil.
	Log io.Writer
}

// DefaultRlimit is about a fifth of a second of libz3's work. With half of it, simple proofs about slices of slices are not
// found any more.
const DefaultRlimit = 200_000

// Run checks every function and method with a body of prog.Packages, apart from their test files.
//
// The document lists every function that could not be analysed under Skipped. A warning is sat if the solver's model
// holds by our own evaluation too, unknown if the solver gave up. When ctx ends, what is finished is returned, marked
// incomplete, with ctx's error. Other errors: the solver cannot be had.
func Run(ctx context.Context, prog *source.Program, opt Options) (*schemas.Warnings, error) {
	if opt.Rlimit == 0 {
		opt.Rlimit = DefaultRlimit
	}
	c := &checker{prog: prog, opt: opt, w: lower.New(prog), session: func() (smt.Session, error) { return smt.NewZ3(), nil }}
	if opt.Solver != "" {
		c.session = func() (smt.Session, error) { return smt.NewProcess(opt.Solver) }
		s, err := c.session()
		if err != nil {
			return nil, err
		}
		stop := context.AfterFunc(ctx, s.Interrupt)
		_, err = s.Eval("")
		stop()
		s.Close()
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("--solver %q does not answer: %w", opt.Solver, err)
		}
	}
	return c.run(ctx)
}

// run checks the functions, several at a time.
func (c *checker) run(ctx context.Context) (*schemas.Warnings, error) {
	opt := c.opt
	c.prepare()
	results := make([]*result, len(c.roots))
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				results[i] = c.function(ctx, c.roots[i])
			}
		}()
	}
	for _, i := range c.lemmas.order {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return c.document(ctx, results), ctx.Err()
}

// checker holds what the functions of one run share; after prepare it is only read.
type checker struct {
	prog      *source.Program
	opt       Options
	w         *lower.World
	roots     []*lower.Root
	contracts map[string]*vcgen.Contract
	lemmas    *lemmas
	session   func() (smt.Session, error) // opens a session with the solver
}

// prepare lowers everything and turns the invariants into terms.
func (c *checker) prepare() {
	for _, err := range c.w.ModelErrors {
		fmt.Fprintln(c.opt.Log, err)
	}
	funcs := c.opt.Functions
	if funcs == nil {
		for _, pkg := range c.prog.Packages {
			funcs = append(funcs, pkg.Funcs()...)
		}
	}
	for _, f := range funcs {
		c.roots = append(c.roots, c.w.Root(f))
	}
	c.contracts = map[string]*vcgen.Contract{}
	if c.opt.Assume != nil {
		c.assumptions()
	}
	c.w.Close()
	c.lemmas = newLemmas(c.w, c.roots)
	if c.dumps("ir") {
		for _, r := range c.roots {
			if r.Err == nil {
				var text strings.Builder
				c.w.Func(r.Key).Dump(&text)
				c.opt.Dump(r.Func.Name, "ir", text.String())
			}
		}
	}
}
