package invariant

import "slices"

// batchSize is the number of samples in a full batch.
var batchSize = 128

// batchCodes is the number of values at which a batch is full, provided that it has an eighth of
// batchSize samples. It makes the batches of points with many variables shorter.
const batchCodes = 1 << 10

// batch holds some samples of one point, column by column.
type batch struct {
	n       int     // different samples
	counts  []int64 // by sample: how often it was seen
	samples int64   // the sum of counts
	columns []vector
	// codes holds the codes of the values, sample after sample, until transpose makes columns
	// of them.
	codes []int64
}

// vector holds the values of one variable in a batch, parallel to the samples.
type vector struct {
	code []int64
	// missing and unrepresentable are empty while no value is.
	missing, unrepresentable []bool
	// texts holds the literals of values that their codes do not determine.
	texts []string
	// items holds the elements of sequences.
	items []items
}

// complete reports whether the variable existed in all samples.
func (v *vector) complete() bool { return len(v.missing) == 0 }

// present reports whether the variable existed in a sample.
func (v *vector) present(row int) bool { return len(v.missing) <= row || !v.missing[row] }

// isUnrepresentable reports whether a value has no literal or no place in the order.
func (v *vector) isUnrepresentable(row int) bool {
	return row < len(v.unrepresentable) && v.unrepresentable[row]
}

// isNaN reports whether a value is the float that is not equal to itself.
func (v *vector) isNaN(row int) bool {
	return v.isUnrepresentable(row) && row < len(v.texts) && v.texts[row] == "NaN"
}

// transpose fills the columns from codes. It stores them in buffer, which it grows and returns. The
// columns of derived variables stay empty, with capacity for their values.
func (b *batch) transpose(buffer []int64) []int64 {
	if b.n == 0 {
		return buffer
	}
	buffer = slices.Grow(buffer[:0], b.n*len(b.columns))[:b.n*len(b.columns)]
	width := len(b.codes) / b.n
	for i := range b.columns {
		col := &b.columns[i]
		col.code = buffer[i*b.n : i*b.n : (i+1)*b.n]
		if i >= width {
			continue
		}
		col.code = col.code[:b.n]
		col.missing = padFlags(col.missing, b.n)
		col.unrepresentable = padFlags(col.unrepresentable, b.n)
	}
	// The rows are transposed in blocks that stay in the processor's cache.
	const block = 32
	for from := 0; from < b.n; from += block {
		to := min(from+block, b.n)
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
	return buffer
}

// padFlags extends flags, unless there are none, to n values.
func padFlags(list []bool, n int) []bool {
	if len(list) == 0 {
		return list
	}
	for len(list) < n {
		list = append(list, false)
	}
	return list
}

// setFlag appends the flag of the value number at, preceded by false for values without a flag.
func setFlag(list []bool, at int, v bool) []bool {
	for len(list) < at {
		list = append(list, false)
	}
	return append(list, v)
}

// add appends x, which becomes the n-th value of the column.
func (v *vector) add(n int, x *Value) {
	v.code = append(v.code, x.Code)
	if x.Missing || x.Unrepresentable || x.Text != "" || x.items != nil {
		v.addDetails(n, x)
	}
	v.missing, v.unrepresentable = padFlags(v.missing, n), padFlags(v.unrepresentable, n)
}

// addDetails records everything but the code of x, the n-th value.
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

// reset empties the batch and keeps its memory.
func (b *batch) reset() {
	b.n, b.samples, b.counts, b.codes = 0, 0, b.counts[:0], b.codes[:0]
	for i := range b.columns {
		c := &b.columns[i]
		c.code, c.texts, c.items = c.code[:0], c.texts[:0], c.items[:0]
		c.missing, c.unrepresentable = c.missing[:0], c.unrepresentable[:0]
	}
}

// appendBatch appends copies of the samples of another batch.
func (b *batch) appendBatch(more *batch) {
	if b.columns == nil {
		b.columns = make([]vector, len(more.columns))
	}
	for i := range b.columns {
		v, w := &b.columns[i], &more.columns[i]
		v.code = append(v.code, w.code...)
		v.missing = padFlags(appendAt(v.missing, b.n, w.missing), b.n+more.n)
		v.unrepresentable = appendAt(v.unrepresentable, b.n, w.unrepresentable)
		v.unrepresentable = padFlags(v.unrepresentable, b.n+more.n)
		v.texts, v.items = appendAt(v.texts, b.n, w.texts), appendAt(v.items, b.n, w.items)
	}
	b.n += more.n
	b.counts = append(b.counts, more.counts...)
	b.samples += more.samples
}

// appendAt extends list to n values and appends more, unless that is empty.
func appendAt[T any](list []T, n int, more []T) []T {
	if len(more) == 0 {
		return list
	}
	return append(append(list, make([]T, n-len(list))...), more...)
}

// selectRows replaces the contents of into by the samples of b for which keep is true.
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

// appendKept appends the values of from for which keep is true.
func appendKept[T any](to, from []T, keep []bool) []T {
	for i, x := range from {
		if keep[i] {
			to = append(to, x)
		}
	}
	return to
}
