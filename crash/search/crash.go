package search

import (
	"context"
	"go/types"
	"sort"
	"strings"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/stack"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Crash is a panic, with the smallest candidate found that leads to it.
type Crash struct {
	Kind    schemas.Kind
	Message string
	// Frames are those in the testee, crash first.
	Frames []schemas.Frame
	evidence
	// Target is the function that the last statement calls.
	Target *types.Func
	// PreChecked is how many of the Called functions have known preconditions, and PreHeld how many of these the inputs meet.
	Called, PreChecked, PreHeld int
	// Goal says that it is one of those that were looked for.
	Goal bool
	// FoundAfter is how long after the first candidate it was found.
	FoundAfter time.Duration
}

// crash keeps a panic, of those that are alike the shortest candidate.
func (c *campaign) crash(p candidate.Program, e candidate.Event) {
	if c.found == nil {
		return
	}
	if fn := c.g.Table[p[len(p)-1].Op].Func; c.opt.Only != nil && (fn == nil || !c.opt.Only(fn)) {
		return // met on the way
	}
	if known := c.keys[e.StackKey]; known != nil && e.StackKey != 0 && len(c.opt.Goals) == 0 {
		known.better(c.evidence(p, e))
		return
	}
	x := c.read(e.Text)
	if x == nil {
		return
	}
	k := c.key(x, p)
	if old := c.found[k]; old != nil {
		old.better(c.evidence(p, e))
	} else {
		x.evidence = c.evidence(p, e)
		x.FoundAfter = time.Since(c.begin)
		c.found[k] = x
		c.order = append(c.order, k)
	}
	x = c.found[k]
	c.keys[e.StackKey] = x
	for _, a := range c.aims {
		if !a.done && a.op == p[len(p)-1].Op && a.goal.reaches(x) {
			x.Goal = true
			a.done = !x.Fabricated && !x.violates
		}
	}
}

// fabricated says that something before the last call of a candidate is what no user of the package can do.
func (c *campaign) fabricated(p candidate.Program) bool {
	for i := range p[:len(p)-1] {
		if c.g.Table[p[i].Op].Internal {
			return true
		}
	}
	return false
}

// nils says that a candidate makes a nil pointer, interface or function.
func (c *campaign) nils(p candidate.Program) bool {
	for i := range p {
		if nils(c.g.Table[p[i].Op]) {
			return true
		}
	}
	return false
}

// evidence is a candidate that crashes, and what speaks against it.
type evidence struct {
	Program candidate.Program
	// violates says that inputs do not meet the known preconditions.
	violates bool
	// Fabricated says that no user of the package could write what comes before the last call.
	Fabricated bool
	// NilArgument says that it passes a nil pointer, interface or function to something.
	NilArgument bool
}

func (c *campaign) evidence(p candidate.Program, e candidate.Event) evidence {
	return evidence{p, e.PreHeld < e.PreChecked, c.fabricated(p), e.Nil || c.nils(p)}
}

// better takes a candidate in place of the one that is known, if less speaks against it, or it is shorter.
func (x *Crash) better(e evidence) {
	switch {
	case x.violates != e.violates:
		if e.violates {
			return
		}
	case x.Fabricated != e.Fabricated:
		if e.Fabricated {
			return
		}
	case x.NilArgument != e.NilArgument:
		if e.NilArgument {
			return
		}
	case len(e.Program) >= len(x.Program):
		return
	}
	x.evidence = e
}

// key tells crashes apart: the kind and the place; of an endless recursion the first of its functions by name, as any may be
// on top.
func (c *campaign) key(x *Crash, p candidate.Program) string {
	at := x.Frames[0]
	if x.Kind == schemas.StackOverflow {
		at.Pos = ""
		for _, f := range x.Frames[:min(len(x.Frames), 50)] {
			at.Func = min(at.Func, f.Func)
		}
	}
	k := string(x.Kind) + " " + at.Func + "@" + at.Pos
	if len(c.opt.Goals) > 0 {
		k += " by " + c.g.Table[p[len(p)-1].Op].Name
	}
	return k
}

// read reads a panic's text; nil if it did not happen in the testee, or is no panic.
func (c *campaign) read(text string) *Crash {
	p := stack.Parse(text)
	if p == nil || outOfMemory(p.Message) {
		return nil
	}
	x := &Crash{Kind: p.Kind, Message: p.Message}
	x.Frames = p.Within(c.h.Root(), func(file string) bool {
		return strings.HasSuffix(file, tableFile) || strings.Contains(file, instrument.RuntimeDir)
	})
	if len(x.Frames) == 0 {
		return nil
	}
	return x
}

// tableFile is the file that the harness's calls are in.
const tableFile = "zz_dsd_table_test.go"

// maxMinimise is how long one crash is made smaller, and maxRuns how many candidates that takes if their number matters.
const (
	maxMinimise = time.Second
	maxRuns     = 300
)

// minimise makes the candidates of all crashes small, and says what can be said of them. It returns the number of those that
// are left alone.
func (c *campaign) minimise(ctx context.Context) (refused int) {
	limits := candidate.DefaultLimits
	limits.PanicsPerStack, limits.Unconfined = 1<<30, c.opt.Open
	runner := c.h.NewRunner(limits)
	defer runner.Close()
	for _, k := range c.order {
		x := c.found[k]
		if (x.Kind == schemas.ExplicitPanic || x.Kind == schemas.NilDeref && x.NilArgument) && !c.opt.All && len(c.opt.Preconditions) == 0 {
			refused++
			continue
		}
		if len(c.opt.Goals) > 0 && !x.Goal {
			continue
		}
		until, runs, end := time.Now().Add(maxMinimise), 0, 0
		same := func(p candidate.Program) bool {
			runs++
			if c.opt.Candidates > 0 && runs > maxRuns || c.opt.Candidates == 0 && time.Now().After(until) || ctx.Err() != nil {
				return false
			}
			events, err := runner.Run(ctx, []candidate.Program{p})
			if err != nil {
				return false
			}
			for _, e := range events {
				y := c.read(e.Text)
				if y != nil && c.key(y, p[:min(e.Stmt+1, len(p))]) == k && !c.worse(x, p, e) {
					x.Message = y.Message
					x.Called, x.PreChecked, x.PreHeld = e.Called, e.PreChecked, e.PreHeld
					end = e.Stmt + 1
					return true
				}
			}
			return false
		}
		if !same(x.Program) {
			continue // not repeatable
		}
		x.Program = minimise(x.Program, c.g.Table, same)
		if x.Program = x.Program[:min(end, len(x.Program))]; c.g.Table[x.Program[len(x.Program)-1].Op].Func == nil {
			continue
		}
		c.describe(x)
	}
	c.order = compact(c.order, c.found)
	return refused
}

// worse says that more speaks against a candidate than against the one that is known.
func (c *campaign) worse(x *Crash, p candidate.Program, e candidate.Event) bool {
	w := c.evidence(p, e)
	return w.NilArgument && !x.NilArgument || w.violates && !x.violates
}

// outOfMemory says that a fatal error is the confinement's doing, more than the testee's.
func outOfMemory(message string) bool {
	return strings.Contains(message, "out of memory") || strings.Contains(message, "cannot allocate memory")
}

// compact leaves out the crashes that could not be repeated, or are no function's.
func compact(order []string, found map[string]*Crash) []string {
	var out []string
	for _, k := range order {
		if found[k].Target != nil {
			out = append(out, k)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return symbol.PosLess(found[out[i]].Frames[0].Pos, found[out[j]].Frames[0].Pos) })
	return out
}

// describe says of a crash what its candidate does.
func (c *campaign) describe(x *Crash) {
	last := &x.Program[len(x.Program)-1]
	x.Target = c.g.Table[last.Op].Func
	x.Fabricated = c.fabricated(x.Program)
}
