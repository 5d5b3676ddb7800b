package blame

import (
	"context"
	"io"

	"dsd/crash/verify"
	"dsd/internal/memo"
	"dsd/internal/source"
	"dsd/schemas"
)

// Options configure Assess. The zero value works.
type Options struct {
	// Assume holds the invariants by which inputs are judged; nil if there are none.
	Assume *schemas.Invariants
	// OnePerPanic says to keep one crash of those with the same panic: the best ranked one.
	OnePerPanic bool
	// Jobs is the number of tests that run at the same time; at least one does.
	Jobs int
	// Unconfined lets tests do whatever the user may do; otherwise they are confined.
	Unconfined bool
	// Memo, if not nil, has what tests of earlier runs showed, and gets what those of this one do.
	Memo *memo.Memo
	// Observer holds what was observed of some of the tests before; nil if nothing was.
	Observer *Observer
	// Log receives a line per package whose tests cannot be observed; nil discards them.
	Log io.Writer
}

// Assess sets Signs, Score, Rank and SatisfiesInvariants of crashes of prog, which have their IDs,
// and returns the crashes. It builds each package with a crash once, instrumented, and runs each
// test once. When ctx ends, the crashes are ranked by what is known.
func Assess(
	ctx context.Context, prog *source.Program, crashes []schemas.Crash, opt Options,
) []schemas.Crash {
	if opt.Log == nil {
		opt.Log = io.Discard
	}
	code := newCode(prog)
	list := make([]*inputs, len(crashes))
	for i := range crashes {
		if pkg := prog.Package(crashes[i].Test.Package); pkg != nil {
			list[i] = code.readInputs(pkg, &crashes[i].Test)
		}
	}
	observed := code.observeAll(ctx, crashes, list, opt)
	for i := range crashes {
		c := &crashes[i]
		e := &evidence{
			crash: c, code: code, called: verify.Func(code.funcs, c.Func),
			inputs: list[i], observed: observed[i],
		}
		if n := len(c.Stack); e.called == nil && n > 0 { // a method of an interface
			e.called = verify.Func(code.funcs, c.Stack[n-1].Func)
		}
		// The innermost function of the testee: those of other modules may be above it.
		for _, f := range c.Stack {
			if e.at, _ = verify.Enclosing(code.funcs, f.Func); e.at != nil {
				e.line = f.Pos
				break
			}
		}
		e.site = code.siteOf(e)
		if o := e.observed; o != nil && opt.Assume != nil {
			c.SatisfiesInvariants = o.known > 0 && len(o.violated) == 0
		}
		rank(e)
	}
	return Compare(crashes, opt.OnePerPanic)
}

// evidence is what is known about one crash. The pointers are nil if nothing is known.
type evidence struct {
	crash *schemas.Crash
	code  *code
	// called is the function whose call in the test crashes, and at the function around the
	// panic.
	called, at *source.Func
	line       string // the position in at, of the panic or of the call that leads to it
	site       *site
	inputs     *inputs
	observed   *observation
}

// LikelyBugScore is the least score of a likely bug, and contractScore the greatest of a crash that
// is ranked as a contract.
const (
	LikelyBugScore = 5
	contractScore  = -6
)

// rank collects the signs of a crash and sets its rank.
func rank(e *evidence) {
	c := e.crash
	c.Signs, c.Score, c.Rank = nil, 0, ""
	for _, s := range signs {
		text := s.seen(e)
		if text == "" {
			continue
		}
		c.Signs = append(c.Signs, schemas.Sign{Name: s.name, Weight: s.weight, Text: text})
		c.Score += s.weight
		if c.Rank == "" {
			c.Rank = s.decides
		}
	}
	switch {
	case c.Rank != "":
	case c.Score >= LikelyBugScore:
		c.Rank = schemas.LikelyBug
	case c.Score <= contractScore:
		c.Rank = schemas.Contract
	default:
		c.Rank = schemas.Look
	}
}
