package candidate

import (
	"encoding/binary"

	"dsd/crash/candidate/run"
)

// Program is a candidate: statements over a table of operations. The results of all statements are numbered, in order;
// arguments refer to them by these numbers.
type Program []Stmt

// Stmt is a statement.
type Stmt struct {
	Op   int   // index into the table
	Args []int // numbers of results
	// Bits and Text are the value of a literal: of a number its bits, of a boolean 1 or 0.
	Bits uint64
	Text string
}

// Append appends the program as the runtime decodes it.
func (p Program) Append(buf []byte, table []*Op) []byte {
	var room [256]byte
	body := room[:0]
	for i := range p {
		s := &p[i]
		op := table[s.Op]
		body = binary.AppendUvarint(body, uint64(s.Op))
		if op.Lit {
			body = binary.AppendUvarint(body, s.Bits)
			body = binary.AppendUvarint(body, uint64(len(s.Text)))
			body = append(body, s.Text...)
			continue
		}
		if op.Variadic {
			body = binary.AppendUvarint(body, uint64(len(s.Args)))
		}
		for _, a := range s.Args {
			body = binary.AppendUvarint(body, uint64(a))
		}
	}
	buf = binary.AppendUvarint(buf, uint64(len(body)))
	return append(buf, body...)
}

// variant is a program with other literals, and without some statements; nil if there are no changes, or they leave out what others use.
func (p Program) variant(changes []run.Change, table []*Op) Program {
	if len(changes) == 0 {
		return nil
	}
	by := map[int]run.Change{}
	for _, c := range changes {
		by[c.Stmt] = c
	}
	out := make(Program, 0, len(p))
	var numbers []int // of the results of p in out
	next := 0
	for i, s := range p {
		c, changed := by[i]
		for range table[s.Op].Out {
			if c.Dropped {
				numbers = append(numbers, -1)
				continue
			}
			numbers = append(numbers, next)
			next++
		}
		if c.Dropped {
			continue
		}
		if changed {
			s.Bits, s.Text = c.Bits, string(c.Text)
		}
		args := make([]int, len(s.Args))
		for j, a := range s.Args {
			if numbers[a] < 0 {
				return nil
			}
			args[j] = numbers[a]
		}
		s.Args = args
		out = append(out, s)
	}
	return out
}

// place is where a statement of a program is in a variant of it.
func place(stmt int, changes []run.Change) int {
	n := stmt
	for _, c := range changes {
		if c.Dropped && c.Stmt < stmt {
			n--
		}
	}
	return n
}
