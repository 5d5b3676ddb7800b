package report

import (
	"fmt"
	"io"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// Explanation is what is known about one crash.
type Explanation struct {
	Crash *schemas.Crash
	// Preconditions are the inferred preconditions of the called function. Samples is the number
	// of calls that they were learned from, and Tests are some of the tests that made these.
	Preconditions []schemas.Invariant
	Samples       int64
	Tests         []string
	// Check is a condition over the parameters of the called function that rules the panic out, and Diff
	// a change of the source under which the test passes; NoCheck is why one of them is not known.
	Check, Diff, NoCheck string
}

// maxPreconditions is the number of preconditions that Explain prints.
const maxPreconditions = 10

// Explain prints what happens in a crash, its test, what speaks for and against a bug, and the check
// that would prevent it.
func Explain(w io.Writer, doc *schemas.Crashes, e *Explanation, opt TextOptions) error {
	p := newPrinter(w, doc, &opt)
	c := e.Crash
	p.Printf("%s %s: %s in %s\n", p.rankStyle(Rank(c), c.ID), p.style.Bold(p.sources.pos(c.Pos)), c.Kind, c.Func)
	p.Printf("    %s\n", text.Message(c.Message, "    "))
	p.Printf("\nThe calls, the panic last:\n")
	for _, l := range p.sources.stack(c.Stack) {
		p.Printf("    %s\n", l)
	}
	p.Printf("\nThe test:\n")
	for _, l := range strings.Split(strings.TrimRight(c.Test.Source, "\n"), "\n") {
		p.Printf("%s\n", strings.TrimRight("    "+l, " \t"))
	}
	p.Printf("\nRank: %s", Rank(c))
	if len(c.Signs) > 0 {
		p.Printf(", with a score of %d", c.Score)
	}
	p.Printf("\n")
	for _, s := range c.Signs {
		p.Printf("    %+3d %-24s %s\n", s.Weight, s.Name, s.Text)
	}
	p.preconditions(e)
	switch {
	case e.Check != "":
		p.Printf("\nWhat would prevent it: %s returns early, or refuses, unless\n    %s\n",
			c.Func, e.Check)
		if e.Diff != "" {
			p.Printf("\nFor instance (with this, the test passes):\n\n%s", e.Diff)
		}
	case e.NoCheck != "":
		p.Printf("\nWhat would prevent it: %s\n", e.NoCheck)
	}
	return p.Err
}

// preconditions prints the inferred preconditions of the called function.
func (p *printer) preconditions(e *Explanation) {
	if len(e.Preconditions) == 0 {
		return
	}
	p.Printf("\nWhat held in %s of the tests", text.Count(int(e.Samples), "call"))
	for i, t := range e.Tests {
		sep := ", "
		if i == 0 {
			sep = " ("
		}
		p.Printf("%s%s", sep, t[strings.LastIndexByte(t, '.')+1:])
	}
	if len(e.Tests) > 0 {
		p.Printf(")")
	}
	p.Printf(":\n")
	for i, inv := range e.Preconditions {
		if i == maxPreconditions {
			p.Printf("    ... and %d more\n", len(e.Preconditions)-i)
			break
		}
		mark := ""
		for _, s := range e.Crash.Signs {
			if strings.Contains(s.Text, ", "+inv.Expr+" holds for ") {
				mark = "  (not here)"
			}
		}
		p.Printf("    %s\n", fmt.Sprint(inv.Expr, mark))
	}
}
