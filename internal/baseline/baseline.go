// Package baseline compares a document with one of before: which warnings or crashes are new, which are known, and
// which are gone. They are the same if their fingerprints are.
package baseline

import (
	"fmt"
	"io"

	"dsd/internal/text"
	"dsd/schemas"
)

// Crashes returns doc with its crashes compared with those of before. The error says why they cannot be.
func Crashes(doc, before *schemas.Crashes) (*schemas.Crashes, error) {
	if err := sameModule(&doc.Header, &before.Header); err != nil {
		return nil, err
	}
	out := *doc
	out.Crashes = append([]schemas.Crash{}, doc.Crashes...)
	var old []schemas.Gone
	for i := range before.Crashes {
		c := &before.Crashes[i]
		old = append(old, schemas.Gone{ID: c.ID, Fingerprint: c.Fingerprint, Kind: c.Kind, Func: c.Func, Pos: c.Pos})
	}
	b, err := newComparison(old)
	if err != nil {
		return nil, err
	}
	for i := range out.Crashes {
		out.Crashes[i].Known = b.know(out.Crashes[i].Fingerprint)
	}
	out.Baseline = b.result()
	return &out, nil
}

// Warnings is like Crashes.
func Warnings(doc, before *schemas.Warnings) (*schemas.Warnings, error) {
	if err := sameModule(&doc.Header, &before.Header); err != nil {
		return nil, err
	}
	out := *doc
	out.Warnings = append([]schemas.Warning{}, doc.Warnings...)
	var old []schemas.Gone
	for i := range before.Warnings {
		w := &before.Warnings[i]
		old = append(old, schemas.Gone{ID: w.ID, Fingerprint: w.Fingerprint, Kind: w.Kind, Func: w.Func, Pos: w.Pos})
	}
	b, err := newComparison(old)
	if err != nil {
		return nil, err
	}
	for i := range out.Warnings {
		out.Warnings[i].Known = b.know(out.Warnings[i].Fingerprint)
	}
	out.Baseline = b.result()
	return &out, nil
}

func sameModule(doc, before *schemas.Header) error {
	if doc.Module.Path != before.Module.Path {
		return fmt.Errorf("the baseline is of module %s, want %s", before.Module.Path, doc.Module.Path)
	}
	return nil
}

// comparison is the state of one comparison.
type comparison struct {
	old    []schemas.Gone
	places map[string]int // in old, by fingerprint
	found  []bool         // parallel to old
	out    schemas.Baseline
}

func newComparison(old []schemas.Gone) (*comparison, error) {
	c := &comparison{old: old, places: map[string]int{}, found: make([]bool, len(old))}
	for i, g := range old {
		if g.Fingerprint == "" {
			return nil, fmt.Errorf("the baseline has no fingerprint for %s: an older version wrote it; make it again", g.ID)
		}
		c.places[g.Fingerprint] = i
	}
	return c, nil
}

// know counts something new or known, and reports whether it is known.
func (c *comparison) know(fingerprint string) bool {
	i, ok := c.places[fingerprint]
	if ok {
		c.found[i] = true
		c.out.Known++
	} else {
		c.out.New++
	}
	return ok
}

// result returns the comparison, with what was not found.
func (c *comparison) result() *schemas.Baseline {
	c.out.Gone = []schemas.Gone{}
	for i, g := range c.old {
		if !c.found[i] {
			c.out.Gone = append(c.out.Gone, g)
		}
	}
	return &c.out
}

// CrashesText writes what is new and what is gone, a line each, and how many are known.
func CrashesText(w io.Writer, doc *schemas.Crashes) error {
	p := &text.Printer{W: w}
	for i := range doc.Crashes {
		if c := &doc.Crashes[i]; !c.Known {
			p.Printf("new   %-5s %s: %s in %s: %s\n", c.ID, c.Pos, c.Kind, c.Func, c.Message)
		}
	}
	tail(p, doc.Baseline)
	return p.Err
}

// WarningsText is like CrashesText.
func WarningsText(w io.Writer, doc *schemas.Warnings) error {
	p := &text.Printer{W: w}
	for i := range doc.Warnings {
		if x := &doc.Warnings[i]; !x.Known {
			p.Printf("new   %-5s %s: %s in %s: %s\n", x.ID, x.Pos, x.Kind, x.Func, x.Message)
		}
	}
	tail(p, doc.Baseline)
	return p.Err
}

// tail writes what is gone, and the counts.
func tail(p *text.Printer, b *schemas.Baseline) {
	for _, g := range b.Gone {
		p.Printf("gone  %-5s %s: %s in %s\n", g.ID, g.Pos, g.Kind, g.Func)
	}
	p.Printf("%d new, %d known, %d gone\n", b.New, b.Known, len(b.Gone))
}
