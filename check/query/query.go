package query

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/check/logic"
	"dsd/check/smt"
	"dsd/check/vcgen"
	"dsd/schemas"
)

// Limits of the queries about one function.
const (
	// maxQueries is the number of queries.
	maxQueries = 400
	// maxUndecided is the number of undecided obligations after which no more are asked about.
	maxUndecided = 5
	// maxThorough is the number of undecided obligations after which models with small inputs
	// are no longer looked for.
	maxThorough = 2
	// queryMillis guards a query in wall time. The budget in work runs out long before on any
	// machine in use.
	queryMillis = 5_000
	// maxFloatOps is the number of floating-point operations in a query; the results of further
	// ones are free.
	maxFloatOps = 6
	// maxSession is the number of queries in one session: the solver keeps every term it ever
	// saw.
	maxSession = 25
	// maxTerms is the number of terms beyond which the solver has no chance within its budget.
	// Of a hundred such queries about a large module it answered four.
	maxTerms = 16_000
)

// Config says how a Querier reaches the solver.
type Config struct {
	// Open opens a session with the solver.
	Open func() (smt.Session, error)
	// Rlimit is the budget of a query in the solver's units of work.
	Rlimit int
	// Log receives errors of the solver.
	Log io.Writer
	// Dump, if not nil, receives the text of all queries at the end.
	Dump func(text string)
	// NoSlicing asks about all terms at once, never first about the neighbors of what fails.
	NoSlicing bool
}

// Querier decides the obligations of one function. It is not safe for concurrent use.
type Querier struct {
	// Stats counts the queries and the verdicts.
	Stats schemas.CheckStats
	// B makes the terms of the queries; see Begin.
	B *logic.Builder
	// Dead reports whether the session was lost: no more queries can be answered.
	Dead bool

	ctx     context.Context
	cfg     Config
	name    string // of the function, for Log
	session smt.Session
	solver  *smt.Solver
	// inSession counts the queries in the session.
	inSession int
	// undecided counts the obligations that nothing decided.
	undecided int
	text      strings.Builder
}

// New returns a Querier for the function of that name. Close it at the end.
func New(ctx context.Context, name string, cfg Config) *Querier {
	return &Querier{ctx: ctx, name: name, cfg: cfg}
}

// Begin turns to queries about the terms of b. They get a session of their own, since names of
// terms are unique per builder only.
func (q *Querier) Begin(b *logic.Builder) { q.B, q.inSession = b, maxSession }

// Close ends the session.
func (q *Querier) Close() {
	if q.session != nil {
		q.session.Close()
	}
	if q.text.Len() > 0 {
		q.cfg.Dump(q.text.String())
	}
}

// Restart forgets how many obligations were undecided.
func (q *Querier) Restart() { q.undecided = 0 }

// Exhausted returns why the query budget for the function is spent, or "" if it is not.
func (q *Querier) Exhausted() string {
	switch {
	case q.Stats.Queries >= maxQueries:
		return fmt.Sprintf("%d questions were asked, no more", maxQueries)
	case q.undecided >= maxUndecided:
		return "the solver's budget for the function is spent"
	}
	return ""
}

// Ask decides whether the terms of failure, the last of which says what fails, can be true
// together with what holds of all inputs (vcgen.WellFormed). The model of a sat verdict satisfies
// them by our own evaluation, and has small inputs where such a model was found. undecidedBefore
// reports whether the same obligation was undecided where its function was analyzed alone: then
// only a model with small inputs is looked for.
func (q *Querier) Ask(failure []*logic.Term, undecidedBefore bool) (smt.Verdict, *logic.Model) {
	terms := append(failure, vcgen.WellFormed(q.B, failure)...)
	if m := zeroModel(terms); m != nil {
		q.Stats.Guessed++
		return smt.Sat, m
	}
	slice := neighbors(failure)
	if !undecidedBefore && !q.cfg.NoSlicing && len(slice) < len(failure)*2/3 {
		v, m := q.Query(append(slice, vcgen.WellFormed(q.B, slice)...))
		if v == smt.Unsat || v == smt.Sat && satisfies(m, terms) &&
			satisfies(m, q.small(terms, sizes[0])) {
			return v, m
		}
	}
	v, m := smt.Unknown, (*logic.Model)(nil)
	if !undecidedBefore {
		v, m = q.verified(terms)
	}
	if m != nil || v == smt.Unknown && (undecidedBefore || q.undecided < maxThorough) {
		if smaller := q.smaller(terms, m); smaller != nil {
			m = smaller
		}
	}
	switch {
	case m != nil:
		return smt.Sat, m
	case v == smt.Unsat:
		return smt.Unsat, nil
	}
	if m = guess(terms); m != nil {
		q.Stats.Guessed++
		return smt.Sat, m
	}
	q.undecided++
	return smt.Unknown, nil
}

