// Package text writes results for people.
package text

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"dsd/schemas"
)

// A Printer writes to W until the first error, which it keeps in Err. Characters that a terminal would act on, which
// the texts of a testee or a stranger's document may have, are written as Go writes them in literals; the colors of
// Style are let through.
type Printer struct {
	W     io.Writer
	Style Style
	Err   error
}

// Printf formats like fmt.Fprintf. After an error it does nothing.
func (p *Printer) Printf(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = io.WriteString(p.W, p.Style.visible(fmt.Sprintf(format, args...)))
	}
}

// maxMessage is the number of bytes of a panic's text that a report shows.
const maxMessage = 4000

// Message returns a panic's text, whose lines but the first begin with indent, and only the beginning of a long one.
func Message(text, indent string) string {
	if len(text) > maxMessage {
		text = fmt.Sprintf("%s... (%s in all)", strings.ToValidUTF8(text[:maxMessage], ""), Size(int64(len(text))))
	}
	return Indent(text, indent)
}

// Indent returns a text whose lines but the first begin with indent.
func Indent(text, indent string) string { return strings.ReplaceAll(text, "\n", "\n"+indent) }

// Count returns a number with a noun, such as "1 crash" or "2 crashes".
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "sh"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Skipped writes a line for each reason with the number of functions that were skipped for it. The
// most frequent reason comes first.
func (p *Printer) Skipped(indent string, list []schemas.Skipped) {
	reasons := map[string]int{}
	for _, s := range list {
		reasons[s.Reason]++
	}
	order := make([]string, 0, len(reasons))
	for r := range reasons {
		order = append(order, r)
	}
	sort.Slice(order, func(i, j int) bool {
		if reasons[order[i]] != reasons[order[j]] {
			return reasons[order[i]] > reasons[order[j]]
		}
		return order[i] < order[j]
	})
	for _, r := range order {
		p.Printf("%sskipped %d: %s\n", indent, reasons[r], r)
	}
}
