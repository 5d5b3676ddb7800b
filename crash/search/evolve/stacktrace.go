package evolve

import (
	"slices"
	"strconv"
	"strings"

	"dsd/crash/candidate/instrument"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// StackTrace is the target crash: a crash to reproduce.
type StackTrace struct {
	// Kind is the kind of the panic, and Message its message, "" if that is not known.
	Kind    schemas.Kind
	Message string
	// Frames are the frames in the module, innermost first.
	Frames []stacktrace.Located
	// Literals are values in the text of the panic, as Go literals.
	Literals []string
	// Receivers are the types of the receivers of the frames outside the module, as the runtime prints types. The module
	// calls their methods, mostly those of interfaces.
	Receivers []string
}

// MatchedFrames returns how many frames of a crash match the target, counted from the innermost. It
// returns 0 if the innermost frame or the kind of panic is another one.
func (t *StackTrace) MatchedFrames(kind schemas.Kind, frames []schemas.Frame) int {
	if kind != t.Kind || len(frames) == 0 || len(t.Frames) == 0 {
		return 0
	}
	if kind == schemas.StackOverflow {
		return t.matchedRecursion(frames)
	}
	first := t.Frames[0]
	if !matches(&first, frames[0]) || first.Pos.IsValid() && !sameLine(&first, frames[0]) {
		return 0
	}
	n := 1
	for n < len(frames) && n < len(t.Frames) && matches(&t.Frames[n], frames[n]) {
		n++
	}
	return n
}

// maxRecursion is the number of innermost frames of an endless recursion that must be on the target
// stack.
const maxRecursion = 20

// matchedRecursion is MatchedFrames for endless recursions. Any of the functions may be the
// innermost one, so all that recur must be on the target stack.
func (t *StackTrace) matchedRecursion(frames []schemas.Frame) int {
	names := map[string]bool{}
	for _, f := range t.Frames {
		names[symbol.Plain(f.Func)] = true
	}
	for i, f := range frames[:min(len(frames), maxRecursion)] {
		if !names[symbol.Plain(f.Func)] {
			return 0
		}
		if i == 0 && sameLine(&t.Frames[0], f) {
			break
		}
	}
	return len(t.Frames)
}

// matches reports whether g is the frame f: they have the same function or the same line. The names
// of a function literal differ between builds if the compiler inlines its function in one of them.
func matches(f *stacktrace.Located, g schemas.Frame) bool {
	return symbol.Plain(f.Func) == symbol.Plain(g.Func) || sameLine(f, g)
}

// sameLine reports whether f has a position and g is in the same line.
func sameLine(f *stacktrace.Located, g schemas.Frame) bool {
	return f.Pos.IsValid() && f.Pos == symbol.ParsePos(g.Pos).WithoutCol()
}

// target returns the frames to which the harness measures the distance: the different ones with a
// known function, innermost first. Literals that variables hold have none.
func (t *StackTrace) target() []instrument.TargetFrame {
	var out []instrument.TargetFrame
	seen := map[instrument.TargetFrame]bool{}
	for i, f := range t.Frames {
		p := instrument.TargetFrame{Func: f.Fn, InLiteral: f.Literal, Line: f.Pos.Line}
		if f.Fn == nil || f.Fn.Literal || seen[p] {
			continue
		}
		seen[p] = true
		if i == 0 {
			p.Kind = t.Kind
			if t.Kind == schemas.StackOverflow {
				p.Cycle = t.cycle()
			}
		}
		out = append(out, p)
	}
	return out
}

// misleading reports for each frame whether a call of its function cannot lead to the crash. A function literal in the body of a function that is further out gets to the functions between them by that
// function alone: others that call them have no such literal to hand over, unless that function kept it, and then calling
// that function does as well. What the literal calls may crash whoever calls it.
func (t *StackTrace) misleading() []bool {
	out := make([]bool, len(t.Frames))
	for i, f := range t.Frames {
		if f.Fn == nil || !f.Literal || f.Fn.Literal {
			continue
		}
		for j := i + 1; j < len(t.Frames); j++ {
			if g := t.Frames[j]; g.Fn != nil && g.Fn.Obj == f.Fn.Obj && !g.Literal {
				for k := i + 1; k < j; k++ {
					out[k] = t.Frames[k].Fn != nil && !t.Frames[k].Literal
				}
				break
			}
		}
	}
	return out
}

// Innermost returns the index of the innermost frame whose function can be called to reproduce the crash: the first, but of
// an endless recursion the first that recurs. What that called last, when the stack was full, ends by itself.
func (t *StackTrace) Innermost() int {
	if t.Kind != schemas.StackOverflow {
		return 0
	}
	for i, f := range t.Frames {
		for _, g := range t.Frames[i+1:] {
			if f.Func == g.Func {
				return i
			}
		}
	}
	return 0
}

// cycle returns the names of the functions that are on the stack of an endless recursion more than once, as
// instrument.TargetFrame has them. Function literals are left out: a build may name them differently.
func (t *StackTrace) cycle() string {
	times := map[string]int{}
	for _, f := range t.Frames {
		if !f.Literal {
			times[f.Func]++
		}
	}
	var names []string
	for name, n := range times {
		if n > 1 {
			names = append(names, strconv.Quote(name))
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
