//go:build go1.21

package run

import "reflect"

// candidate is a decoded candidate or a variant of it.
type candidate struct {
	stmts []statement
	args  []int // of all statements
	lits  []literal
	uses  []int // of each register, by statements that are not dropped; see countUses
}

// statement is a statement of a candidate.
type statement struct {
	op *Op
	// argsFrom and argsTo delimit its arguments in candidate.args.
	argsFrom, argsTo int
	lit              int // index of its literal, if op.Lit is set
	// out is the register of its first result and outs the number of results, once it has run
	// to its end; out is -1 before.
	out, outs int
	dropped   bool // the variant does without it
}

// literal is the value of a literal.
type literal struct {
	stmt  int
	bits  uint64
	text  string
	value any
}

// decode decodes a candidate; Program.Append in package candidate encodes it. It reuses the memory
// of the candidate before.
func (c *candidate) decode(table []Op, body []byte) {
	c.stmts, c.args, c.lits = c.stmts[:0], c.args[:0], c.lits[:0]
	for len(body) > 0 {
		s := statement{op: &table[number(&body)], argsFrom: len(c.args), lit: len(c.lits),
			out: -1}
		if s.op.Lit != nil {
			l := literal{stmt: len(c.stmts), bits: number(&body)}
			size := number(&body)
			l.text, body = string(body[:size]), body[size:]
			l.value = s.op.Lit(l.bits, l.text)
			if s.op.kind == reflect.Invalid {
				s.op.kind = reflect.TypeOf(l.value).Kind()
			}
			c.lits = append(c.lits, l)
		} else {
			n := s.op.Args
			if n < 0 {
				n = int(number(&body))
			}
			for ; n > 0; n-- {
				c.args = append(c.args, int(number(&body)))
			}
		}
		s.argsTo = len(c.args)
		c.stmts = append(c.stmts, s)
	}
}

// execute executes the statements of the candidate.
func (w *worker) execute() {
	c, f := &w.candidate, &w.frame
	clear(f.regs)
	f.regs = f.regs[:0]
	f.stopped = false
	called, preChecked, preHeld, argsHeld = 0, 0, 0, 0
	for w.stmt = range c.stmts {
		if Made || atLine {
			endStatement()
		}
		s := &c.stmts[w.stmt]
		if s.dropped { // keep the numbers of the other results
			for i := 0; i < s.outs; i++ {
				f.Put(nil)
			}
			continue
		}
		out := len(f.regs)
		w.op = s.op
		if s.op.Lit != nil {
			f.Put(c.lits[s.lit].value)
			s.out, s.outs = out, 1
			continue
		}
		w.progress.Stmt = uint64(w.stmt)
		f.args = c.args[s.argsFrom:s.argsTo]
		if expected = s.op.Number; s.op.Call {
			called++
		}
		if s.op.Goals != nil {
			f.compareGoals(s.op.Goals)
		}
		s.op.Do(f)
		s.out, s.outs = out, len(f.regs)-out
		if f.stopped {
			return
		}
	}
}

// countUses counts the uses of the registers.
func (c *candidate) countUses() {
	c.uses = c.uses[:0]
	for i := range c.stmts {
		s := &c.stmts[i]
		for len(c.uses) < s.out+s.outs {
			c.uses = append(c.uses, 0)
		}
		if !s.dropped {
			for _, a := range c.args[s.argsFrom:s.argsTo] {
				if a < len(c.uses) {
					c.uses[a]++
				}
			}
		}
	}
}

// unused reports whether a statement had run when the uses were counted and its results have no
// uses.
func (c *candidate) unused(s *statement) bool {
	if s.out < 0 || s.out+s.outs > len(c.uses) {
		return false
	}
	for _, n := range c.uses[s.out : s.out+s.outs] {
		if n > 0 {
			return false
		}
	}
	return true
}

// setDropped drops a statement or restores it.
func (c *candidate) setDropped(s *statement, dropped bool) {
	s.dropped = dropped
	n := 1
	if dropped {
		n = -1
	}
	for _, a := range c.args[s.argsFrom:s.argsTo] {
		if a < len(c.uses) {
			c.uses[a] += n
		}
	}
}

// dropUnusedLiterals drops the literals that are not used and returns the number of the others. If
// all are unused it drops none, because a program must not be empty.
func (c *candidate) dropUnusedLiterals() (used int) {
	for i := range c.lits {
		s := &c.stmts[c.lits[i].stmt]
		if s.dropped = c.unused(s); !s.dropped {
			used++
		}
	}
	for i := 0; i < len(c.lits) && used == 0; i++ {
		c.stmts[c.lits[i].stmt].dropped = false
	}
	return used
}
