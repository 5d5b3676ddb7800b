package reproduce

import (
	"fmt"

	"dsd/crash/origin"
	"dsd/crash/search/evolve"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/internal/text"
)

// setNearest keeps what separates the candidate of a search from the panic if its distance is the least so far.
func (r *reproduction) setNearest(s *evolve.Searcher, distance float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.nearest != "" && distance >= r.distance {
		return
	}
	frame, missing, ok := s.Unmet(distance)
	if !ok {
		return
	}
	r.distance = distance
	fn := symbol.Short(frame.Func)
	switch {
	case len(missing) > 0:
		r.nearest = fmt.Sprintf("in %s, not yet %s", fn, missing[0])
	case frame.Pos.IsValid():
		r.nearest = fmt.Sprintf("at the line in %s, not yet the panic", fn)
	default:
		r.nearest = "in " + fn
	}
}

// describe says in one line what a reproduction looks for: what was read in the text, and how much of its stack
// belongs to the module whose functions are called.
func describe(t *origin.Trace, module *source.Module) string {
	out := "looking for: a panic"
	if k := t.Panic.Kind; k != "" {
		out = fmt.Sprintf("looking for: %s", k)
	}
	own, first := 0, ""
	for _, f := range t.Frames {
		if f.Module != module {
			continue
		}
		if own++; own > 1 {
			continue
		}
		first = " in " + symbol.Short(f.Func)
		if f.Pos.IsValid() {
			first += " at " + f.Pos.String()
		}
	}
	out += first
	if m := t.Panic.Message; m != "" {
		out += fmt.Sprintf(", %q", m)
	}
	return fmt.Sprintf("%s; %d of %s in %s", out, own, text.Count(len(t.Frames), "frame"), module.Name())
}
