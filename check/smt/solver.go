package smt

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"dsd/check/logic"
)

// Verdict is the answer to a query.
type Verdict int

// Verdicts.
const (
	Unknown Verdict = iota // the solver gave up within its budget
	Sat
	Unsat
)

// ErrNoZ3 is the error of NewZ3 in a program that is not linked with libz3.
var ErrNoZ3 = errors.New("this build has no solver of its own, because cgo was off: " +
	"install z3 and use --solver \"z3 -in\"")

// A Solver answers queries about the terms of one logic.Builder, in one session.
type Solver struct {
	session Session
	writer  *logic.Writer
	check   string // the command that starts the solver
	rlimit  int
	limit   time.Duration // wall time after which a command has hung
	// Log, if not nil, receives every command in order.
	Log func(text string)
}

// tactic makes Z3 simplify once before it starts its general solver. On the unsatisfiable questions about
// github.com/tidwall/gjson that takes a sixth of the time that it takes with definitions substituted
// (solve-eqs), which copies shared parts.
const tactic = "(check-sat-using (then simplify smt))\n"

// noRelevancy makes Z3 consider all parts of a condition, not only those that the current choices make
// relevant. On the functions of github.com/emirpasic/gods that halves its time.
const noRelevancy = "(set-option :smt.relevancy 0)\n"

// NewSolver returns a solver that uses the session, which remains the caller's to close. rlimit is
// the budget of a query in Z3's units of work, which do not depend on the speed of the machine.
// millis is a limit on the wall time of a query, in milliseconds.
func NewSolver(session Session, rlimit, millis int) *Solver {
	s := &Solver{
		rlimit: rlimit, session: session, writer: logic.NewWriter(), check: "(check-sat)\n",
		limit: time.Duration(2*millis)*time.Millisecond + 2*time.Second,
	}
	if _, ok := session.(*z3); ok {
		s.check = tactic
		s.eval(noRelevancy)
	}
	s.eval(fmt.Sprintf("(set-option :print-success false)\n(set-option :produce-models true)\n"+
		"(set-option :rlimit %d)\n(set-option :timeout %d)\n", rlimit, millis))
	return s
}

func (s *Solver) eval(text string) (string, error) {
	if s.Log != nil {
		s.Log(text)
	}
	// The solver's own time-out is not enough: a process may hang before it reads the command.
	guard := time.AfterFunc(s.limit, s.session.Interrupt)
	defer guard.Stop()
	return s.session.Eval(text)
}

// Budget sets the budget of the next queries.
func (s *Solver) Budget(rlimit int) {
	if rlimit != s.rlimit {
		s.rlimit = rlimit
		s.eval(fmt.Sprintf("(set-option :rlimit %d)\n", rlimit))
	}
}

// Check asks whether all terms can be true at the same time. With Sat it returns a model of the
// leaves of the terms: their variables and initial cells. The model is the solver's claim; callers
// evaluate the terms under it before they rely on it.
func (s *Solver) Check(terms []*logic.Term) (Verdict, *logic.Model, error) {
	leaves := logic.Leaves(terms...)
	// For a cell, ask for its address as well as its value.
	var ask []*logic.Term
	for _, l := range leaves {
		ask = append(ask, l)
		ask = append(ask, l.Args...)
	}
	decls, equations, texts := s.writer.Query(append(append([]*logic.Term{}, terms...), ask...))
	var asserts strings.Builder
	for _, t := range texts[:len(terms)] {
		fmt.Fprintf(&asserts, "(assert %s)\n", t)
	}
	// Declarations come before the push, so that they survive the pop.
	answer, err := s.eval(decls + "(push 1)\n" + equations + asserts.String() + s.check)
	if err != nil {
		return Unknown, nil, err
	}
	defer s.eval("(pop 1)\n")
	switch strings.TrimSpace(answer) {
	case "unsat":
		return Unsat, nil, nil
	case "sat":
	default:
		// Z3 reports an exhausted budget as an error, too.
		if strings.Contains(answer, "error") &&
			!strings.Contains(answer, "canceled") && !strings.Contains(answer, "resource limit") {
			return Unknown, nil, fmt.Errorf("the solver: %s", strings.TrimSpace(answer))
		}
		return Unknown, nil, nil
	}
	model := &logic.Model{Vars: map[*logic.Var]uint64{}, Cells: map[logic.Cell]uint64{}}
	if len(ask) == 0 {
		return Sat, model, nil
	}
	answer, err = s.eval("(get-value (" + strings.Join(texts[len(terms):], " ") + "))\n")
	if err != nil {
		return Unknown, nil, err
	}
	values, err := parseValues(answer, len(ask))
	if err != nil {
		return Unknown, nil, nil // such as an error that there is no model
	}
	i := 0
	for _, l := range leaves {
		if l.Op == logic.OpVar {
			model.Vars[l.Var] = values[i]
			i++
			continue
		}
		model.Cells[logic.Cell{Var: l.Var, Obj: uint32(values[i+1]), Slot: values[i+2]}] = values[i]
		i += 3
	}
	return Sat, model, nil
}
