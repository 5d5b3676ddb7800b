package report

import (
	"cmp"
	"fmt"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// strategies describes what found a crash.
var strategies = map[schemas.Strategy]string{
	schemas.StrategyTests:  "the package's tests",
	schemas.StrategyValues: "small values and those of the stack",
	schemas.StrategySearch: "guided search",
	schemas.StrategySolve:  "the solver",
	schemas.StrategyPath:   "guided search and the solver",
}

// samenesses describes how much a crash is like the wanted panic.
var samenesses = map[schemas.Sameness]string{
	schemas.OtherValues: ", with other values",
	schemas.OtherCause:  " on the same line, but by another cause",
}

// Summary returns one line about the reproduction of a panic; "" if the document has none.
func Summary(doc *schemas.Crashes) string {
	about := doc.Reproduction
	switch {
	case about == nil:
		return ""
	case len(doc.Crashes) > 0:
		c := &doc.Crashes[0]
		return fmt.Sprintf(
			"reproduced%s: %s at %s, %d of %s of %s in common, by %s, after %.1f s and %s",
			samenesses[c.Sameness], c.Kind, c.Pos, c.Level, text.Count(about.Levels, "frame"), about.Module,
			strategies[c.Strategy], c.FoundAfter, text.Count(c.Candidates, "candidate"))
	case about.Partial == nil:
		return "not reproduced: " + about.Message
	case about.Partial.Reached:
		return fmt.Sprintf("not reproduced: the line of %s is reached, without the panic",
			about.Partial.Func)
	}
	return fmt.Sprintf("not reproduced: %s is entered, but its line is not reached",
		about.Partial.Func)
}

// reproduction prints the summary, the frames that do not fit the source, and, without a crash, the
// best candidate.
func (p *printer) reproduction(doc *schemas.Crashes) {
	about := doc.Reproduction
	p.Printf("%s\n", Summary(doc))
	for _, f := range about.Frames {
		if s := cmp.Or(f.Misfit, f.Assumed); s != "" && f.Module == about.Module {
			p.Printf("    %s: %s\n", f.Func, s)
		}
	}
	if len(doc.Crashes) > 0 || about.Partial == nil {
		return
	}
	p.field("best", strings.Split(about.Partial.Inputs, "\n"))
	p.field("missing", about.Partial.Missing)
	if about.Partial.Panic != "" {
		p.field("panics", []string{about.Partial.Panic})
	}
}
