package query

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"dsd/check/logic"
	"dsd/check/smt"
	"dsd/schemas"
)

// Answers are the answers to the questions about one function, from one run to the next: where a callee changes, most
// questions about its callers are the same as before. An answer depends on the question alone, since
// each is asked in a session of its own. Those that are soon found without the solver are not kept. An Answers must
// not be used concurrently.
type Answers struct {
	known map[[sha256.Size]byte]*answer
	// run is the number of this run among those that used the answers.
	run int
}

// maxUnused is the number of runs for which an answer is kept that no question asks for.
const maxUnused = 3

// answer is one to a question.
type answer struct {
	Question [sha256.Size]byte
	Run      int // the last one that needed it
	Verdict  smt.Verdict
	Stats    schemas.CheckStats // what the question added
	// Vars and Cells are the model, by the variables' numbers; see logic.Digest.
	HasModel bool        `json:",omitempty"`
	Vars     [][2]uint64 `json:",omitempty"` // number and value
	Cells    [][4]uint64 `json:",omitempty"` // number of the memory, object, slot and value
}

// ReadAnswers returns what Bytes returned in an earlier run; none if data is not that.
func ReadAnswers(data []byte) *Answers {
	a := &Answers{known: map[[sha256.Size]byte]*answer{}}
	var list []*answer
	if json.Unmarshal(data, &list) != nil {
		list = nil
	}
	for _, x := range list {
		a.known[x.Question] = x
		a.run = max(a.run, x.Run)
	}
	a.run++
	return a
}

// Empty reports whether there are no answers.
func (a *Answers) Empty() bool { return len(a.known) == 0 }

// Bytes returns the answers that this run or one of the last ones needed; the same ones in the same bytes.
func (a *Answers) Bytes() ([]byte, error) {
	list := []*answer{}
	for _, x := range a.known {
		if a.run-x.Run < maxUnused {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(x, y *answer) int { return bytes.Compare(x.Question[:], y.Question[:]) })
	return json.Marshal(list)
}

// once returns the stored answer to a question about terms; if there is none, it calls ask and stores the result.
// how identifies everything that the answer depends on besides the terms and the Querier's options. A stored
// model must satisfy the terms in must.
func (q *Querier) once(
	how string, terms, must []*logic.Term, ask func() (smt.Verdict, *logic.Model),
) (smt.Verdict, *logic.Model) {
	if q.Known == nil {
		return q.alone(ask)
	}
	sum, vars := logic.Digest(terms)
	id := sha256.Sum256(fmt.Appendf(nil, "%s %d %v %v %x", how, q.cfg.Rlimit, min(q.undecided, 1), q.cfg.NoSlicing, sum))
	if x := q.Known.known[id]; x != nil {
		if m, ok := x.model(vars); ok && (m == nil || satisfies(m, must)) {
			x.Run = q.Known.run
			add(&q.Stats, x.Stats, 1)
			return x.Verdict, m
		}
	}
	before, slow := q.Stats, q.Slow
	q.Slow = false
	v, m := q.alone(ask)
	cut := q.Slow || q.Dead || q.ctx.Err() != nil
	q.Slow = q.Slow || slow
	if cut {
		return v, m
	}
	x := &answer{Question: id, Run: q.Known.run, Verdict: v, Stats: q.Stats}
	add(&x.Stats, before, -1)
	quick := x.Stats.Queries == 0 && v != smt.Unknown
	if !quick && x.setModel(m, vars) {
		q.Known.known[id] = x
	}
	return v, m
}

// alone asks in a session of its own, so that the answer depends on no other question.
func (q *Querier) alone(ask func() (smt.Verdict, *logic.Model)) (smt.Verdict, *logic.Model) {
	q.fresh()
	return ask()
}

// add adds other counts n times.
func add(to *schemas.CheckStats, other schemas.CheckStats, n int) {
	to.Queries += n * other.Queries
	to.Unsat += n * other.Unsat
	to.Sat += n * other.Sat
	to.Unknown += n * other.Unknown
	to.Guessed += n * other.Guessed
	to.Refuted += n * other.Refuted
	to.Assertions += n * other.Assertions
	to.Folded += n * other.Folded
}

// setModel keeps a model, nil if there is none, in terms of the numbers of vars. It reports whether
// it could: a model may have variables of its own.
func (x *answer) setModel(m *logic.Model, vars []*logic.Var) bool {
	if m == nil {
		return true
	}
	x.HasModel = true
	number := map[*logic.Var]uint64{}
	for i, v := range vars {
		number[v] = uint64(i)
	}
	for v, value := range m.Vars {
		n, ok := number[v]
		if !ok {
			return false
		}
		x.Vars = append(x.Vars, [2]uint64{n, value})
	}
	for c, value := range m.Cells {
		n, ok := number[c.Var]
		if !ok {
			return false
		}
		x.Cells = append(x.Cells, [4]uint64{n, uint64(c.Obj), c.Slot, value})
	}
	slices.SortFunc(x.Vars, func(a, b [2]uint64) int { return slices.Compare(a[:], b[:]) })
	slices.SortFunc(x.Cells, func(a, b [4]uint64) int { return slices.Compare(a[:], b[:]) })
	return true
}

// model is the inverse of setModel. It reports whether vars has all variables.
func (x *answer) model(vars []*logic.Var) (*logic.Model, bool) {
	if !x.HasModel {
		return nil, x.Verdict != smt.Sat
	}
	m := &logic.Model{Vars: map[*logic.Var]uint64{}, Cells: map[logic.Cell]uint64{}}
	for _, v := range x.Vars {
		if v[0] >= uint64(len(vars)) {
			return nil, false
		}
		m.Vars[vars[v[0]]] = v[1]
	}
	for _, c := range x.Cells {
		if c[0] >= uint64(len(vars)) {
			return nil, false
		}
		m.Cells[logic.Cell{Var: vars[c[0]], Obj: uint32(c[1]), Slot: c[2]}] = c[3]
	}
	return m, true
}
