package evolve

import (
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/schemas"
)

// StackTrace is a crash to reproduce.
type StackTrace struct {
	// Kind is the kind of the panic.
	Kind string
	// Frames are the frames in the module, innermost first.
	Frames []Frame
	// Literals are values that the text of the panic tells, as Go literals.
	Literals []string
}

// Frame is a frame of a stack trace.
type Frame struct {
	// Name is the name of the function in the text of the panic.
	Name string
	// Line is "file:line", the file relative to the module's root; "" if it does not fit the source.
	Line string
	// Func is the function, or the one that encloses it; nil if the module has none of that name.
	Func *source.Func
	// Literal is set if the frame is that of a function literal.
	Literal bool
	// LineNumber is the number of the line, 0 if it is not known.
	LineNumber int
	// Words are the words of the arguments.
	Words []stack.Word
}

// MatchedFrames returns how many frames a crash has in common with the wanted one, counted from the
// innermost. It returns 0 if it is another crash.
func (w *StackTrace) MatchedFrames(kind string, frames []schemas.Frame) int {
	if kind != w.Kind || len(frames) == 0 || len(w.Frames) == 0 {
		return 0
	}
	if kind == "stack-overflow" {
		return w.matchedRecursion(frames)
	}
	first := w.Frames[0]
	if !first.is(frames[0]) || first.Line != "" && first.Line != withoutColumn(frames[0].Pos) {
		return 0
	}
	n := 1
	for n < len(frames) && n < len(w.Frames) && w.Frames[n].is(frames[n]) {
		n++
	}
	return n
}

// maxRecursion is the number of innermost frames of an endless recursion that must be wanted ones.
const maxRecursion = 20

// matchedRecursion is MatchedFrames for endless recursions. Any of the functions may be the innermost
// one, so all that recur must be on the wanted stack.
func (w *StackTrace) matchedRecursion(frames []schemas.Frame) int {
	names := map[string]bool{}
	for _, f := range w.Frames {
		names[paramgraph.WithoutTypeArgs(f.Name)] = true
	}
	for i, f := range frames[:min(len(frames), maxRecursion)] {
		if !names[paramgraph.WithoutTypeArgs(f.Func)] {
			return 0
		}
		if i == 0 && w.Frames[0].Line != "" && w.Frames[0].Line == withoutColumn(f.Pos) {
			break
		}
	}
	return len(w.Frames)
}

// is reports whether a frame of a crash is this one: its function or its line is the same. The
// compiler gives a function literal another name where the function around it is inlined.
func (f *Frame) is(g schemas.Frame) bool {
	return paramgraph.WithoutTypeArgs(f.Name) == paramgraph.WithoutTypeArgs(g.Func) ||
		f.Line != "" && f.Line == withoutColumn(g.Pos)
}

// withoutColumn returns "file:line" of a position.
func withoutColumn(pos string) string {
	parts := strings.SplitN(pos, ":", 3)
	if len(parts) < 3 {
		return pos
	}
	return parts[0] + ":" + parts[1]
}

// lineNumber returns the number of the line of a position.
func lineNumber(pos string) int {
	n := 0
	_, rest, _ := strings.Cut(pos, ":")
	for _, c := range rest {
		if c < '0' || c > '9' {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// places returns the places to which the harness measures the distance: the different frames with a
// known function, innermost first.
func (w *StackTrace) places() []candidate.Place {
	var out []candidate.Place
	seen := map[candidate.Place]bool{}
	for i, f := range w.Frames {
		p := candidate.Place{Func: f.Func, Literal: f.Literal, Line: f.LineNumber}
		if f.Line == "" {
			p.Line = 0
		}
		if f.Func == nil || seen[p] {
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
