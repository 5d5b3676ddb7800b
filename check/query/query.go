package query

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"dsd/check/localsearch"
	"dsd/check/logic"
	"dsd/check/refute"
	"dsd/check/smt"
	"dsd/check/vcgen"
	"dsd/schemas"
)

// Limits of the queries about one function.
const (
	// maxAnswers is the number of queries, and of questions answered without one.
	maxAnswers = 800
	// maxSpent is what may be spent on obligations that stay undecided, in halves of the budget of a
	// query. The first one gets a whole budget, the others half of it: where one is hard, so are most.
	maxSpent = 6
	// queryMillis guards a query in wall time. The budget in work runs out long before on any
	// machine in use.
	queryMillis = 5_000
	// maxFloatOps is the number of floating-point operations in a query; the results of further
	// ones are free.
	maxFloatOps = 6
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
	// B makes the terms of the queries.
	B *logic.Builder
	// Known, if not nil, has the answers of earlier runs, and receives those of this one.
	Known *Answers
	// Dead reports whether the session was lost: no more queries can be answered. Slow reports whether
	// a query may have been cut off by the time that it took, which another run need not do.
	Dead, Slow bool

	inputs *vcgen.Inputs // of B

	ctx     context.Context
	cfg     Config
	name    string      // of the function, for Log
	session smt.Session // nil before the first query of a question
	solver  *smt.Solver
	// undecided counts the obligations that nothing decided, and spent is what was spent on them, in
	// halves of the budget of a query.
	undecided, spent int
	missed           int // by Guess
	text             strings.Builder
}

// New returns a Querier for the function of that name. Close it at the end.
func New(ctx context.Context, name string, cfg Config) *Querier {
	return &Querier{ctx: ctx, name: name, cfg: cfg}
}

// Begin turns to queries about the terms of b. They get a session of their own, since names of
// terms are unique per builder only.
func (q *Querier) Begin(b *logic.Builder) {
	if q.B != b {
		q.B, q.inputs = b, vcgen.NewInputs(b)
	}
	q.fresh()
}

// WellFormed returns what holds of the inputs that the terms mention; see vcgen.Inputs.
func (q *Querier) WellFormed(terms []*logic.Term) []*logic.Term { return q.inputs.WellFormed(terms) }

// fresh ends the session; the next query begins another one. The names of terms and the order in which the solver
// saw them decide how it searches: after other queries, an answer may be another one.
func (q *Querier) fresh() {
	if q.session != nil {
		q.session.Close()
	}
	q.session, q.solver = nil, nil
}

// Close ends the last session.
func (q *Querier) Close() {
	q.fresh()
	if q.text.Len() > 0 {
		q.cfg.Dump(q.text.String())
	}
}

// Restart forgets how many obligations were undecided.
func (q *Querier) Restart() { q.undecided, q.spent = 0, 0 }

// Answers returns the number of queries, and of questions answered without one.
func (q *Querier) Answers() int { return q.Stats.Queries + q.Stats.Guessed + q.Stats.Refuted }

// Exhausted returns why the query budget for the function is spent, or "" if it is not.
func (q *Querier) Exhausted() string {
	switch {
	case q.Answers() >= maxAnswers:
		return fmt.Sprintf("%d questions were asked, no more", maxAnswers)
	case q.spent >= maxSpent:
		return "the solver's budget for the function is spent"
	}
	return ""
}

// Ask decides whether the terms of failure, the last of which says what fails, can be true
// together with what holds of all inputs (vcgen.Inputs). The model of a sat verdict satisfies
// them by our own evaluation, and has small inputs where such a model was found. undecidedBefore
// reports whether the same obligation was undecided where its function was analyzed alone: then
// the solver is not asked again.
func (q *Querier) Ask(failure []*logic.Term, undecidedBefore bool) (smt.Verdict, *logic.Model) {
	terms := append(failure, q.WellFormed(failure)...)
	v, m := q.once(fmt.Sprint("ask ", len(failure), undecidedBefore), terms, terms, func() (smt.Verdict, *logic.Model) {
		return q.ask(failure, terms, undecidedBefore)
	})
	if v == smt.Unknown {
		q.spent += 2 >> min(q.undecided, 1)
		q.undecided++
	}
	return v, m
}

