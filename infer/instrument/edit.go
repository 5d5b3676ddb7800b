package instrument

import (
	"bytes"
	"sort"
)

// edits collects changes to a source text; offsets are those of the unchanged text.
type edits struct{ list []edit }

type edit struct {
	from, to int
	text     string
	seq      int // ties: in the order in which they were asked for
}

func (e *edits) insert(at int, text string) { e.replace(at, at, text) }
func (e *edits) replace(from, to int, text string) {
	e.list = append(e.list, edit{from, to, text, len(e.list)})
}

// apply returns src with all edits done; edits must not overlap.
func (e *edits) apply(src []byte) []byte {
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
