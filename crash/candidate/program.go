package candidate

import (
	"encoding/binary"
	"go/types"
	"slices"

	"dsd/crash/candidate/run"
)

// Program is a candidate: statements over a table of operations. The results of all statements are
// numbered from 0 on, in order, and arguments are such numbers.
type Program []Stmt

// Stmt is a statement of a program.
type Stmt struct {
	Op   int   // index into the table
	Args []int // numbers of results
	// Bits and Text are the value of a literal: the bits of a number, 1 or 0 for a boolean, the
	// text of a string.
	Bits uint64
	Text string
}

// Append appends the encoding of the program that the runtime decodes: its length in bytes, and
// then statement by statement the operation, the bits and text of a literal, or the arguments,
// preceded by their number if the operation is variadic. Numbers are unsigned variable-length
// integers.
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

// Texts returns the texts of the literals of the program, and of its slices of bytes, each once, without empty ones.
func (p Program) Texts(table []*Op) []string {
	var out []string
	add := func(text string) {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	var maker []int // the statement of each result
	for i := range p {
		s, op := &p[i], table[p[i].Op]
		switch {
		case op.Lit:
			add(s.Text)
		case op.Func == nil && op.Variadic && len(op.In) == 1 && isByte(op.In[0]):
			var text []byte
			for _, a := range s.Args {
				if by := &p[maker[a]]; table[by.Op].Lit {
					text = append(text, byte(by.Bits))
				}
			}
			add(string(text))
		}
		for range op.Out {
			maker = append(maker, i)
		}
	}
	return out
}

// isByte reports whether a type is one of bytes.
func isByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// variant returns the program with other literals and without dropped statements. It returns nil if
// there are no changes, or if another statement uses a result of a dropped one.
func (p Program) variant(changes []run.Change, table []*Op) Program {
	if len(changes) == 0 {
		return nil
	}
	byStmt := map[int]run.Change{}
	for _, c := range changes {
		if _, twice := byStmt[c.Stmt]; twice || c.Stmt < 0 || c.Stmt >= len(p) {
			return nil
		}
		byStmt[c.Stmt] = c
	}
	out := make(Program, 0, len(p))
	var numbers []int // new number of each result, -1 if it is dropped
	next := 0
	for i, s := range p {
		c, changed := byStmt[i]
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
	if len(out) == 0 {
		return nil
	}
	return out
}

// variantStmt returns the index that a statement of a program has in a variant of it.
func variantStmt(stmt int, changes []run.Change) int {
	n := stmt
	for _, c := range changes {
		if c.Dropped && c.Stmt < stmt {
			n--
		}
	}
	return n
}