// ask is Ask for terms, which are failure and what holds of all inputs.
func (q *Querier) ask(failure, terms []*logic.Term, undecidedBefore bool) (smt.Verdict, *logic.Model) {
	v, m := q.unaided(terms)
	switch {
	case v == smt.Sat:
		q.Stats.Guessed++
	case v == smt.Unknown && !undecidedBefore:
		return q.solve(failure, terms)
	}
	return v, m
}

// unaided is Query without the solver.
func (q *Querier) unaided(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	s := pool.Get().(*scratch)
	defer s.release()
	s.graph.Begin(terms)
	s.search.Begin(&s.graph)
	if m := s.search.Find(localsearch.Quick); m != nil && satisfies(m, terms) {
		return smt.Sat, m
	}
	if s.refuter.Refuted(&s.graph) {
		q.Stats.Refuted++
		return smt.Unsat, nil
	}
	if m := s.search.Find(localsearch.Thorough); m != nil && satisfies(m, terms) {
		return smt.Sat, m
	}
	return smt.Unknown, nil
}

// scratch is the memory of unaided. Memory that is used again is worth up to a seventh of the time with two workers: the kernel
// interrupts all processors where a page is first read and then written.
type scratch struct {
	graph   logic.Graph
	search  localsearch.Search
	refuter refute.Refuter
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) release() {
	s.graph.End()
	s.search.End()
	pool.Put(s)
}

// Guess is Ask without the solver: it only finds out that the terms can be true, and not always that. It
// returns nil where it does not, and after maxGuesses times of that.
func (q *Querier) Guess(failure []*logic.Term) *logic.Model {
	if q.missed >= maxGuesses {
		return nil
	}
	m := q.Find(append(failure, q.WellFormed(failure)...), localsearch.Quick)
	if m == nil {
		q.missed++
	} else {
		q.Stats.Guessed++
	}
	return m
}

// maxGuesses is the number of times that Guess may find nothing.
const maxGuesses = 15

// solve asks the solver about failure, and then about terms, which are failure and what holds of all
// inputs.
func (q *Querier) solve(failure, terms []*logic.Term) (smt.Verdict, *logic.Model) {
	slice := neighbors(failure)
	if !q.cfg.NoSlicing && len(slice) < len(failure)*2/3 {
		v, m := q.check(append(slice, q.WellFormed(slice)...))
		if v == smt.Unsat {
			return v, nil
		}
		if v == smt.Sat && satisfies(m, terms) && satisfies(m, q.within(terms, smallest)) {
			return v, m
		}
	}
	v, m := q.verified(terms)
	if m != nil {
		m = q.smaller(terms, m)
	}
	return v, m
}

// Find returns a model of terms that local search finds within a budget (localsearch.Quick or Thorough)
// and that satisfies them by our own evaluation, too; nil if there is none.
func (q *Querier) Find(terms []*logic.Term, budget int) *logic.Model {
	s := pool.Get().(*scratch)
	defer s.release()
	s.graph.Begin(terms)
	s.search.Begin(&s.graph)
	if m := s.search.Find(budget); m != nil && satisfies(m, terms) {
		return m
	}
	return nil
}

// Consistent reports whether the terms can be true together. If the solver cannot tell, they can.
func (q *Querier) Consistent(terms []*logic.Term) bool {
	if len(terms) == 0 || logic.Size(terms...) > maxTerms {
		return true
	}
	all := slices.Concat(terms, q.WellFormed(terms))
	v, _ := q.once("consistent", all, all, func() (smt.Verdict, *logic.Model) { return q.Query(all) })
	return v != smt.Unsat
}

