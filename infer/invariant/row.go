package invariant

import (
	"cmp"
	"slices"
)

// A Row is the values of one sample, in order. Most values are told by their code alone.
type Row struct {
	codes       []int64
	missing     []int32  // the columns of those that did not exist, in order
	details     []detail // of other values that are not told by their code, in order
	detailIndex []int32  // room for tell
	words       Interner
}

type detail struct {
	column int
	Value
}

// Reset empties the row and keeps its room.
func (r *Row) Reset() { r.codes, r.missing, r.details = r.codes[:0], r.missing[:0], r.details[:0] }

// Code appends a value that its code tells.
func (r *Row) Code(code int64) { r.codes = append(r.codes, code) }

// Missing appends a value that did not exist.
func (r *Row) Missing() {
	r.missing = append(r.missing, int32(len(r.codes)))
	r.codes = append(r.codes, 0)
}

// Put appends a value.
func (r *Row) Put(v *Value) {
	if v.Missing {
		r.Missing()
		return
	}
	if v.Unrepresentable || v.Text != "" || v.items != nil {
		r.details = append(r.details, detail{len(r.codes), *v})
	}
	r.codes = append(r.codes, v.Code)
}

// Value is the i-th.
func (r *Row) Value(i int) Value {
	if n, ok := slices.BinarySearchFunc(r.details, i, func(n detail, i int) int { return cmp.Compare(n.column, i) }); ok {
		return r.details[n].Value
	}
	if _, ok := slices.BinarySearch(r.missing, int32(i)); ok {
		return Value{Missing: true}
	}
	return Value{Code: r.codes[i]}
}

// Pick appends values of another row by column, for -1 one that is missing.
func (r *Row) Pick(from *Row, columns []int) {
	told := r.indexDetails(from)
	for _, c := range columns {
		switch {
		case c < 0 || told != nil && told[c] < 0:
			r.Missing()
		case told == nil || told[c] == 0:
			r.codes = append(r.codes, from.codes[c])
		default:
			r.Put(&from.details[told[c]-1].Value)
		}
	}
}

// tell says of each value of a row what its code does not: 0 for nothing, -1 that it did not exist, else the number of its note, from 1. It is
// nil for a row of codes alone, and r's until the next time.
func (r *Row) indexDetails(from *Row) []int32 {
	if len(from.details)+len(from.missing) == 0 {
		return nil
	}
	r.detailIndex = slices.Grow(r.detailIndex[:0], len(from.codes))[:len(from.codes)]
	clear(r.detailIndex)
	for i := range from.details {
		r.detailIndex[from.details[i].column] = int32(i + 1)
	}
	for _, c := range from.missing {
		r.detailIndex[c] = -1
	}
	return r.detailIndex
}

// Parse appends to a row a value of the point's i-th variable, as a trace has it. The bytes are the caller's again when it returns.
func (p *Point) Parse(r *Row, i int, value []byte) {
	switch k := p.kinds[i]; k {
	case text:
		v := Value{Missing: true}
		if len(value) != 1 || value[0] != '-' {
			v = r.words.Value(value)
		}
		r.Put(&v)
	case integer:
		if n, ok := parseInteger(value); ok {
			r.codes = append(r.codes, n)
			return
		}
		fallthrough
	default:
		if len(value) == 1 && value[0] == '-' {
			r.Missing()
			return
		}
		v := parse(k, value)
		r.Put(&v)
	case sequence:
		v := ItemsValue(p.decl.Vars[i].Rep, value)
		r.Put(&v)
	}
}
