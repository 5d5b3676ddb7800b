package search

import (
	"math"

	"dsd/crash/candidate/instrument"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// StackTrace is a crash that is to be reproduced.
type StackTrace struct {
	// Kind is that of the panic.
	Kind schemas.Kind
	// Frames are those in the module, crash first.
	Frames []stacktrace.Located
	// Literals are values that the text of the panic tells, as Go literals.
	Literals []string
}

// MatchedFrames says how many frames of a crash, counted from the panic, are those that are wanted; 0 if it is another crash.
func (w *StackTrace) MatchedFrames(kind schemas.Kind, frames []schemas.Frame) int {
	if kind != w.Kind || len(frames) == 0 || len(w.Frames) == 0 {
		return 0
	}
	if kind == schemas.StackOverflow {
		return w.recursion(frames)
	}
	if first := w.Frames[0]; !matches(&first, frames[0]) || first.Pos.IsValid() && !at(&first, frames[0]) {
		return 0
	}
	n := 1
	for n < len(frames) && n < len(w.Frames) && matches(&w.Frames[n], frames[n]) {
		n++
	}
	return n
}

// recursion compares endless recursions, of which any function may be on top: all that recur are wanted ones.
func (w *StackTrace) recursion(frames []schemas.Frame) int {
	names := map[string]bool{}
	for _, f := range w.Frames {
		names[symbol.Plain(f.Func)] = true
	}
	for i, f := range frames[:min(len(frames), 20)] {
		if !names[symbol.Plain(f.Func)] {
			return 0
		}
		if i == 0 && at(&w.Frames[0], f) {
			break
		}
	}
	return len(w.Frames)
}

// matches reports whether g is the frame f: they have the same function or the same line. The names of a function literal differ
// between builds if the compiler inlines its function in one of them.
func matches(f *stacktrace.Located, g schemas.Frame) bool {
	return symbol.Plain(f.Func) == symbol.Plain(g.Func) || at(f, g)
}

// at reports whether f has a position, and g is in the same line.
func at(f *stacktrace.Located, g schemas.Frame) bool {
	return f.Pos.IsValid() && f.Pos == symbol.ParsePos(g.Pos).WithoutCol()
}

// stackDistance is how far a stack is from the wanted one, 0 to 1 [EVO definition 2].
func (w *StackTrace) stackDistance(frames []schemas.Frame) float64 {
	sum := 0.0
	for _, f := range w.Frames {
		best := 3.0
		for _, g := range frames {
			best = min(best, frameDistance(&f, g))
		}
		sum += best
	}
	return sum / (sum + 1)
}

// frameDistance is that of two frames: in Go a package and a receiver are what a class is in Java.
func frameDistance(f *stacktrace.Located, g schemas.Frame) float64 {
	name, other := symbol.Plain(f.Func), symbol.Plain(g.Func)
	switch {
	case at(f, g):
		return 0
	case name == other:
		if !f.Pos.IsValid() {
			return 0
		}
		d := math.Abs(float64(f.Pos.Line - symbol.ParsePos(g.Pos).Line))
		return d / (d + 1)
	case symbol.Parent(name) == symbol.Parent(other):
		return 2
	}
	return 3
}

// places are what the harness is to measure distances to.
func (w *StackTrace) places() []instrument.TargetFrame {
	var out []instrument.TargetFrame
	seen := map[instrument.TargetFrame]bool{}
	for i, f := range w.Frames {
		p := instrument.TargetFrame{Func: f.Fn, InLiteral: f.Literal, Line: f.Pos.Line}
		if f.Fn == nil || seen[p] {
			continue
		}
		seen[p] = true
		if i == 0 {
			p.Kind = w.Kind
		}
		out = append(out, p)
	}
	return out
}
