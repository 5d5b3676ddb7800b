package fix

import (
	"io"
	"strings"

	"dsd/internal/text"
)

// around is the number of unchanged lines before and after a change in a diff.
const around = 3

// hunk replaces the lines from up to to of the old file, numbered from 0, by others.
type hunk struct {
	from, to int
	lines    []string // with their line ends
}

// WriteDiff writes the change as a unified diff, which git apply and patch -p1 accept.
func (c *Change) WriteDiff(w io.Writer) error {
	old := splitLines(string(c.Src))
	p := &text.Printer{W: w}
	p.Printf("--- a/%s\n+++ b/%s\n", c.File, c.File)
	hunks := c.hunks(old)
	more := 0 // lines that the hunks before have added
	for len(hunks) > 0 {
		n := 1 // the number of hunks whose surroundings meet
		for n < len(hunks) && hunks[n].from-hunks[n-1].to <= 2*around {
			n++
		}
		from, to := max(hunks[0].from-around, 0), min(hunks[n-1].to+around, len(old))
		var out strings.Builder
		at, added := from, 0
		for _, h := range hunks[:n] {
			writeLines(&out, ' ', old[at:h.from])
			writeLines(&out, '-', old[h.from:h.to])
			writeLines(&out, '+', h.lines)
			at = h.to
			added += len(h.lines) - (h.to - h.from)
		}
		writeLines(&out, ' ', old[at:to])
		p.Printf("@@ -%d,%d +%d,%d @@\n%s", from+1, to-from, from+1+more, to-from+added, out.String())
		more += added
		hunks = hunks[n:]
	}
	return p.Err
}

// hunks returns the edits by lines, without those that are the same before and after.
func (c *Change) hunks(old []string) []hunk {
	starts := make([]int, len(old)+1) // the offsets of lines
	for i, l := range old {
		starts[i+1] = starts[i] + len(l)
	}
	var out []hunk
	at := 0
	for _, e := range c.Edits {
		for starts[at+1] <= e.From && at+1 < len(old) {
			at++
		}
		h := hunk{from: at, to: at}
		for h.to < len(old) && starts[h.to] < max(e.To, e.From+1) {
			h.to++
		}
		after := string(c.Src[starts[h.from]:e.From]) + e.Text + string(c.Src[e.To:starts[h.to]])
		h.lines = splitLines(after)
		for len(h.lines) > 0 && h.from < h.to && h.lines[0] == old[h.from] {
			h.lines, h.from = h.lines[1:], h.from+1
		}
		for n := len(h.lines); n > 0 && h.from < h.to && h.lines[n-1] == old[h.to-1]; n-- {
			h.lines, h.to = h.lines[:n-1], h.to-1
		}
		out = append(out, h)
	}
	return out
}

// splitLines returns the lines of a text with their ends.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func writeLines(out *strings.Builder, mark byte, lines []string) {
	for _, l := range lines {
		out.WriteByte(mark)
		out.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
