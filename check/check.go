package check

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	"dsd/check/ir"
	"dsd/check/lower"
	"dsd/check/prove"
	"dsd/check/smt"
	"dsd/internal/fact"
	"dsd/internal/shard"
	"dsd/internal/source"
	"dsd/schemas"
)

// Options say how to check. The zero value is the language level with the default bounds.
type Options struct {
	// Assume are invariants to assume; nil is the language level.
	Assume *schemas.Invariants
	// Jobs is the number of functions analyzed at the same time; 0 is one per processor. It
	// does not change the result, unless a budget ends it.
	Jobs int
	// Solver is the command of an external solver; "" is the libz3 that the program is linked
	// with.
	Solver string
	// Rlimit is the budget of a query in the solver's units of work; 0 is DefaultRlimit.
	Rlimit int
	// Budget, if not 0, is the time that the analysis may take. The most promising functions come
	// first; the others are listed as skipped.
	Budget time.Duration
	// Shard is the part of the functions that the document is to be about.
	Shard shard.Shard
	// Dump, if not nil, receives those intermediate forms of each function that Forms names;
	// see prove.Forms.
	Dump  func(fn, form, text string)
	Forms []string
	// Functions, if not nil, are checked in place of those of prog.Packages.
	Functions []*source.Func
	// Select, if not nil, reports whether to ask about a panic of a function, of a kind at a
	// "file:line:col".
	Select func(fn string, kind schemas.Kind, pos string) bool
	// Recovered says to warn also of panics that deferred functions may recover.
	Recovered bool
	// Facts are what calls returned in real runs; they are assumed of calls that are not
	// followed. OnlyFacts restricts the calls of functions with facts to arguments of these.
	Facts     []fact.Call
	OnlyFacts bool
	// Comparisons have the operands that they had in real runs, where calls that are not followed
	// determine them.
	Comparisons []fact.Comparison
	// Store, if not nil, keeps the results of functions for later runs of the program whose digest is
	// Program. It does not change the result. With Solver, Dump, Select or Facts, it is not used.
	Store   prove.Store
	Program [sha256.Size]byte
	// Lowered, if not nil, is called when all functions are lowered, before the first one is analyzed:
	// what stays in memory is there then.
	Lowered func()
	// Took, if not nil, is called after each function. With one job, nothing else runs while it is analyzed.
	Took func(Timing)
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(Progress)
	// Log receives what a person should know; nil discards it.
	Log io.Writer
}

// DefaultRlimit is about a fifth of a second of libz3's work. With half of it, simple proofs about
// slices of slices are no longer found.
const DefaultRlimit = 200_000

// Run checks every function and method with a body of prog.Packages, apart from their test files, and
// the function literals that others may call; see source.Package.Literals.
//
// The document lists under Skipped every function that could not be analyzed. A warning is sat if
// the solver's model holds by our own evaluation, too, and a replay comes to the panic; it is unknown
// if the solver gave up. When ctx ends, what is finished is returned, marked incomplete, with ctx's
// error. Other errors: the solver cannot be had.
func Run(ctx context.Context, prog *source.Program, opt Options) (*schemas.Warnings, error) {
	c, err := prepare(ctx, prog, opt)
	if err != nil {
		return nil, err
	}
	return c.run(ctx)
}

// run analyzes the functions, several at a time.
func (c *checker) run(ctx context.Context) (*schemas.Warnings, error) {
	if c.opt.Lowered != nil {
		c.opt.Lowered()
	}
	results := make([]*prove.Result, len(c.roots))
	jobs := c.opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	within, deadline := ctx, time.Time{}
	if c.opt.Budget > 0 {
		deadline = time.Now().Add(c.opt.Budget)
		c.cache.Promising(c.roots)
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	order := c.cache.Needed(c.roots, c.mine)
	t, stop := track(len(order), deadline, c.opt.Progress)
	next := make(chan int)
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			for i := range next {
				name := c.roots[i].Name()
				t.begin(name)
				begun := time.Now()
				results[i] = prove.Function(within, c.testee, c.cache, c.roots[i])
				warnings := 0
				if results[i] != nil {
					warnings = len(results[i].Warnings)
				}
				t.end(name, warnings)
				c.took(i, time.Since(begun))
			}
		})
	}
	for _, i := range order {
		if within.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	stop()
	err := ctx.Err() // once: a signal may come while the document is put together
	notReached := interrupted
	if err == nil && c.opt.Budget > 0 {
		notReached = fmt.Sprintf("not reached within the budget of %v", c.opt.Budget)
	}
	doc := c.document(results, notReached)
	doc.Incomplete = err != nil
	return doc, err
}