// Consistent reports whether the terms can be true together. If the solver cannot tell, they can.
func (q *Querier) Consistent(terms []*logic.Term) bool {
	if len(terms) == 0 || logic.Size(terms...) > maxTerms {
		return true
	}
	all := slices.Concat(terms, vcgen.WellFormed(q.B, terms))
	if zeroModel(all) != nil {
		return true
	}
	v, _ := q.Query(all)
	return v != smt.Unsat
}

// Core returns a part of failure that cannot be true by itself, given that failure cannot: the
// terms that share inputs with what fails if those suffice, otherwise all of failure.
func (q *Querier) Core(failure []*logic.Term) []*logic.Term {
	slice := neighbors(failure)
	if len(slice) == len(failure) {
		return failure
	}
	if v, _ := q.Query(slices.Concat(slice, vcgen.WellFormed(q.B, slice))); v == smt.Unsat {
		return slice
	}
	return failure
}

// size says what counts as a small input: lengths, and numbers unless number is 0.
type size struct {
	length uint64
	number int64
}

// sizes are the sizes to look for, smallest first.
var sizes = []size{{length: 4, number: 16}, {length: 16}}

// small returns the terms, and that the inputs are of size s.
func (q *Querier) small(terms []*logic.Term, s size) []*logic.Term {
	return slices.Concat(terms, vcgen.Small(q.B, terms, s.length, s.number))
}

// smaller looks for a model smaller than m, or for any if m is nil.
func (q *Querier) smaller(terms []*logic.Term, m *logic.Model) *logic.Model {
	for _, s := range sizes {
		within := q.small(terms, s)
		if m != nil && satisfies(m, within) {
			return m
		}
		if _, found := q.verified(within); found != nil || m == nil {
			return found
		}
	}
	return m
}

// verified queries terms; a model that does not satisfy them counts as no verdict.
func (q *Querier) verified(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	v, m := q.Query(terms)
	if v == smt.Sat && !satisfies(m, terms) {
		return smt.Unknown, nil
	}
	return v, m
}

// neighbors returns the terms that share an input with the last one, and the last one. Often they
// suffice to prove that it cannot be true [STAR 3.2.1].
func neighbors(failure []*logic.Term) []*logic.Term {
	last := failure[len(failure)-1]
	inputs := map[*logic.Term]bool{}
	for _, l := range logic.Leaves(last) {
		inputs[l] = true
	}
	var out []*logic.Term
	for _, t := range failure[:len(failure)-1] {
		if slices.ContainsFunc(logic.Leaves(t), func(l *logic.Term) bool { return inputs[l] }) {
			out = append(out, t)
		}
	}
	return append(out, last)
}

// satisfies reports whether all terms are true under m.
func satisfies(m *logic.Model, terms []*logic.Term) bool {
	for _, v := range m.EvalAll(terms) {
		if v != 1 {
			return false
		}
	}
	return true
}

// Query asks the solver once whether the terms can be true together. The model is the solver's, and
// may not satisfy terms with floating-point operations beyond maxFloatOps.
func (q *Querier) Query(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	if !q.connect() {
		return smt.Unknown, nil
	}
	q.Stats.Queries++
	if logic.Size(terms...) > maxTerms {
		q.Stats.Unknown++
		return smt.Unknown, nil
	}
	for _, t := range terms {
		if t.IsFalse() {
			q.Stats.Unsat++
			return smt.Unsat, nil
		}
	}
	defer context.AfterFunc(q.ctx, q.session.Interrupt)()
	v, m, err := q.solver.Check(logic.AbstractFloats(q.B, terms, maxFloatOps))
	if err != nil {
		if q.ctx.Err() == nil {
			fmt.Fprintf(q.cfg.Log, "%s: %v\n", q.name, err)
		}
		q.Dead = true
	}
	switch v {
	case smt.Sat:
		q.Stats.Sat++
	case smt.Unsat:
		q.Stats.Unsat++
	default:
		q.Stats.Unknown++
	}
	return v, m
}

// connect makes sure that there is a session with room for a query.
func (q *Querier) connect() bool {
	if q.Dead {
		return false
	}
	if q.solver != nil && q.inSession < maxSession {
		q.inSession++
		return true
	}
	if q.session != nil {
		q.session.Close()
	}
	q.inSession = 1
	if q.text.Len() > 0 {
		q.text.WriteString("(reset)\n") // so that the text replays in one solver
	}
	s, err := q.cfg.Open()
	if err != nil {
		q.session, q.Dead = nil, true
		return false
	}
	q.session = s
	defer context.AfterFunc(q.ctx, s.Interrupt)()
	q.solver = smt.NewSolver(q.session, q.cfg.Rlimit, queryMillis)
	if q.cfg.Dump != nil {
		q.solver.Log = func(text string) { q.text.WriteString(text) }
	}
	return true
}