// Prefer returns a model of terms, or nil if none is found. The model satisfies preferred, too, if the search finds
// such a model.
func (q *Querier) Prefer(terms, preferred []*logic.Term) *logic.Model {
	within := slices.Concat(terms, preferred)
	_, m := q.once(fmt.Sprint("prefer ", len(terms)), within, terms, func() (smt.Verdict, *logic.Model) {
		if m := q.Find(within, localsearch.Quick); m != nil {
			return smt.Sat, m
		}
		v, model := q.Query(terms)
		if v != smt.Sat {
			return v, nil
		}
		if v, m := q.Query(within); v == smt.Sat {
			model = m
		}
		return smt.Sat, model
	})
	return m
}

// Core returns a part of failure that cannot be true by itself, given that failure cannot: the
// terms that share inputs with what fails if those suffice, otherwise all of failure.
func (q *Querier) Core(failure []*logic.Term) []*logic.Term {
	slice := neighbors(failure)
	if len(slice) == len(failure) {
		return failure
	}
	if v, _ := q.Query(slices.Concat(slice, q.WellFormed(slice))); v == smt.Unsat {
		return slice
	}
	return failure
}

// size says what counts as a small input: lengths, and numbers unless number is 0.
type size struct {
	length uint64
	number int64
}

// Sizes of inputs.
var (
	smallest = size{length: 4, number: 16}
	small    = size{length: 16}
	usable   = size{length: 1 << 12} // a test can make them
)

// within returns the terms, and that the inputs are of size s.
func (q *Querier) within(terms []*logic.Term, s size) []*logic.Term {
	return slices.Concat(terms, vcgen.Small(q.B, terms, s.length, s.number))
}

// smaller looks for a model smaller than m. It asks the solver only if no test could make the inputs: of
// a hundred questions for inputs that are easier to read, three had an answer.
func (q *Querier) smaller(terms []*logic.Term, m *logic.Model) *logic.Model {
	if less := localsearch.Shrink(terms, m); satisfies(less, terms) {
		m = less
	}
	if !satisfies(m, q.within(terms, usable)) {
		if _, found := q.verified(q.within(terms, small)); found != nil {
			return found
		}
	}
	return m
}

// verified queries terms; a model that does not satisfy them counts as no verdict.
func (q *Querier) verified(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	v, m := q.check(terms)
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
	shared := logic.NewFinder(func(l *logic.Term) bool { return inputs[l] })
	var out []*logic.Term
	for _, t := range failure[:len(failure)-1] {
		if shared.In(t) {
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

// Query asks once whether the terms can be true together: the solver, unless local search finds a model or bounds show
// that there is none. The solver's model may not satisfy terms with floating-point operations beyond maxFloatOps.
func (q *Querier) Query(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	if v, m := q.unaided(terms); v != smt.Unknown {
		return v, m
	}
	return q.check(terms)
}

// check is Query of the solver.
func (q *Querier) check(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	if q.Dead || q.ctx.Err() != nil {
		return smt.Unknown, nil
	}
	q.Stats.Queries++
	size := logic.Size(terms...)
	if size > maxTerms {
		q.Stats.Unknown++
		return smt.Unknown, nil
	}
	for _, t := range terms {
		if t.IsFalse() {
			q.Stats.Unsat++
			return smt.Unsat, nil
		}
	}
	if !q.connect() {
		q.Stats.Unknown++
		return smt.Unknown, nil
	}
	defer context.AfterFunc(q.ctx, q.session.Interrupt)()
	q.solver.Budget(q.cfg.Rlimit >> min(q.undecided, 1))
	begun := time.Now()
	v, m, err := q.solver.Check(logic.AbstractFloats(q.B, terms, maxFloatOps))
	if v == smt.Unknown && time.Since(begun) > queryMillis*time.Millisecond {
		q.Slow = true
	}
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

// connect makes sure that there is a session.
func (q *Querier) connect() bool {
	if q.session != nil {
		return true
	}
	if q.text.Len() > 0 {
		q.text.WriteString("(reset)\n") // so that the text replays in one solver
	}
	s, err := q.cfg.Open()
	if err != nil {
		fmt.Fprintf(q.cfg.Log, "%s: %v\n", q.name, err)
		q.Dead = true
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
