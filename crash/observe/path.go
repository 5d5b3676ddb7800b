package observe

import (
	"fmt"
	"strings"

	"dsd/internal/fact"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// The ends of the note of a step that is a condition; see schemas.Step.
const (
	isTrue  = " is true"
	isFalse = " is false"
)

// Parting says where a run left a path.
type Parting struct {
	// Pos and Cond are the position and the text of the first condition of the path that did
	// not come out as the path says, and Holds is what the path says.
	Pos, Cond string
	Holds     bool
	// Evaluated reports whether control came to the condition, after those before it.
	Evaluated bool
}

// String describes the parting for a reader.
func (p *Parting) String() string {
	if p.Evaluated {
		return fmt.Sprintf("%s (%s) was %v", p.Cond, p.Pos, !p.Holds)
	}
	return fmt.Sprintf("control did not come to %s (%s)", p.Cond, p.Pos)
}

// Comparisons returns the comparisons of integers in the condition that events tell of.
func (p *Parting) Comparisons(events []Event) (out []fact.Comparison) {
	from := symbol.ParsePos(p.Pos)
	for _, e := range events {
		if e.Operands == nil {
			continue
		}
		at := symbol.ParsePos(e.Pos)
		if at.WithoutCol() == from.WithoutCol() && from.Col <= at.Col && at.Col < from.Col+len(p.Cond) {
			out = append(out, fact.Comparison{Pos: e.Pos, Operands: *e.Operands})
		}
	}
	return out
}

// Parting compares a run with a path, the steps of a warning. It returns nil if the conditions of
// the path came out in that order. Conditions that report nothing count as come out.
func (o *Observer) Parting(path []schemas.Step, events []Event) *Parting {
	at := 0
	for _, step := range path {
		cond, holds := strings.CutSuffix(step.Note, isTrue)
		if !holds {
			var ok bool
			if cond, ok = strings.CutSuffix(step.Note, isFalse); !ok {
				continue // a call
			}
		}
		reports, both := o.conditions[step.Pos]
		if !reports || !holds && !both {
			continue
		}
		p := &Parting{Pos: step.Pos, Cond: cond, Holds: holds}
		found := false
		for i := at; i < len(events) && !found; i++ {
			if e := &events[i]; e.Call == nil && e.Pos == step.Pos {
				if found = e.Holds == holds; found {
					at = i + 1
				}
				p.Evaluated = true
			}
		}
		if !found {
			return p
		}
	}
	return nil
}
