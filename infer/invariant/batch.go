package invariant

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"strconv"

	"dsd/schemas"
)

// batchSize is how many samples a point takes in before it looks at them, column by column.
var batchSize = 128

// batchCodes is how many values a batch has at most, if it has an eighth of batchSize samples: those of many variables are shorter.
const batchCodes = 1 << 10

// kind is how the values of a variable are coded, and what may be asked of them.
type kind uint8

const (
	other    kind = iota
	integer       // the number; ordered
	float         // ordered as the numbers are
	boolean       // 0 or 1
	text          // a hash
	ref           // who it is among those of one sample; 0 is nil
	dynamic       // a hash of the dynamic type; 0 is nil
	sequence      // a hash of the elements; they are beside it
)

var kinds = map[schemas.Rep]kind{
	schemas.RepInt: integer, schemas.RepUint: integer, schemas.RepFloat: float, schemas.RepBool: boolean,
	schemas.RepString: text, schemas.RepRef: ref, schemas.RepType: dynamic,
	schemas.RepInts: sequence, schemas.RepUints: sequence, schemas.RepFloats: sequence,
	schemas.RepBools: sequence, schemas.RepStrings: sequence, schemas.RepRefs: sequence,
}

// elements are the kinds of the elements of sequences.
var elementReps = map[schemas.Rep]schemas.Rep{
	schemas.RepInts: schemas.RepInt, schemas.RepUints: schemas.RepUint, schemas.RepFloats: schemas.RepFloat,
	schemas.RepBools: schemas.RepBool, schemas.RepStrings: schemas.RepString, schemas.RepRefs: schemas.RepRef,
}

// A Value is one of a variable in one sample.
type Value struct {
	// Code is what its kind makes of it.
	Code int64
	// Missing says that the variable did not exist; Unrepresentable that the value has no Go literal, or no place in the order: a long string, NaN, an
	// infinity, an integer beyond 63 bits.
	Missing, Unrepresentable bool
	// Text is the literal of a value that Code does not tell.
	Text  string
	items *items
}

// FloatValue is that of a float.
func FloatValue(f float64) Value {
	switch {
	case f != f:
		return Value{Code: math.MaxInt64, Unrepresentable: true, Text: "NaN"}
	case math.IsInf(f, 0):
		return Value{Code: floatCode(f), Unrepresentable: true, Text: strconv.FormatFloat(f, 'g', -1, 64)}
	}
	return Value{Code: floatCode(f)}
}

// textValue is that of a string, from its literal.
func textValue(s []byte) Value {
	return Value{Code: hashOf(s), Unrepresentable: len(s) > 0 && s[0] == '~', Text: string(s)}
}

// Interner are the values of strings. Those that come again and again are kept once.
type Interner struct {
	list []string // some that there were, each in the place that its code says
}

const (
	internSlots = 64 // that are kept
	maxInterned = 64 // bytes of one
)

// Value is that of a string, from its literal.
func (w *Interner) Value(s []byte) Value {
	if len(s) > maxInterned {
		return textValue(s)
	}
	if w.list == nil {
		w.list = make([]string, internSlots)
	}
	code := hashOf(s)
	known := &w.list[uint64(code)>>1%internSlots]
	if *known != string(s) {
		*known = string(s)
	}
	return Value{Code: code, Unrepresentable: len(s) > 0 && s[0] == '~', Text: *known}
}

