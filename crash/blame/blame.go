package blame

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/internal/symbol"
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
			crash: c, code: code, called: findFunc(code.funcs, c.Func),
			inputs: list[i], observed: observed[i],
		}
		if n := len(c.Stack); e.called == nil && n > 0 { // a method of an interface
			e.called = findFunc(code.funcs, c.Stack[n-1].Func)
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
	if opt.OnePerPanic {
		crashes = onePerPanic(crashes)
	}
	demote(crashes)
	return crashes
}

// ranks are the ranks, best first.
var ranks = []schemas.Rank{schemas.LikelyBug, schemas.Look, schemas.Contract, schemas.Unreachable}

// onePerPanic returns one crash of those with panics of one kind at one position, and numbers them:
// the one with the best rank, then the highest score, then the shortest inputs.
func onePerPanic(crashes []schemas.Crash) []schemas.Crash {
	best := map[string]int{} // indices
	for i := range crashes {
		c := &crashes[i]
		k := panicKey(c)
		j, ok := best[k]
		if !ok {
			best[k] = i
			continue
		}
		b := &crashes[j]
		order := cmp.Or(
			cmp.Compare(slices.Index(ranks, c.Rank), slices.Index(ranks, b.Rank)),
			cmp.Compare(b.Score, c.Score),
			cmp.Compare(len(c.Inputs), len(b.Inputs)),
		)
		if order < 0 {
			best[k] = i
		}
	}
	out := []schemas.Crash{}
	for i, c := range crashes {
		if best[panicKey(&c)] == i {
			c.ID = fmt.Sprintf("C%d", len(out)+1)
			out = append(out, c)
		}
	}
	return out
}

// findFunc returns the function that a document names, with or without type arguments; nil if there
// is none.
func findFunc(funcs map[string]*source.Func, name string) *source.Func {
	if f := funcs[symbol.Plain(name)]; f != nil {
		return f
	}
	return funcs[name]
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

// panicKey identifies a panic by its kind and position, and an endless recursion, of which any function
// may be the innermost one, by the first of them in the order of their names.
func panicKey(c *schemas.Crash) string {
	if c.Kind != schemas.StackOverflow || len(c.Stack) == 0 {
		return string(c.Kind) + " " + c.Pos
	}
	first := c.Stack[0].Func
	for _, f := range c.Stack {
		first = min(first, f.Func)
	}
	return string(c.Kind) + " " + first
}

// maxAlike is the number of likely bugs among crashes whose panics are alike, and maxOfClass that among
// panics of one class in calls of one package, or maxOfInternal if only the module may import it. Most of
// them are bugs if one is, each with a line of its own to mend; more than a few say nothing new.
const (
	maxAlike      = 4
	maxOfClass    = 4
	maxOfInternal = 2
)

// demote leaves one likely bug of those with the same panic, maxAlike of those whose panics are alike,
// of one class in calls of one function or of one class in one function, and maxOfClass or maxOfInternal
// of one class in one package. It keeps those with the highest scores, then the shortest inputs; all
// but the first of those that are alike have the sign SimilarPanic.
func demote(crashes []schemas.Crash) {
	likely := []*schemas.Crash{}
	for i := range crashes {
		if crashes[i].Rank == schemas.LikelyBug {
			likely = append(likely, &crashes[i])
		}
	}
	slices.SortStableFunc(likely, func(a, b *schemas.Crash) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(len(a.Inputs), len(b.Inputs)))
	})
	same := map[string]*schemas.Crash{}
	alike := map[string][]*schemas.Crash{}
	ofClass := map[string]int{}
	for _, c := range likely {
		class := class(c.Kind)
		panics := string(c.Kind) + " " + symbol.Line(c.Pos)
		called := "in calls " + class + " " + c.Func
		around := "in " + class + " "
		if len(c.Stack) > 0 {
			around += c.Stack[0].Func
		} else {
			around += c.Func
		}
		if first := same[panics]; first != nil {
			c.Rank, c.Signs = schemas.Look, append(c.Signs, schemas.Sign{Name: "same-panic",
				Text: fmt.Sprintf("%s shows the same panic", first.ID)})
			continue
		}
		inPackage, limit := class+" in "+symbol.Parse(c.Func).Package, maxOfClass
		if isInternal(symbol.Parse(c.Func).Package) {
			limit = maxOfInternal
		}
		switch {
		case max(len(alike[called]), len(alike[around])) >= maxAlike:
			c.Rank = schemas.Look
		case ofClass[inPackage] == limit:
			c.Rank, c.Signs = schemas.Look, append(c.Signs, schemas.Sign{Name: "more-of-a-kind",
				Text: fmt.Sprintf("%d others of this kind in the package stand first", limit)})
		default:
			ofClass[inPackage]++
		}
		if list := alike[called]; len(list) > 0 {
			c.Signs = append(c.Signs, schemas.Sign{Name: schemas.SimilarPanic, Text: fmt.Sprintf(
				"%s shows a similar panic in a call of the same function", list[0].ID)})
		} else if list := alike[around]; len(list) > 0 {
			c.Signs = append(c.Signs, schemas.Sign{Name: schemas.SimilarPanic, Text: fmt.Sprintf(
				"%s shows a similar panic in the same function", list[0].ID)})
		}
		same[panics] = c
		alike[called] = append(alike[called], c)
		alike[around] = append(alike[around], c)
	}
}

// class returns the kind of a panic, one for indices and for bounds: the same mistake leads to both.
func class(k schemas.Kind) string {
	if k == schemas.SliceBounds {
		k = schemas.Index
	}
	return string(k)
}