// Timing is what the analysis of a function cost.
type Timing struct {
	Func    string  `json:"func"`
	Seconds float64 `json:"seconds"`
	// Weight is what the function counts when functions are divided among shards.
	Weight int `json:"weight"`
	// Waits are the functions whose results it may use.
	Waits []string `json:"waits,omitempty"`
}

// took reports how long the analysis of the i-th root took.
func (c *checker) took(i int, d time.Duration) {
	if c.opt.Took == nil {
		return
	}
	r := c.roots[i]
	t := Timing{Func: r.Name(), Seconds: d.Seconds(), Weight: weight(c.testee.World, r)}
	if r.Err == nil {
		for _, key := range c.cache.Awaited(r.Key) {
			t.Waits = append(t.Waits, c.names[key])
		}
	}
	c.opt.Took(t)
}

// checker is a run: the functions, what their analyses share, and what is proved of them.
type checker struct {
	opt    Options
	testee *prove.Testee
	roots  []*lower.Root
	mine   []bool            // the roots that the document is about
	names  map[string]string // of the roots, by key
	cache  *prove.Cache
}

// prepare lowers all functions and turns the invariants into terms.
func prepare(ctx context.Context, prog *source.Program, opt Options) (*checker, error) {
	if opt.Log == nil {
		opt.Log = io.Discard
	}
	if opt.Rlimit == 0 {
		opt.Rlimit = DefaultRlimit
	}
	open, err := Solver(ctx, opt.Solver)
	if err != nil {
		return nil, err
	}
	w := lower.New(prog)
	for _, err := range w.ModelErrors {
		fmt.Fprintln(opt.Log, err)
	}
	for _, pkg := range prog.All {
		if pkg.CgoError != "" {
			fmt.Fprintf(opt.Log, "%s: what it uses of C has no types, because cgo fails: %s\n", pkg.Path,
				pkg.CgoError)
		}
	}
	for _, b := range prog.Broken {
		fmt.Fprintf(opt.Log, "skipped: %s: %s\n", b.Path, b.Reason())
	}
	funcs := opt.Functions
	if funcs == nil {
		for _, pkg := range prog.Packages {
			funcs = append(funcs, pkg.Funcs()...)
			funcs = append(funcs, w.Unnamed(pkg)...)
		}
	}
	c := &checker{opt: opt}
	for _, f := range funcs {
		c.roots = append(c.roots, w.Root(f))
	}
	for i, r := range c.roots { // others may need an instance
		if r.Key == "" {
			c.roots[i] = w.Root(r.Func)
		}
	}
	var contracts map[string]*ir.Contract
	if opt.Assume != nil {
		contracts = newContracts(prog, w, c.roots, opt.Assume)
	}
	w.Close()
	c.cache = prove.NewCache(w, c.roots)
	c.mine, c.names = inShard(opt.Shard, w, c.roots), map[string]string{}
	for _, r := range c.roots {
		c.names[r.Key] = r.Name()
	}
	c.testee = &prove.Testee{
		Prog: prog, World: w, Contracts: contracts, Open: open, Rlimit: opt.Rlimit,
		Select: opt.Select, Recovered: opt.Recovered, Dump: opt.Dump, Forms: opt.Forms, Log: opt.Log,
		Lock: new(sync.Mutex),
	}
	if len(opt.Facts)+len(opt.Comparisons) > 0 {
		c.testee.Facts = w.NewFacts(opt.Facts, opt.Comparisons, opt.OnlyFacts)
	}
	if opt.Store != nil && opt.Solver == "" && opt.Dump == nil && opt.Select == nil && c.testee.Facts == nil {
		base := fmt.Sprintf("check %x %s %s %v %v", opt.Program, smt.Version(), prog.Platform, opt.Rlimit,
			opt.Recovered)
		c.testee.Memo = prove.NewMemo(opt.Store, base, c.testee)
	}
	c.dumpCommands()
	return c, nil
}

// dumpCommands writes the guarded commands of the functions.
func (c *checker) dumpCommands() {
	if !c.testee.Dumps("ir") {
		return
	}
	for _, r := range c.roots {
		if r.Err == nil {
			var text strings.Builder
			c.testee.World.Func(r.Key).Dump(&text)
			c.opt.Dump(r.Name(), "ir", text.String())
		}
	}
}

// Solver returns what opens sessions with the solver of that command, or with the linked libz3 for
// "". The error reports that the command does not answer, or that no libz3 is linked.
func Solver(ctx context.Context, command string) (open func() (smt.Session, error), err error) {
	if command == "" && !smt.Linked {
		return nil, smt.ErrNoZ3
	} else if command == "" {
		return smt.NewZ3, nil
	}
	open = func() (smt.Session, error) { return smt.NewProcess(command) }
	s, err := open()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, s.Interrupt)
	_, err = s.Eval("")
	stop()
	s.Close()
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("--solver %q does not answer: %w", command, err)
	}
	return open, nil
}
