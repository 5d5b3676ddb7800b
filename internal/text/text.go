// Package text helps to write results for people.
package text

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"dsd/schemas"
)

// Printer writes until the first error, which it keeps.
type Printer struct {
	W   io.Writer
	Err error
}

// Printf is fmt.Fprintf.
func (p *Printer) Printf(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.W, format, args...)
	}
}

// Count is a number of things, such as "1 crash" and "2 crashes".
func Count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "sh"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Skipped writes how many functions were skipped for each reason, a line each, the most common one first.
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
