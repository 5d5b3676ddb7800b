package check

import (
	"context"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"sync"
	"time"

	"dsd/check/ir"
	"dsd/check/lower"
	"dsd/check/prove"
	"dsd/internal/source"
	"dsd/internal/text"
)

// A large module is not lowered as a whole: that would take memory for all of it, and each analysis would know of
// the memories of all. It is divided into batches of packages, those that others import first. What is lowered
// for a batch are its functions and what they call, wherever that is. Of the functions in batches before it is
// known what was proved of them.

// batchSize is the number of functions from which on a module is divided, and of which a batch has at most as
// many, if no package has more.
const batchSize = 4000

// batch is some of the functions. How a testee is divided depends on nothing else.
type batch struct {
	packages []*source.Package // whose functions are the roots
	funcs    []*source.Func    // the roots, if not nil
	// mine are the roots that the document is about, in their order; nil if those are all.
	mine []bool
	// needed are the keys of roots that those of other batches wait for.
	needed map[string]bool

	// While the batch is analyzed, see checker.lower:
	testee *prove.Testee
	roots  []*lower.Root
	cache  *prove.Cache
	// earlier are the batches before of functions that were lowered, too, by key.
	earlier map[string]*batch
}

// plan divides the functions to check into batches, and tells which of them belong to the shard.
func plan(prog *source.Program, opt Options) []*batch {
	size := opt.batchSize
	if size == 0 {
		size = batchSize
	}
	total := 0
	wanted := map[*source.Package]bool{}
	for _, pkg := range prog.Packages {
		total += len(pkg.Funcs())
		wanted[pkg] = true
	}
	var out []*batch
	switch {
	case opt.Functions != nil:
		out = []*batch{{funcs: opt.Functions}}
	case total <= size:
		out = []*batch{{packages: prog.Packages}}
	default:
		n := 0                         // functions of the last batch
		for _, pkg := range prog.All { // in the order of imports
			if !wanted[pkg] {
				continue
			}
			if n += len(pkg.Funcs()); len(out) == 0 || n > size {
				out, n = append(out, &batch{}), len(pkg.Funcs())
			}
			last := out[len(out)-1]
			last.packages = append(last.packages, pkg)
		}
	}
	if opt.Shard.Of > 1 || opt.Only != nil {
		var lists [][]*source.Func
		for _, b := range out {
			lists = append(lists, b.declared())
		}
		all := slices.Concat(lists...)
		mine := inShard(opt.Shard, all)
		for i, f := range all {
			mine[i] = mine[i] && (opt.Only == nil || opt.Only(f))
		}
		for i, list := range lists {
			out[i].mine, mine = mine[:len(list)], mine[len(list):]
		}
	}
	return out
}

// declared returns the functions that will be the roots.
func (b *batch) declared() []*source.Func {
	if b.funcs != nil {
		return b.funcs
	}
	var out []*source.Func
	for _, pkg := range b.packages {
		literals, _ := pkg.Literals()
		out = slices.Concat(out, pkg.Funcs(), pkg.Initializers(), pkg.Inits(), literals)
	}
	return out
}

// wanted returns the number of roots to analyze, as far as that is known; 0 only if there are none.
func (b *batch) wanted() int {
	if b.mine == nil {
		n := 1 + len(b.funcs)
		for _, pkg := range b.packages {
			n += len(pkg.Funcs())
		}
		return n
	}
	n := len(b.needed)
	for _, m := range b.mine {
		if m {
			n++
		}
	}
	return n
}

// weight returns what a function counts among those of shards: the size of its syntax.
func weight(f *source.Func) int {
	n := 0
	ast.Inspect(f.Decl, func(ast.Node) bool { n++; return true })
	return n
}

// findNeeded finds the roots whose proofs those of the shard in other batches may use. It lowers the batches
// from the last one on, each for the time that this takes.
func (c *checker) findNeeded(ctx context.Context) {
	if c.batches[0].mine == nil || len(c.batches) == 1 {
		return
	}
	for _, b := range c.batches {
		b.needed = map[string]bool{}
	}
	for i := len(c.batches) - 1; i > 0 && ctx.Err() == nil; i-- {
		b := c.batches[i]
		if b.wanted() == 0 {
			continue
		}
		c.lower(b)
		for _, n := range b.order() {
			if b.roots[n].Err != nil {
				continue
			}
			for _, key := range b.cache.Awaited(b.roots[n].Key) {
				if earlier := b.earlier[key]; earlier != nil {
					earlier.needed[key] = true
				}
			}
		}
		b.forget()
	}
}

