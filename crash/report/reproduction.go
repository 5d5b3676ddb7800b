package report

import (
	"fmt"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// strategies are how a crash was found, for people.
var strategies = map[schemas.Strategy]string{
	schemas.StrategyTests: "what the package's tests do", schemas.StrategyValues: "small values and those of the stack", schemas.StrategySearch: "guided search", schemas.StrategySolve: "the solver", schemas.StrategyPath: "guided search and the solver",
}

// Summary says in a line what became of a panic that was to be reproduced.
func Summary(doc *schemas.Crashes) string {
	about := doc.Reproduction
	switch {
	case about == nil:
		return ""
	case len(doc.Crashes) == 0 && about.Partial == nil:
		return fmt.Sprintf("not reproduced: %s", about.Message)
	case len(doc.Crashes) == 0:
		p := about.Partial
		if p.Reached {
			return fmt.Sprintf("not reproduced: the line of %s is reached, without the panic", p.Func)
		}
		return fmt.Sprintf("not reproduced: %s is entered, but not its line", p.Func)
	}
	c := &doc.Crashes[0]
	return fmt.Sprintf("reproduced: %s at %s, %d of %s of %s in common, by %s, after %.1f s and %s",
		c.Kind, c.Pos, c.Level, text.Count(about.Levels, "frame"), about.Module, strategies[c.Strategy], c.FoundAfter, text.Count(c.Candidates, "candidate"))
}

// reproduction writes what was asked for, and how near it was come to.
func (p *printer) reproduction(doc *schemas.Crashes) {
	about := doc.Reproduction
	p.Printf("%s\n", Summary(doc))
	for _, f := range about.Frames {
		if f.Misfit != "" && f.Module == about.Module {
			p.Printf("    %s: %s\n", f.Func, f.Misfit)
		}
	}
	if len(doc.Crashes) > 0 || about.Partial == nil {
		return
	}
	part := about.Partial
	p.Printf("    nearest")
	for i, l := range strings.Split(part.Inputs, "\n") {
		head := " "
		if i > 0 {
			head = "            "
		}
		p.Printf("%s%s\n", head, strings.TrimPrefix(l, "\t"))
	}
	for i, m := range part.Missing {
		head := "        "
		if i == 0 {
			head = "missing "
		}
		p.Printf("    %s%s\n", head, m)
	}
	if part.Panic != "" {
		p.Printf("    panics  %s\n", part.Panic)
	}
}
