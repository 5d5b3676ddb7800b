package smt

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"dsd/check/logic"
)

// Session is a conversation with a solver; one goroutine at a time.
type Session interface {
	// Eval passes commands and returns all that the solver prints. An error means that the session is lost.
	Eval(text string) (string, error)
	// Interrupt may be called while Eval runs and makes it return soon.
	Interrupt()
	Close()
}

// Verdict is the answer to a question.
type Verdict int

// Verdicts. Unknown covers what the solver does not say in its budget.
const (
	Unknown Verdict = iota
	Sat
	Unsat
)

// Solver asks about terms of one builder in one session.
type Solver struct {
	session  Session
	writer   *logic.Writer
	check    string        // the command that asks
	patience time.Duration // wall time that no command takes of a solver that is well
	// Log, if not nil, receives every command in order.
	Log func(text string)
}

// tactic is Z3's way to its general solver with the definitions substituted first: measured on the functions of
// github.com/emirpasic/gods, 2 to 12 times as fast as its incremental default, with the same answers.
const tactic = "(check-sat-using (then simplify propagate-values solve-eqs simplify smt))\n"

// NewSolver sets the session up: rlimit is the budget of a question in the solver's own units of work, which do not
// depend on the machine; millis is the guard in wall time.
func NewSolver(session Session, rlimit, millis int) *Solver {
	s := &Solver{session: session, writer: logic.NewWriter(), check: "(check-sat)\n", patience: time.Duration(2*millis)*time.Millisecond + 2*time.Second}
	if _, ok := session.(*z3); ok {
		s.check = tactic
	}
	s.eval(fmt.Sprintf("(set-option :print-success false)\n(set-option :produce-models true)\n(set-option :rlimit %d)\n(set-option :timeout %d)\n", rlimit, millis))
	return s
}

func (s *Solver) eval(text string) (string, error) {
	if s.Log != nil {
		s.Log(text)
	}
	// The solver's own time-out is not to be trusted: a process may hang before it reads it.
	guard := time.AfterFunc(s.patience, s.session.Interrupt)
	defer guard.Stop()
	return s.session.Eval(text)
}

// Check asks whether all the terms can be true together. With Sat it returns a model of the leaves (variables and
// initial cells) that are mentioned in the terms.
func (s *Solver) Check(terms []*logic.Term) (Verdict, *logic.Model, error) {
	leaves := logic.Leaves(terms...)
	// A cell's address is read back too: its value alone does not say where it is.
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
	get := strings.Join(texts[len(terms):], " ")
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
		if strings.Contains(answer, "error") && !strings.Contains(answer, "canceled") && !strings.Contains(answer, "resource limit") {
			return Unknown, nil, fmt.Errorf("the solver: %s", strings.TrimSpace(answer))
		}
		return Unknown, nil, nil
	}
	model := &logic.Model{Vars: map[*logic.Var]uint64{}, Cells: map[logic.At]uint64{}}
	if len(ask) == 0 {
		return Sat, model, nil
	}
	answer, err = s.eval("(get-value (" + get + "))\n")
	if err != nil {
		return Unknown, nil, err
	}
	values, err := parseValues(answer, len(ask))
	if err != nil {
		return Unknown, nil, nil
	}
	i := 0
	for _, l := range leaves {
		if l.Op == logic.OpVar {
			model.Vars[l.Var] = values[i]
			i++
			continue
		}
		model.Cells[logic.At{Var: l.Var, Obj: uint32(values[i+1]), Slot: values[i+2]}] = values[i]
		i += 3
	}
	return Sat, model, nil
}

// parseValues reads the answer to get-value: ((term value) ...), n pairs in the order of the question.
func parseValues(text string, n int) ([]uint64, error) {
	p := &sexpr{text: text}
	top, err := p.read()
	if err != nil {
		return nil, err
	}
	if len(top.list) != n {
		return nil, fmt.Errorf("%d values for %d terms", len(top.list), n)
	}
	out := make([]uint64, n)
	for i, pair := range top.list {
		if len(pair.list) != 2 {
			return nil, fmt.Errorf("value %d is no pair", i)
		}
		if out[i], err = pair.list[1].value(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// node is an S-expression: an atom or a list.
type node struct {
	atom string
	list []node
}

type sexpr struct {
	text string
	at   int
}

func (p *sexpr) read() (node, error) {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at >= len(p.text) {
		return node{}, fmt.Errorf("the answer ends early")
	}
	if p.text[p.at] != '(' {
		from := p.at
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n()", p.text[p.at]) < 0 {
			p.at++
		}
		if from == p.at {
			return node{}, fmt.Errorf("unexpected %q", p.text[p.at])
		}
		return node{atom: p.text[from:p.at]}, nil
	}
	p.at++
	var n node
	for {
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
			p.at++
		}
		if p.at < len(p.text) && p.text[p.at] == ')' {
			p.at++
			return n, nil
		}
		c, err := p.read()
		if err != nil {
			return node{}, err
		}
		n.list = append(n.list, c)
	}
}

// value reads a boolean, a bit vector or a float as bits.
func (n node) value() (uint64, error) {
	switch {
	case n.atom == "true":
		return 1, nil
	case n.atom == "false":
		return 0, nil
	case strings.HasPrefix(n.atom, "#x"), strings.HasPrefix(n.atom, "#b"):
		base := 16
		if n.atom[1] == 'b' {
			base = 2
		}
		v, ok := new(big.Int).SetString(n.atom[2:], base)
		if !ok || !v.IsUint64() {
			return 0, fmt.Errorf("the value %s", n.atom)
		}
		return v.Uint64(), nil
	case len(n.list) == 4 && n.list[0].atom == "fp":
		var v uint64
		for _, part := range n.list[1:] {
			bits := len(part.atom) - 2
			if bits < 1 {
				return 0, fmt.Errorf("a part of a float that is no number")
			}
			if strings.HasPrefix(part.atom, "#x") {
				bits *= 4
			}
			x, err := part.value()
			if err != nil {
				return 0, err
			}
			v = v<<bits | x
		}
		return v, nil
	case len(n.list) == 4 && n.list[0].atom == "_": // (_ +oo 11 53), (_ NaN 8 24), (_ +zero 11 53)
		wide := n.list[2].atom == "11"
		var v uint64
		switch strings.TrimLeft(n.list[1].atom, "+-") {
		case "oo":
			v = 0x7f800000
			if wide {
				v = 0x7ff0000000000000
			}
		case "NaN":
			v = 0x7fc00000
			if wide {
				v = 0x7ff8000000000000
			}
		case "zero":
		default:
			return 0, fmt.Errorf("the value %s", n.list[1].atom)
		}
		if strings.HasPrefix(n.list[1].atom, "-") {
			if wide {
				v |= 1 << 63
			} else {
				v |= 1 << 31
			}
		}
		return v, nil
	}
	return 0, fmt.Errorf("a value of unknown form %q", n.atom)
}