// ItemsValue is that of a sequence: [1 2 3].
func ItemsValue(rep schemas.Rep, s []byte) Value {
	if len(s) == 1 && s[0] == '~' { // too long to be known
		return Value{Unrepresentable: true, items: &items{}}
	}
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return Value{Missing: true}
	}
	it := &items{}
	element := elementReps[rep]
	k := kinds[element]
	for rest := s[1 : len(s)-1]; len(rest) > 0; {
		n := bytes.IndexByte(rest, ' ')
		if rest[0] == '"' {
			if q, err := strconv.QuotedPrefix(string(rest)); err == nil {
				n = len(q)
			}
		}
		if n < 0 || n > len(rest) {
			n = len(rest)
		}
		if n == 0 { // a space too many
			rest = rest[1:]
			continue
		}
		c := parse(k, rest[:n])
		it.code = append(it.code, c.Code)
		if c.Unrepresentable || len(it.unrepresentable) > 0 {
			it.unrepresentable = setFlag(it.unrepresentable, len(it.code)-1, c.Unrepresentable)
		}
		if k == text {
			it.texts = append(it.texts, c.Text)
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return Value{Code: hashOf(s), items: it}
}

// vector is the values of one variable in a batch, in step with the samples.
type vector struct {
	code []int64
	// missing and odd are empty while there are none.
	missing, unrepresentable []bool
	// texts are the values as the trace has them, of variables that code does not tell.
	texts []string
	// items are the elements of sequences.
	items []items
}

// items are the elements of one sequence.
type items struct {
	code            []int64
	unrepresentable []bool   // empty if none is
	texts           []string // in step, of strings
}

// batch is some samples of one point.
type batch struct {
	n       int     // how many there are
	counts  []int64 // how often each was seen
	samples int64   // their sum
	columns []vector
	// codes are those of the values, sample after sample, until they are turned into columns.
	codes []int64
}

var seed = maphash.MakeSeed()

func hashOf(s []byte) int64 { return int64(maphash.Bytes(seed, s)) | 1 } // never 0

// parse codes a value that a trace has.
func parse(k kind, s []byte) Value {
	if len(s) == 1 && s[0] == '-' {
		return Value{Missing: true}
	}
	switch k {
	case integer:
		if i, ok := parseInteger(s); ok {
			return Value{Code: i}
		}
		return Value{Code: hashOf(s), Unrepresentable: true, Text: string(s)}
	case float:
		f, err := strconv.ParseFloat(string(s), 64)
		if err != nil {
			return Value{Code: hashOf(s), Unrepresentable: true, Text: string(s)}
		}
		return FloatValue(f)
	case boolean:
		if len(s) == 4 {
			return Value{Code: 1}
		}
		return Value{}
	case ref:
		if i, ok := parseInteger(s); ok {
			return Value{Code: i + 1} // "0" is that of a map, a channel: not nil, and nobody in particular
		}
		return Value{}
	case dynamic:
		if string(s) == "nil" {
			return Value{}
		}
	}
	return textValue(s)
}

// number is a decimal integer of at most 63 bits and a sign.
func parseInteger(s []byte) (n int64, ok bool) {
	neg := len(s) > 0 && s[0] == '-'
	if neg {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > 18 {
		if neg && len(s) == 19 {
			n, err := strconv.ParseInt("-"+string(s), 10, 64)
			return n, err == nil
		}
		n, err := strconv.ParseInt(string(s), 10, 64)
		return n, err == nil && len(s) > 0
	}
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// floatCode maps floats to integers of the same order; the two zeros are one.
func floatCode(f float64) int64 {
	bits := int64(math.Float64bits(f + 0))
	if f == 0 {
		bits = 0
	}
	return bits ^ (bits >> 63 & math.MaxInt64)
}

// floatOf is the float of a code.
func floatOf(code int64) float64 {
	return math.Float64frombits(uint64(code ^ (code >> 63 & math.MaxInt64)))
}

// turn makes columns of the values of all samples, in the memory of room; derived ones are empty and have room.
func (b *batch) transpose(room []int64) []int64 {
	if b.n == 0 {
		return room
	}
	room = slices.Grow(room[:0], b.n*len(b.columns))[:b.n*len(b.columns)]
	width := len(b.codes) / b.n
	for i := range b.columns {
		col := &b.columns[i]
		col.code = room[i*b.n : i*b.n : (i+1)*b.n]
		if i >= width {
			continue
		}
		col.code = col.code[:b.n]
		col.missing, col.unrepresentable = padFlags(col.missing, b.n), padFlags(col.unrepresentable, b.n)
	}
	// Some rows at a time, whose values stay at hand until all columns have theirs.
	const some = 32
	for from := 0; from < b.n; from += some {
		to := min(from+some, b.n)
		for i := range width {
			code := b.columns[i].code[from:to]
			at := from*width + i
			for r := range code {
				code[r] = b.codes[at]
				at += width
			}
		}
	}
	b.codes = b.codes[:0]
	return room
}

// pad makes flags that any value has those of n.
func padFlags(list []bool, n int) []bool {
	if len(list) == 0 {
		return list
	}
	for len(list) < n {
		list = append(list, false)
	}
	return list
}

// add makes x the n-th value of a column.
func (v *vector) add(n int, x *Value) {
	v.code = append(v.code, x.Code)
	if x.Missing || x.Unrepresentable || x.Text != "" || x.items != nil {
		v.addDetails(n, x)
	}
	v.missing, v.unrepresentable = padFlags(v.missing, n), padFlags(v.unrepresentable, n)
}

// note notes of the n-th value what its code does not tell.
func (v *vector) addDetails(n int, x *Value) {
	if x.Missing {
		v.missing = setFlag(v.missing, n-1, true)
	}
	if x.Unrepresentable {
		v.unrepresentable = setFlag(v.unrepresentable, n-1, true)
	}
	if x.Text != "" {
		for len(v.texts) < n-1 {
			v.texts = append(v.texts, "")
		}
		v.texts = append(v.texts, x.Text)
	}
	if x.items != nil {
		for len(v.items) < n-1 {
			v.items = append(v.items, items{})
		}
		v.items = append(v.items, *x.items)
	}
}

func setFlag(list []bool, at int, v bool) []bool {
	for len(list) < at {
		list = append(list, false)
	}
	return append(list, v)
}

// reset empties the batch and keeps its room.
func (b *batch) reset() {
	b.n, b.samples, b.counts, b.codes = 0, 0, b.counts[:0], b.codes[:0]
	for i := range b.columns {
		c := &b.columns[i]
		c.code, c.missing, c.unrepresentable, c.texts, c.items = c.code[:0], c.missing[:0], c.unrepresentable[:0], c.texts[:0], c.items[:0]
	}
}

// join appends the samples of another batch, which keeps its own.
func (b *batch) appendBatch(more *batch) {
	if b.columns == nil {
		b.columns = make([]vector, len(more.columns))
	}
	for i := range b.columns {
		v, w := &b.columns[i], &more.columns[i]
		v.code = append(v.code, w.code...)
		v.missing, v.unrepresentable = appendAt(v.missing, b.n, w.missing), appendAt(v.unrepresentable, b.n, w.unrepresentable)
		v.missing, v.unrepresentable = padFlags(v.missing, b.n+more.n), padFlags(v.unrepresentable, b.n+more.n)
		v.texts, v.items = appendAt(v.texts, b.n, w.texts), appendAt(v.items, b.n, w.items)
	}
	b.n += more.n
	b.counts = append(b.counts, more.counts...)
	b.samples += more.samples
}

// follow appends what there is of a column of later samples, behind n of those before.
func appendAt[T any](list []T, n int, more []T) []T {
	if len(more) == 0 {
		return list
	}
	return append(append(list, make([]T, n-len(list))...), more...)
}

// rows is a batch of those samples of b that keep says.
func (b *batch) selectRows(into *batch, keep []bool) {
	into.reset()
	into.columns = slices.Grow(into.columns[:0], len(b.columns))[:len(b.columns)]
	for r, k := range keep[:b.n] {
		if k {
			into.n++
			into.counts = append(into.counts, b.counts[r])
			into.samples += b.counts[r]
		}
	}
	for i := range b.columns {
		from, to := &b.columns[i], &into.columns[i]
		to.code = appendKept(to.code, from.code, keep)
		to.missing = appendKept(to.missing, from.missing, keep)
		to.unrepresentable = appendKept(to.unrepresentable, from.unrepresentable, keep)
		to.texts = appendKept(to.texts, from.texts, keep)
		to.items = appendKept(to.items, from.items, keep)
	}
}

func appendKept[T any](to, from []T, keep []bool) []T {
	for i, x := range from {
		if keep[i] {
			to = append(to, x)
		}
	}
	return to
}

// whole says that the variable existed in all samples.
func (v *vector) complete() bool { return len(v.missing) == 0 }

// there says that the variable existed in a sample.
func (v *vector) present(row int) bool { return len(v.missing) <= row || !v.missing[row] }

// isOdd says that a value has no literal or no order.
func (v *vector) isUnrepresentable(row int) bool {
	return row < len(v.unrepresentable) && v.unrepresentable[row]
}
