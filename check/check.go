package check

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"runtime"
	"time"

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
	// Rank, if not nil, orders the functions before that: within a budget, those of the lowest rank come first.
	Rank func(*source.Func) int
	// MaxMemory, if not 0, is how many bytes the process is to use at most, as far as can be seen from outside.
	// Functions whose analysis takes more are listed as skipped.
	MaxMemory int64
	// Kinds are the kinds of panics that the document is to be about; nil is all.
	Kinds []schemas.Kind
	// Only, if not nil, reports whether the document is to be about a function.
	Only func(*source.Func) bool
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
	// Lowered, if not nil, is called when functions are lowered, before the first of them is analyzed: what
	// stays in memory is there then. That is once, unless the testee is large.
	Lowered func()
	// Took, if not nil, is called after each function. With one job, nothing else runs while it is analyzed.
	Took func(Timing)
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(Progress)

	// batchSize is the number of functions that are lowered together; 0 is the usual one.
	batchSize int
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

// checker is a run.
type checker struct {
	opt     Options
	prog    *source.Program
	open    func() (smt.Session, error)
	batches []*batch
	// proved is what was proved of the functions of batches before, by key.
	proved map[string][]prove.Status
	// results are those of the functions that the document is about.
	results []result
	// complaints are what lowering the testee had to say.
	complaints []string
	tracker    *tracker
}

// result is that of a function; nil if its analysis did not come to an end.
type result struct {
	name string
	*prove.Result
}

// notReached records that the functions of a batch were not analyzed.
func (c *checker) notReached(b *batch) {
	for i, f := range b.declared() {
		if b.isMine(i) {
			c.results = append(c.results, result{f.Name, nil})
		}
	}
}

// prepare divides the functions into batches.
func prepare(ctx context.Context, prog *source.Program, opt Options) (*checker, error) {
	if opt.Log == nil {
		opt.Log = io.Discard
	}
	if opt.Rlimit == 0 {
		opt.Rlimit = DefaultRlimit
	}
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	open, err := Solver(ctx, opt.Solver)
	if err != nil {
		return nil, err
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
	return &checker{opt: opt, prog: prog, open: open, batches: plan(prog, opt), proved: map[string][]prove.Status{}}, nil
}

// run returns the document, from the results of an earlier run if nothing has changed since.
func (c *checker) run(ctx context.Context) (*schemas.Warnings, error) {
	id, storable := c.wholeID()
	if storable && c.restore(id) {
		return c.document(""), nil
	}
	doc, err := c.analyzeAll(ctx)
	if storable && err == nil {
		c.keep(id)
	}
	return doc, err
}

// analyzeAll analyzes the functions batch by batch.
func (c *checker) analyzeAll(ctx context.Context) (*schemas.Warnings, error) {
	c.findNeeded(ctx)
	total := 0
	for _, b := range c.batches {
		total += b.wanted()
	}
	left, deadline := c.opt.Budget, time.Time{}
	if left > 0 {
		deadline = time.Now().Add(left)
	}
	var stop func()
	c.tracker, stop = track(total, deadline, c.opt.Progress)
	for _, b := range c.batches {
		n := b.wanted()
		switch {
		case n == 0: // other shards do all of it
		case ctx.Err() != nil || c.opt.Budget > 0 && left <= 0:
			c.notReached(b)
		default:
			begun := time.Now()
			c.lower(b)
			if err := c.analyze(ctx, b, analysisTime(left, n, total, time.Since(begun))); err != nil {
				stop()
				return nil, err
			}
			left -= time.Since(begun)
			b.forget()
		}
		total -= n
	}
	stop()
	err := ctx.Err() // once: a signal may come while the document is put together
	notReached := interrupted
	if err == nil && c.opt.Budget > 0 {
		notReached = fmt.Sprintf("not reached within the budget of %v", c.opt.Budget)
	}
	doc := c.document(notReached)
	doc.Incomplete = err != nil
	return doc, err
}

// analysisTime returns how long the analysis of a batch may take. n is its number of functions, total that of all
// batches not analyzed yet, and left the part of the budget that they share. lowering is the time that lowering the
// batch took; the batch's share pays for that, too. In a large module lowering may take more than the share. The
// analysis may then take as long as the lowering did, or else the batch would have been lowered for nothing. The result
// is 0, which is no limit, if left is 0.
func analysisTime(left time.Duration, n, total int, lowering time.Duration) time.Duration {
	share := left * time.Duration(n) / time.Duration(total)
	return max(share-lowering, min(left, lowering))
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
