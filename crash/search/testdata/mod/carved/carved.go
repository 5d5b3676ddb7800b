// Package carved has tests to carve.
package carved

import "strings"

// Doc is a text with marks.
type Doc struct {
	Title   string
	marks   map[string]int
	Options Options
}

// Open reads a document.
func Open(text string) (*Doc, error) {
	return &Doc{Title: text, marks: map[string]int{}}, nil
}

// Mark sets a mark.
func (d *Doc) Mark(name string, at int) { d.marks[name] = at }

// Between returns the text between two marks.
func (d *Doc) Between(from, to string) string {
	if !strings.HasPrefix(d.Title, "doc:") {
		return ""
	}
	return cut(d.Title, d.marks[from], d.marks[to])
}

func cut(text string, from, to int) string { return text[from:to] }

// Option configures a document.
type Option func(*Doc)

// Join joins values.
func Join(sep string, list ...any) int { return len(sep) + len(list) }

// With applies options.
func With(opts ...Option) *Doc {
	d := &Doc{marks: map[string]int{}}
	for _, o := range opts {
		o(d)
	}
	return d
}

// Options say how a document is shown.
type Options struct{ Style Style }

// Style is a part of Options.
type Style struct{ Wide bool }

// Each calls a function with the name of each mark.
func (d *Doc) Each(f func(name string) error) error {
	for name := range d.marks {
		if err := f(name); err != nil {
			return err
		}
	}
	return nil
}
