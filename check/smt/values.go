package smt

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// parseValues parses the answer to get-value: ((term value) ...), n pairs in the order of the
// query.
func parseValues(text string, n int) ([]uint64, error) {
	p := &parser{text: text}
	top, err := p.parse()
	if err != nil {
		return nil, err
	}
	if len(top.list) != n {
		return nil, fmt.Errorf("%d values for %d terms", len(top.list), n)
	}
	out := make([]uint64, n)
	for i, pair := range top.list {
		if len(pair.list) != 2 {
			return nil, fmt.Errorf("value %d is not a pair", i)
		}
		if out[i], err = pair.list[1].value(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sexpr is an S-expression: an atom or a list.
type sexpr struct {
	atom string
	list []sexpr
}

type parser struct {
	text string
	pos  int
}

const spaces = " \t\r\n"

func (p *parser) skipSpace() {
	for p.pos < len(p.text) && strings.IndexByte(spaces, p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// parse parses the next S-expression.
func (p *parser) parse() (sexpr, error) {
	p.skipSpace()
	if p.pos >= len(p.text) {
		return sexpr{}, errors.New("the answer ends early")
	}
	if p.text[p.pos] != '(' {
		from := p.pos
		for p.pos < len(p.text) && strings.IndexByte(spaces+"()", p.text[p.pos]) < 0 {
			p.pos++
		}
		if from == p.pos {
			return sexpr{}, fmt.Errorf("unexpected %q", p.text[p.pos])
		}
		return sexpr{atom: p.text[from:p.pos]}, nil
	}
	p.pos++
	var n sexpr
	for {
		p.skipSpace()
		if p.pos < len(p.text) && p.text[p.pos] == ')' {
			p.pos++
			return n, nil
		}
		c, err := p.parse()
		if err != nil {
			return sexpr{}, err
		}
		n.list = append(n.list, c)
	}
}

// value returns a boolean, a bit vector or a float as bits.
func (n sexpr) value() (uint64, error) {
	switch {
	case n.atom == "true":
		return 1, nil
	case n.atom == "false":
		return 0, nil
	case strings.HasPrefix(n.atom, "#x"), strings.HasPrefix(n.atom, "#b"):
		return n.bitVector()
	case len(n.list) == 4 && n.list[0].atom == "fp":
		return n.float()
	case len(n.list) == 4 && n.list[0].atom == "_":
		return n.specialFloat()
	}
	return 0, fmt.Errorf("a value of unknown form %q", n.atom)
}

// bitVector returns the value of #x1f or #b101, of at most 64 bits.
func (n sexpr) bitVector() (uint64, error) {
	base := 16
	if n.atom[1] == 'b' {
		base = 2
	}
	v, ok := new(big.Int).SetString(n.atom[2:], base)
	if !ok || !v.IsUint64() {
		return 0, fmt.Errorf("the value %s", n.atom)
	}
	return v.Uint64(), nil
}

// float returns the bits of (fp sign exponent significand), whose parts are bit vectors.
func (n sexpr) float() (uint64, error) {
	var v uint64
	for _, part := range n.list[1:] {
		bits := len(part.atom) - 2
		if bits < 1 {
			return 0, errors.New("a part of a float that is not a number")
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
}

// specialFloat returns the bits of (_ +oo 11 53), (_ NaN 8 24), (_ -zero 11 53) and the like.
func (n sexpr) specialFloat() (uint64, error) {
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
