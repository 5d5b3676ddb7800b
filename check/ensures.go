package check

import (
	"context"
	"fmt"
	"go/types"
	"io"
	"slices"
	"sort"
	"strings"

	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/prove"
	"dsd/check/query"
	"dsd/check/smt"
	"dsd/check/vcgen"
	"dsd/internal/source"
	"dsd/schemas"
)

// Ensures returns what holds whenever f, a function of prog, returns, whatever its arguments and the
// package-level variables are. The candidates are lists of conditions over the receiver, the
// parameters and the results, in the language of internal/expr; in a list, each implies those after
// it. Of each list, the first condition that is proved is returned. It returns none if executions of
// f are not followed to their end. A condition that cannot be expressed as a term, or decided, does
// not count. The error says why f cannot be analyzed.
//
// Cost: one analysis of f, and for a list of n conditions log n queries.
func Ensures(
	ctx context.Context, prog *source.Program, f *source.Func, candidates [][]string, opt Options,
) ([]string, error) {
	opt.Functions, opt.Log = []*source.Func{f}, io.Discard
	if opt.Rlimit == 0 {
		opt.Rlimit = DefaultRlimit
	}
	open, err := Solver(ctx, opt.Solver)
	if err != nil {
		return nil, err
	}
	w := lower.New(prog)
	w.OpenInterfaces()
	r := w.Root(f)
	if r.Err != nil {
		return nil, r.Err
	}
	sig := f.Obj.Type().(*types.Signature)
	b, err := w.Contract(f.Pkg.Types, sig, sig.Recv(), w.Bindings(f.Obj, r.TypeArgs))
	if err != nil {
		return nil, err
	}
	var lists [][]string // of the conditions that are terms
	for _, list := range candidates {
		var terms []string
		for _, c := range list {
			if b.Clause(c, schemas.AtExit, c) == nil {
				terms = append(terms, c)
			}
		}
		lists = append(lists, terms)
	}
	w.Close()
	t := &prove.Testee{Prog: prog, World: w, Open: open, Rlimit: opt.Rlimit, Log: io.Discard}
	q := t.Query(ctx, f.Name, true)
	defer q.Close()
	builder := logic.NewBuilder()
	q.Begin(builder)
	inputs := r.Inputs(builder)
	any := anyInitials{w}
	bounds := vcgen.DefaultOptions
	bounds.AbstractLoops, bounds.Unknown = true, w.MemoryOrder
	start := vcgen.Begin(any, r.Key, builder, w.MemoryOrder, bounds)
	p := vcgen.Execute(any, r.Key, builder, inputs, start, nil, bounds)
	switch {
	case w.Func(r.Key).ByDefer != nil:
		return nil, fmt.Errorf("what it does depends on who calls it")
	case p.Dropped:
		return nil, fmt.Errorf("it is not followed to its end: %s", strings.Join(p.Bounded, "; "))
	case p.Exit == nil && p.Results == nil:
		return nil, fmt.Errorf("it does not return")
	}
	if v, _ := q.Query(append(slices.Clone(p.Exit), q.WellFormed(p.Exit)...)); v == smt.Unsat {
		return nil, fmt.Errorf("it does not return")
	}
	terms := vcgen.ExitTerms(q.B, b.Done(), inputs, p)
	var out []string
	for _, list := range lists {
		proved := func(i int) bool { return ctx.Err() == nil && i < len(terms) && holds(q, p, terms[i]) }
		first := sort.Search(len(list), proved)
		for i := first - 1; i >= max(0, first-nearby) && first < len(list); i-- {
			if proved(i) { // the search was misled by one that could not be decided
				first = i
			}
		}
		if first < len(list) {
			out = append(out, list[first])
		}
		terms = terms[min(len(list), len(terms)):]
	}
	return out, ctx.Err()
}

// nearby is the number of stronger conditions that are tried, too.
const nearby = 4

// holds reports whether a term is proved to hold where p returns.
func holds(q *query.Querier, p *vcgen.Program, term *logic.Term) bool {
	q.Begin(q.B)
	failure := append(slices.Clone(p.Exit), q.B.Not(term))
	v, _ := q.Query(append(failure, q.WellFormed(failure)...))
	return v == smt.Unsat
}

// anyInitials is a world whose package-level variables may hold anything at first: they are to be
// what they are at a call.
type anyInitials struct{ *lower.World }

func (anyInitials) Initials(string) ([]string, []*logic.Term) { return nil, nil }
