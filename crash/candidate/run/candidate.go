//go:build go1.21

package run

import "reflect"

// candidate is one, decoded, or a variant of it.
type candidate struct {
	stmts []statement
	args  []int
	lits  []slot
	uses  []int // of each register, by statements that are there
}

// statement is one of a candidate.
type statement struct {
	op       *Op
	from, to int // its arguments
	lit      int // its literal, if it has one
	// out is the first of its results, and outs how many there are, once it has run to its end; -1 before.
	out, outs int
	// left says that the variant does without it.
	left bool
}

// slot is the value of a literal.
type slot struct {
	stmt  int
	bits  uint64
	text  string
	value any
}

// decode reads a candidate. The memory of the one before is used again.
func (c *candidate) decode(table []Op, body []byte) {
	c.stmts, c.args, c.lits = c.stmts[:0], c.args[:0], c.lits[:0]
	for len(body) > 0 {
		s := statement{op: &table[number(&body)], from: len(c.args), lit: len(c.lits), out: -1}
		if s.op.Lit != nil {
			l := slot{stmt: len(c.stmts), bits: number(&body)}
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
		s.to = len(c.args)
		c.stmts = append(c.stmts, s)
	}
}

// execute executes the statements.
func (w *worker) execute() {
	c, f := &w.candidate, &w.frame
	clear(f.regs)
	f.regs = f.regs[:0]
	f.stopped = false
	called, judged, met = 0, 0, 0
	for w.stmt = range c.stmts {
		s := &c.stmts[w.stmt]
		if s.left { // the numbers of the others' results stay
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
		w.at[1] = uint64(w.stmt)
		f.args = c.args[s.from:s.to]
		if expected = s.op.Number; s.op.Call {
			called++
		}
		if s.op.Goals != nil {
			f.aim(s.op.Goals)
		}
		s.op.Do(f)
		s.out, s.outs = out, len(f.regs)-out
		if f.stopped {
			return
		}
	}
}

// count counts the uses of the registers.
func (c *candidate) count() {
	c.uses = c.uses[:0]
	for i := range c.stmts {
		s := &c.stmts[i]
		for len(c.uses) < s.out+s.outs {
			c.uses = append(c.uses, 0)
		}
		if !s.left {
			for _, a := range c.args[s.from:s.to] {
				if a < len(c.uses) {
					c.uses[a]++
				}
			}
		}
	}
}

// idle says that a statement had run when the uses were counted, and that nobody uses its results.
func (c *candidate) idle(s *statement) bool {
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

// leave leaves a statement out, or takes it back.
func (c *candidate) leave(s *statement, out bool) {
	s.left = out
	n := 1
	if out {
		n = -1
	}
	for _, a := range c.args[s.from:s.to] {
		if a < len(c.uses) {
			c.uses[a] += n
		}
	}
}

// spare leaves out the literals that nobody uses, and says how many of the others there are. If there are none, all stay: something must.
func (c *candidate) spare() (used int) {
	for i := range c.lits {
		s := &c.stmts[c.lits[i].stmt]
		if s.left = c.idle(s); !s.left {
			used++
		}
	}
	for i := 0; i < len(c.lits) && used == 0; i++ {
		c.stmts[c.lits[i].stmt].left = false
	}
	return used
}
