package exec

import (
	"encoding/binary"
	"slices"

	"dsd/crash/exec/run"
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

// variant is a program with other literals; nil if there are none.
func (p Program) variant(literals []run.Literal) Program {
	if len(literals) == 0 {
		return nil
	}
	out := slices.Clone(p)
	for _, l := range literals {
		if l.Stmt < len(out) {
			out[l.Stmt].Bits, out[l.Stmt].Text = l.Bits, string(l.Text)
		}
	}
	return out
}