// lower lowers the functions of a batch and turns what is assumed of them into terms.
func (c *checker) lower(b *batch) {
	w := lower.New(c.prog)
	if b == c.batches[0] {
		for _, err := range w.ModelErrors {
			c.complain(err.Error())
		}
	}
	funcs := b.funcs
	if funcs == nil {
		for _, pkg := range b.packages {
			funcs = slices.Concat(funcs, pkg.Funcs(), w.Unnamed(pkg))
		}
	}
	for _, f := range funcs {
		b.roots = append(b.roots, w.Root(f))
	}
	for i, r := range b.roots { // others may need an instance
		if r.Key == "" {
			b.roots[i] = w.Root(r.Func)
		}
	}
	assumed := slices.Clone(b.roots)
	b.earlier = map[string]*batch{}
	var before []string // the keys of earlier, in an order
	for i, other := range c.batches {
		if other == b {
			continue
		}
		for _, pkg := range other.packages {
			for _, f := range slices.Concat(pkg.Funcs(), w.Unnamed(pkg)) {
				r := w.Lowered(f)
				if r == nil {
					continue
				}
				assumed = append(assumed, r)
				if i < slices.Index(c.batches, b) && b.earlier[r.Key] == nil {
					b.earlier[r.Key] = other
					before = append(before, r.Key)
				}
			}
		}
	}
	var contracts map[string]*ir.Contract
	if c.opt.Assume != nil {
		contracts = newContracts(c.prog, w, assumed, c.opt.Assume)
	}
	w.Close()
	b.cache = prove.NewCache(w, b.roots)
	for _, key := range before {
		b.cache.Know(key, c.proved[key])
	}
	b.testee = &prove.Testee{
		Prog: c.prog, World: w, Contracts: contracts, Open: c.open, Rlimit: c.opt.Rlimit,
		Select: c.opt.Select, Recovered: c.opt.Recovered, Dump: c.opt.Dump, Forms: c.opt.Forms, Log: c.opt.Log,
		Lock: new(sync.Mutex),
	}
	if len(c.opt.Facts)+len(c.opt.Comparisons) > 0 {
		b.testee.Facts = w.NewFacts(c.opt.Facts, c.opt.Comparisons, c.opt.OnlyFacts)
	}
	if c.opt.storable() {
		b.testee.Memo = prove.NewMemo(c.opt.Store, c.base(), b.testee)
	}
	b.dumpCommands()
}

// forget frees what lower made.
func (b *batch) forget() { b.testee, b.roots, b.cache, b.earlier = nil, nil, nil, nil }

// order returns the roots to analyze, as indices, callees first.
func (b *batch) order() []int {
	wanted := make([]bool, len(b.roots))
	for i, r := range b.roots {
		wanted[i] = b.isMine(i) || r.Err == nil && b.needed[r.Key]
	}
	return b.cache.Needed(b.roots, wanted)
}

// isMine reports whether the document is about the i-th root.
func (b *batch) isMine(i int) bool { return b.mine == nil || b.mine[i] }

// analyze analyzes the functions of a batch, several at a time, for that long if budget is not 0. It returns an error
// if Options.MaxMemory is too low for any.
func (c *checker) analyze(ctx context.Context, b *batch, budget time.Duration) error {
	if c.opt.Lowered != nil {
		c.opt.Lowered()
	}
	memory, stop, err := limitMemory(c.opt.MaxMemory)
	if err != nil {
		return err
	}
	defer stop()
	if budget > 0 {
		rank := c.opt.Rank
		if rank == nil {
			rank = func(*source.Func) int { return 0 }
		}
		b.cache.Promising(b.roots, rank)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, budget)
		defer cancel()
	}
	order := b.order()
	c.tracker.expect(len(order) - b.wanted()) // those too whose results others need
	results := make([]*prove.Result, len(b.roots))
	queue := b.cache.Queue(b.roots, order)
	defer context.AfterFunc(ctx, queue.Stop)()
	var wg sync.WaitGroup
	for range c.opt.Jobs {
		wg.Go(func() {
			for i, ok := queue.Next(); ok && ctx.Err() == nil; i, ok = queue.Next() {
				name := b.roots[i].Name()
				c.tracker.begin(name)
				within, end := memory.begin(ctx)
				begun := time.Now()
				results[i] = prove.Function(within, b.testee, b.cache, b.roots[i])
				queue.Done(i)
				if results[i] == nil && context.Cause(within) == errMemory {
					results[i] = &prove.Result{Err: fmt.Errorf("given up: it takes more memory than --max-memory %s allows",
						text.Size(c.opt.MaxMemory)), Unrepeatable: true}
				}
				end()
				warnings := 0
				if results[i] != nil {
					warnings = len(results[i].Warnings)
				}
				c.tracker.end(name, warnings)
				if c.opt.Took != nil {
					c.opt.Took(b.timing(i, time.Since(begun)))
				}
			}
		})
	}
	wg.Wait()
	for i, r := range b.roots {
		if b.isMine(i) {
			c.results = append(c.results, result{r.Func.Name, results[i]})
		}
		if r.Err == nil && results[i] != nil && len(c.batches) > 1 {
			c.proved[r.Key] = b.cache.Proved(r.Key)
		}
	}
	return nil
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

// timing returns what the analysis of the i-th root cost.
func (b *batch) timing(i int, d time.Duration) Timing {
	r := b.roots[i]
	t := Timing{Func: r.Key, Seconds: d.Seconds(), Weight: weight(r.Func)}
	if r.Err != nil {
		t.Func = r.Name()
		return t
	}
	t.Waits = b.cache.Awaited(r.Key)
	return t
}

// dumpCommands writes the guarded commands of the functions.
func (b *batch) dumpCommands() {
	if !b.testee.Dumps("ir") {
		return
	}
	for _, r := range b.roots {
		if r.Err == nil {
			var text strings.Builder
			b.testee.World.Func(r.Key).Dump(&text)
			b.testee.Dump(r.Name(), "ir", text.String())
		}
	}
}
