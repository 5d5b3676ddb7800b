package crash

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/search/campaign"
	"dsd/crash/search/goal"
	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// A counterexample says what fields hold, and a literal may say so too, but no user of a package can write it if they are
// not exported. So sequences of calls are run that any user could write, guided by the counterexamples' values, and where
// one crashes as was warned, in the function that was warned of, it takes the literal's place [STAR 4].

// maxSequences is how many sequences are run a package, perWanted how many more for each crash that is looked for, and
// sequenceTime how long at most.
const (
	maxSequences = 10_000
	perWanted    = 1_000
	sequenceTime = 10 * time.Second
)

// wanted is a warning that no sequence confirms yet.
type wanted struct {
	warning *schemas.Warning
	f       *source.Func
	crash   *schemas.Crash // as a literal makes it, nil if none is reported
}

// sequences looks for sequences for the warnings that were confirmed by a literal, or could not be written as one.
func (c *confirmer) sequences(ctx context.Context, doc *schemas.Warnings) {
	byPackage := c.wanted(doc)
	writes := goal.FindModSets(c.prog)
	found := make([][]schemas.Crash, len(c.prog.All))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range c.opt.Jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				pkg := c.prog.All[i]
				crashes, err := c.sequencesOf(ctx, pkg, byPackage[pkg], writes, &mu)
				if err != nil && ctx.Err() == nil {
					mu.Lock()
					fmt.Fprintf(c.opt.Log, "%s: no sequences of calls: %s\n", pkg.Path, firstLine(err.Error()))
					mu.Unlock()
				}
				found[i] = crashes
			}
		}()
	}
	for i, pkg := range c.prog.All {
		if len(byPackage[pkg]) > 0 && ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	for _, list := range found {
		c.crashes = append(c.crashes, list...)
	}
}

// wanted lists the warnings for which sequences are looked for.
func (c *confirmer) wanted(doc *schemas.Warnings) map[*source.Package][]*wanted {
	out := map[*source.Package][]*wanted{}
	crashes := map[string]*schemas.Crash{}
	for i := range c.crashes {
		crashes[c.crashes[i].Warning] = &c.crashes[i]
	}
	for i := range doc.Warnings {
		w := &doc.Warnings[i]
		f := c.funcs[w.Func]
		if f == nil || w.Counterexample == nil {
			continue
		}
		if by := c.builtBy[w.ID]; by == schemas.ByLiteral || by == "" && c.unwritten[w.ID] {
			out[f.Pkg] = append(out[f.Pkg], &wanted{w, f, crashes[w.ID]})
		}
	}
	return out
}

// sequencesOf looks for sequences of a package: they replace the tests of crashes, or confirm warnings; those crashes are
// returned.
func (c *confirmer) sequencesOf(ctx context.Context, pkg *source.Package, list []*wanted, writes goal.ModSets, mu *sync.Mutex) ([]schemas.Crash, error) {
	opt := campaign.Options{Time: sequenceTime, Candidates: maxSequences + perWanted*len(list), Seed: 1, Reset: candidate.ResetReinit, Open: c.opt.Open, All: true, ModSets: writes, Preconditions: instrument.NewPreconditions(c.opt.Assume)}
	for _, w := range list {
		opt.Goals = append(opt.Goals, goal.Goal{Func: w.f.Obj, Counterexample: w.warning.Counterexample, Kind: w.warning.Kind, Line: symbol.Line(w.warning.Pos)})
		opt.Literals = literals(w.warning.Counterexample, opt.Literals)
	}
	res, err := campaign.Run(ctx, c.prog, pkg, opt)
	if err != nil {
		return nil, err
	}
	var tests []testrun.Test
	var matched []*wanted
	var crashes []schemas.Crash
	for _, w := range list {
		for _, x := range res.Crashes {
			if x.Kind != w.warning.Kind || x.Target.Origin() != w.f.Obj || x.Frames[0].Pos != symbol.Line(w.warning.Pos) {
				continue
			}
			if w.warning.Preconditions && (x.PreChecked == 0 || x.PreHeld < x.PreChecked) {
				continue // the solver's inputs meet them
			}
			cr := schemas.Crash{Kind: x.Kind, Func: w.warning.Func, Pos: w.warning.Pos, Warning: w.warning.ID, SatisfiesInvariants: w.warning.Preconditions}
			if w.crash != nil {
				cr = *w.crash
			} else {
				mu.Lock()
				cr.Test.Name, cr.Test.File = c.names.next(w.f.Name, pkg, x.Kind)
				mu.Unlock()
				cr.Test.Package = pkg.Path
			}
			comment := fmt.Sprintf("%s panics at %s: %s.", cr.Test.Name, w.warning.Pos, w.warning.Message)
			test, err := x.Program.WriteTest(pkg.Types, res.Graph.Table, cr.Test.Name, comment)
			if err != nil {
				continue
			}
			cr.Message, cr.Stack, cr.Level, cr.Inputs, cr.BuiltBy, cr.Test.Source = x.Message, x.Frames, len(x.Frames), test.Body, schemas.BySequence, test.Source
			if x.Fabricated {
				cr.BuiltBy, cr.UnexportedCalls = schemas.ByLiteral, true
			}
			tests = append(tests, testrun.Test{Name: cr.Test.Name, File: cr.Test.File, Source: test.Source})
			crashes, matched = append(crashes, cr), append(matched, w)
			break
		}
	}
	if len(tests) == 0 {
		return nil, nil
	}
	dir, err := filepath.Rel(c.prog.Dir, pkg.Dir)
	if err != nil {
		return nil, err
	}
	results, err := testrun.Run(ctx, c.prog.Dir, pkg.Path, dir, tests, testrun.Options{Timeout: c.opt.Timeout, Jobs: 1, Repeat: repeats, Unconfined: c.opt.Open, OwnTests: pkg.TestFiles, Log: c.opt.Log})
	if err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	var out []schemas.Crash
	for i, w := range matched {
		if differs(c.prog, &crashes[i], results[i]) != "" || results[i].Crashes < repeats {
			continue
		}
		x := &crashes[i]
		x.Message, x.Stack = seen(c.prog, x.Test.File, results[i])
		x.Level = len(x.Stack)
		if c.settle(w, x) {
			out = append(out, crashes[i])
		}
	}
	return out, nil
}

// settle notes that a sequence confirms a warning: it takes the place of the literal that does, or is a crash of its own, which is
// to be reported if that is returned.
func (c *confirmer) settle(w *wanted, x *schemas.Crash) bool {
	if c.builtBy[w.warning.ID] == "" {
		c.stats.Candidates++
		return c.confirmed(w.warning, x)
	}
	c.builtBy[w.warning.ID] = x.BuiltBy
	if x.BuiltBy == schemas.BySequence {
		c.stats.BySequence++
	}
	if w.crash != nil {
		*w.crash = *x
	}
	return false
}

// literals adds the numbers and strings of a counterexample to a list. It leaves out package-level variables and the
// results of calls, since a goal compares the arguments of a call and the objects alone.
func literals(ce *schemas.Counterexample, list []string) []string {
	add := func(n *schemas.Node) {
		text := strings.HasPrefix(n.Lit, `"`)
		if n.Lit != "" && (text || strings.Trim(n.Lit, "-0123456789") == "") && !slices.Contains(list, n.Lit) {
			list = append(list, n.Lit)
		}
	}
	for i := range ce.Params {
		ce.Params[i].Walk(add)
	}
	if ce.Receiver != nil {
		ce.Receiver.Walk(add)
	}
	for i := range ce.Objects {
		ce.Objects[i].Walk(add)
	}
	return list
}
