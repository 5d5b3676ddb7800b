package main

import (
	"math/big"
	"strings"

	"dsd/internal/expr"
)

// value is a constant of a set of values.
type value struct {
	// text is the canonical text: 43 for 43.0, [1, 2] for a list of numbers. The items of a
	// list have no quotes, because Daikon prints none there.
	text string
	// number is the value of a number, nil for anything else.
	number *big.Rat
	// isList reports whether the value is a list, of the items.
	isList bool
	items  []value
}

// values is a set of values by their texts. A nil set is one that is not known.
type values map[string]value

// valueOf returns the value of a constant or a list of constants.
func valueOf(e expr.Expr) value {
	if r := rational(e); r != nil {
		return numberValue(r)
	}
	l, ok := e.(*expr.List)
	if !ok {
		return value{text: e.String()}
	}
	v := value{isList: true}
	var texts []string
	for _, x := range l.Elems {
		item := valueOf(x)
		item.text = strings.Trim(item.text, `"`)
		v.items = append(v.items, item)
		texts = append(texts, item.text)
	}
	v.text = "[" + strings.Join(texts, ", ") + "]"
	return v
}

func numberValue(r *big.Rat) value { return value{text: r.RatString(), number: r} }

func valuesOf(list []expr.Expr) values {
	out := values{}
	for _, e := range list {
		out.add(valueOf(e))
	}
	return out
}

func (s values) add(v value) { s[v.text] = v }

func (s values) intersect(t values) values {
	out := values{}
	for text, v := range s {
		if _, ok := t[text]; ok {
			out[text] = v
		}
	}
	return out
}

// within reports whether all values of s, which is known, are values of t.
func (s values) within(t values) bool {
	return s != nil && len(s.intersect(t)) == len(s)
}

// only returns the only value of the set, and reports whether there is just one.
func (s values) only() (v value, ok bool) {
	for _, v = range s {
	}
	return v, len(s) == 1
}

// is reports whether v is known to be the only value of the set.
func (s values) is(v value) bool {
	have, ok := s.only()
	return ok && have.text == v.text
}

// moved returns the values a*v + b of a set of numbers, nil if one is no number.
func (s values) moved(a, b *big.Rat) values {
	if s == nil {
		return nil
	}
	out := values{}
	for _, v := range s {
		if v.number == nil {
			return nil
		}
		n := new(big.Rat).Mul(a, v.number)
		out.add(numberValue(n.Add(n, b)))
	}
	return out
}

// isText reports whether a value is a string.
func (v value) isText() bool { return !v.isList && strings.HasPrefix(v.text, `"`) }
