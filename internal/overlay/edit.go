package overlay

import (
	"bytes"
	"sort"
)

// Edits collects changes to a source text; offsets are those of the unchanged text.
type Edits struct{ list []edit }

type edit struct {
	from, to int
	text     string
	seq      int // ties: in the order in which they were asked for
}

// Insert puts text before what stands at an offset.
func (e *Edits) Insert(at int, text string) { e.Replace(at, at, text) }

// Replace puts text in place of what stands between two offsets.
func (e *Edits) Replace(from, to int, text string) {
	e.list = append(e.list, edit{from, to, text, len(e.list)})
}

// Add adds all edits of another set.
func (e *Edits) Add(other *Edits) {
	for _, d := range other.list {
		e.Replace(d.from, d.to, d.text)
	}
}

// Within returns what stands between two offsets of src, with the edits done that lie between them.
func (e *Edits) Within(src []byte, from, to int) []byte {
	var in Edits
	for _, d := range e.list {
		if from <= d.from && d.to <= to {
			in.Replace(d.from-from, d.to-from, d.text)
		}
	}
	return in.Apply(src[from:to])
}

// Apply returns src with all edits done; edits must not overlap.
func (e *Edits) Apply(src []byte) []byte {
	sort.Slice(e.list, func(i, j int) bool {
		a, b := e.list[i], e.list[j]
		if a.from != b.from {
			return a.from < b.from
		}
		return a.seq < b.seq
	})
	var out bytes.Buffer
	at := 0
	for _, d := range e.list {
		out.Write(src[at:d.from])
		out.WriteString(d.text)
		at = d.to
	}
	out.Write(src[at:])
	return out.Bytes()
}
