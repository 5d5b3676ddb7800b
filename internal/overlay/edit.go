package overlay

import (
	"bytes"
	"sort"
)

// Edits collects changes to a source text. Offsets are byte offsets into the unchanged text.
type Edits struct{ list []edit }

// edit replaces the text between two offsets.
type edit struct {
	from, to int
	text     string
	seq      int // orders edits at the same offset, as they were requested
}

// Insert inserts text at an offset, behind earlier insertions there.
func (e *Edits) Insert(at int, text string) { e.Replace(at, at, text) }

// Replace replaces src[from:to] with text.
func (e *Edits) Replace(from, to int, text string) {
	e.list = append(e.list, edit{from, to, text, len(e.list)})
}

// Add adds all edits of other.
func (e *Edits) Add(other *Edits) {
	for _, d := range other.list {
		e.Replace(d.from, d.to, d.text)
	}
}

// Within returns src[from:to] with the edits that lie inside it.
func (e *Edits) Within(src []byte, from, to int) []byte {
	var in Edits
	for _, d := range e.list {
		if from <= d.from && d.to <= to {
			in.Replace(d.from-from, d.to-from, d.text)
		}
	}
	return in.Apply(src[from:to])
}

// Apply returns src with all edits. Replacements must not overlap.
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
