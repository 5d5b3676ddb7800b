package invariant

import (
	"cmp"
	"slices"
)

// A Row holds the values of one sample, in the order of the variables. Most values are determined
// by their codes.
type Row struct {
	codes       []int64
	missing     []int32  // the columns of values that do not exist, ascending
	details     []detail // other values that their codes do not determine, by ascending column
	detailIndex []int32  // memory for indexDetails
	words       Interner
}

// detail is a value that its code does not determine.
type detail struct {
	column int
	Value
}

// Reset empties the row and keeps its memory.
func (r *Row) Reset() { r.codes, r.missing, r.details = r.codes[:0], r.missing[:0], r.details[:0] }

// Code appends a value that its code determines.
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

// Value returns the i-th value.
func (r *Row) Value(i int) Value {
	byColumn := func(d detail, i int) int { return cmp.Compare(d.column, i) }
	if n, ok := slices.BinarySearchFunc(r.details, i, byColumn); ok {
		return r.details[n].Value
	}
	if _, ok := slices.BinarySearch(r.missing, int32(i)); ok {
		return Value{Missing: true}
	}
	return Value{Code: r.codes[i]}
}

// Pick appends the values in the given columns of another row. The column -1 stands for a missing
// value.
func (r *Row) Pick(from *Row, columns []int) {
	index := r.indexDetails(from)
	for _, c := range columns {
		switch {
		case c < 0 || index != nil && index[c] < 0:
			r.Missing()
		case index == nil || index[c] == 0:
			r.codes = append(r.codes, from.codes[c])
		default:
			r.Put(&from.details[index[c]-1].Value)
		}
	}
}

// indexDetails returns, for each column of a row, one plus the index of its detail, 0 if its code
// determines the value, or -1 if the value is missing. The result is nil for a row of codes alone.
// It is valid until the next call.
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

// Parse appends a value of the point's i-th variable to r, given its text in a trace. It does not
// retain the bytes.
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
