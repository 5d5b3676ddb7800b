package check

import (
	"context"
	"fmt"
	"strings"

	"dsd/check/logic"
	"dsd/check/smt"
	"dsd/check/vcgen"
)

// queryMillis is the guard in wall time; the budget in work runs out long before on any machine in use.
const queryMillis = 5_000

// maxFloatOps is the number of floating-point operations that a query may contain; with more, their results are free.
const maxFloatOps = 6

// maxSession is the number of questions in one session, which keeps what it ever heard of.
const maxSession = 25

// maxSize is the number of terms past which the solver has no chance in its budget: of a hundred such questions about a
// large module it answered four.
const maxSize = 16_000

// maxRetries is the number of obligations about one function that may go unanswered before they are asked in one way only.
const maxRetries = 2

// questioner asks the solver about one function. The session is opened when the first question comes; each function
// has its own, so that answers do not depend on what was asked before.
type questioner struct {
	ctx     context.Context
	c       *checker
	b       *logic.Builder
	res     *result
	name    string
	session smt.Session
	solver  *smt.Solver
	asked   int // questions in this session
	// unanswered counts the obligations of which nothing is known.
	unanswered int
	dead       bool // the session is lost
	// whole says that the neighbours of what fails are not asked about by themselves.
	whole bool
	log   strings.Builder
}

// begin turns to questions about the terms of b, in a session of their own: names of terms are by builder.
func (q *questioner) begin(b *logic.Builder) {
	q.b, q.asked = b, maxSession
}

func (q *questioner) close() {
	if q.session != nil {
		q.session.Close()
	}
	if q.log.Len() > 0 {
		q.c.opt.Dump(q.name, "smt", q.log.String())
	}
}

func (q *questioner) open() bool {
	if q.dead {
		return false
	}
	if q.solver != nil && q.asked < maxSession {
		q.asked++
		return true
	}
	if q.session != nil {
		q.session.Close()
	}
	q.asked = 1
	if q.log.Len() > 0 {
		q.log.WriteString("(reset)\n") // so that the text replays in one solver
	}
	s, err := q.c.session()
	if err != nil {
		q.session, q.dead = nil, true
		return false
	}
	q.session = s
	defer context.AfterFunc(q.ctx, s.Interrupt)()
	q.solver = smt.NewSolver(q.session, q.c.opt.Rlimit, queryMillis)
	if q.c.dumps("smt") {
		q.solver.Log = func(text string) { q.log.WriteString(text) }
	}
	return true
}

// consistent says that the terms can hold together; the solver's doubt counts for them.
func (q *questioner) consistent(terms []*logic.Term) bool {
	if len(terms) == 0 || logic.Size(terms...) > maxSize {
		return true
	}
	all := append(append([]*logic.Term{}, terms...), vcgen.WellFormed(q.b, terms)...)
	if zeroModel(all) != nil {
		return true
	}
	v, _ := q.query(all)
	return v != smt.Unsat
}

// exhausted says why no more questions are asked about the function, "" while they are.
func (q *questioner) exhausted() string {
	switch {
	case q.res.stats.Queries >= maxQueries:
		return fmt.Sprintf("%d questions were asked, no more", maxQueries)
	case q.unanswered >= maxUnknown:
		return "the solver's budget for the function is spent"
	}
	return ""
}

// ask asks whether an obligation can fail; of a yes it looks for a small model, and believes none that does not hold
// by our own evaluation. Of one that was hard in its function alone, only a small model is looked for.
//
// The questions, each asked only if those before did not settle it: may the neighbours of what fails be true together
// with it? All terms? And with small inputs, which are easier to find, too?
func (q *questioner) ask(failure []*logic.Term, wasHard bool) (smt.Verdict, *logic.Model) {
	terms := append(failure, vcgen.WellFormed(q.b, failure)...)
	if m := zeroModel(terms); m != nil {
		q.res.stats.Guessed++
		return smt.Sat, m
	}
	if near := neighbours(failure); !wasHard && !q.whole && len(near) < len(failure)*2/3 {
		v, m := q.query(append(near, vcgen.WellFormed(q.b, near)...))
		if v == smt.Unsat || v == smt.Sat && satisfies(m, terms) && satisfies(m, q.small(terms, sizes[0])) {
			return v, m
		}
	}
	v, m := smt.Unknown, (*logic.Model)(nil)
	if !wasHard {
		v, m = q.believe(terms)
	}
	if m != nil || v == smt.Unknown && (wasHard || q.unanswered < maxRetries) {
		if less := q.smaller(terms, m); less != nil {
			m = less
		}
	}
	switch {
	case m != nil:
		return smt.Sat, m
	case v == smt.Unsat:
		return smt.Unsat, nil
	}
	if m = guess(terms); m != nil {
		q.res.stats.Guessed++
		return smt.Sat, m
	}
	q.unanswered++
	return smt.Unknown, nil
}

// smaller looks for a model smaller than m, or for one at all if m is nil.
func (q *questioner) smaller(terms []*logic.Term, m *logic.Model) *logic.Model {
	for _, s := range sizes {
		within := q.small(terms, s)
		if m != nil && satisfies(m, within) {
			return m
		}
		if _, less := q.believe(within); less != nil || m == nil {
			return less
		}
	}
	return m
}

// size is what counts as small: lengths, and numbers if there is a limit to them.
type size struct {
	length uint64
	number int64
}

// sizes are what to look for, smallest first.
var sizes = []size{{length: 4, number: 16}, {length: 16}}

// small are the terms, and that inputs are small.
func (q *questioner) small(terms []*logic.Term, s size) []*logic.Term {
	return append(append([]*logic.Term{}, terms...), vcgen.Small(q.b, terms, s.length, s.number)...)
}

// believe asks whether terms can be true together; a model that does not hold is as good as no answer.
func (q *questioner) believe(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	v, m := q.query(terms)
	if v == smt.Sat && !satisfies(m, terms) {
		return smt.Unknown, nil
	}
	return v, m
}

// neighbours are those of the terms that share an input with the last one, which says what fails; often they suffice to
// show that it cannot.
func neighbours(failure []*logic.Term) []*logic.Term {
	last := failure[len(failure)-1]
	in := map[*logic.Term]bool{}
	for _, l := range logic.Leaves(last) {
		in[l] = true
	}
	var out []*logic.Term
	for _, t := range failure[:len(failure)-1] {
		for _, l := range logic.Leaves(t) {
			if in[l] {
				out = append(out, t)
				break
			}
		}
	}
	return append(out, last)
}

func satisfies(m *logic.Model, terms []*logic.Term) bool {
	for _, v := range m.EvalAll(terms) {
		if v != 1 {
			return false
		}
	}
	return true
}

func (q *questioner) query(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	if !q.open() {
		return smt.Unknown, nil
	}
	q.res.stats.Queries++
	if logic.Size(terms...) > maxSize {
		q.res.stats.Unknown++
		return smt.Unknown, nil
	}
	for _, t := range terms {
		if t.IsFalse() {
			q.res.stats.Unsat++
			return smt.Unsat, nil
		}
	}
	defer context.AfterFunc(q.ctx, q.session.Interrupt)()
	v, m, err := q.solver.Check(logic.AbstractFloats(q.b, terms, maxFloatOps))
	if err != nil {
		if q.ctx.Err() == nil {
			fmt.Fprintf(q.c.opt.Log, "%s: %v\n", q.name, err)
		}
		q.dead = true
	}
	switch v {
	case smt.Sat:
		q.res.stats.Sat++
	case smt.Unsat:
		q.res.stats.Unsat++
	default:
		q.res.stats.Unknown++
	}
	return v, m
}
