package logic

import (
	"crypto/sha256"
	"encoding/binary"
)

// Digest returns a digest of the terms, in their order, and their variables in the order of their IDs. Terms of
// another builder have the same digest only if they are the same but for the names of variables, and were made in
// the same order; variables at the same place then correspond. Whatever is computed from terms alone is
// the same for terms of the same digest.
func Digest(terms []*Term) (sum [sha256.Size]byte, vars []*Var) {
	e := encoding{vars: map[*Var]int{}}
	parts, _ := e.number.parts(terms, nil, nil)
	for _, t := range parts {
		e.term(t)
	}
	for _, t := range terms {
		e.int(uint64(e.number.of(t)))
	}
	return sha256.Sum256(e.out), e.list
}

// encoding is that of the terms of a digest, each by its number.
type encoding struct {
	out    []byte
	number numbers
	vars   map[*Var]int
	list   []*Var
}

func (e *encoding) int(x uint64) { e.out = binary.AppendUvarint(e.out, x) }

func (e *encoding) flag(x bool) {
	if x {
		e.int(1)
	} else {
		e.int(0)
	}
}

func (e *encoding) sort(s Sort) {
	e.int(uint64(s.Kind))
	e.int(uint64(s.Bits()))
	e.int(uint64(s.Elem))
}

func (e *encoding) term(t *Term) {
	e.int(uint64(t.Op))
	e.sort(t.Sort)
	e.int(t.Val)
	e.int(uint64(t.Hi))
	e.int(uint64(t.Lo))
	e.int(uint64(len(t.Args)))
	for _, a := range t.Args {
		e.int(uint64(e.number.of(a)))
	}
	if t.Var != nil {
		e.variable(t.Var)
	}
}

// variable encodes a variable by its number, and what it is where it occurs first.
func (e *encoding) variable(v *Var) {
	n, ok := e.vars[v]
	if !ok {
		n = len(e.vars)
		e.vars[v] = n
		e.list = append(e.list, v)
	}
	e.int(uint64(n))
	if ok {
		return
	}
	e.sort(v.Sort)
	e.flag(v.Old)
	d := &v.Domain
	e.int(uint64(d.Role))
	e.int(uint64(d.Region))
	e.flag(d.Some)
	for _, list := range [][]uint32{d.Tags, d.Regions} {
		e.int(uint64(len(list)))
		for _, x := range list {
			e.int(uint64(x))
		}
	}
	e.int(uint64(len(d.NotNil)))
	for _, x := range d.NotNil {
		e.flag(x)
	}
}
