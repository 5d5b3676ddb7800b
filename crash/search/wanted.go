package search

import (
	"go/types"
	"math"
	"regexp"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/schemas"
)

// Wanted is a crash that is to be reproduced.
type Wanted struct {
	// Kind is that of the panic.
	Kind string
	// Frames are those in the module, crash first.
	Frames []WantedFrame
	// Literals are values that the text of the panic tells, as Go literals.
	Literals []string
}

// WantedFrame is a frame of the stack.
type WantedFrame struct {
	// Name is that of the function as the text of the panic has it.
	Name string
	// Line is "file:line", the file relative to the module's root; "" if the place does not fit the source.
	Line string
	// Func is the function, or the one that encloses it; nil if the module has none of that name.
	Func *source.Func
	// Literal says that the frame is of a function literal.
	Literal bool
	// Number is that of the line, 0 if it is not known.
	Number int
	// Words are those of the arguments.
	Words []stack.Word
}

// Reproduces says how many frames of a crash, counted from the panic, are those that are wanted; 0 if it is another crash.
func (w *Wanted) Reproduces(kind string, frames []schemas.Frame) int {
	if kind != w.Kind || len(frames) == 0 || len(w.Frames) == 0 {
		return 0
	}
	if kind == "stack-overflow" {
		return w.recursion(frames)
	}
	if first := w.Frames[0]; !first.is(frames[0]) || first.Line != "" && first.Line != lineOf(frames[0].Pos) {
		return 0
	}
	n := 1
	for n < len(frames) && n < len(w.Frames) && w.Frames[n].is(frames[n]) {
		n++
	}
	return n
}

// recursion compares endless recursions, of which any function may be on top: all that recur are wanted ones.
func (w *Wanted) recursion(frames []schemas.Frame) int {
	names := map[string]bool{}
	for _, f := range w.Frames {
		names[plain(f.Name)] = true
	}
	for i, f := range frames[:min(len(frames), 20)] {
		if !names[plain(f.Func)] {
			return 0
		}
		if i == 0 && w.Frames[0].Line != "" && w.Frames[0].Line == lineOf(f.Pos) {
			break
		}
	}
	return len(w.Frames)
}

// is says that a frame is this one: the compiler may have given a function literal another name, in another place to be inlined.
func (f *WantedFrame) is(g schemas.Frame) bool {
	return plain(f.Name) == plain(g.Func) || f.Line != "" && f.Line == lineOf(g.Pos)
}

var brackets = regexp.MustCompile(`\[[^\]]*\]+`)

// plain is a function's name without type arguments.
func plain(name string) string { return brackets.ReplaceAllString(name, "") }

// lineOf drops the column of a position.
func lineOf(pos string) string {
	parts := strings.SplitN(pos, ":", 3)
	if len(parts) < 3 {
		return pos
	}
	return parts[0] + ":" + parts[1]
}

// stackDistance is how far a stack is from the wanted one, 0 to 1 [EVO definition 2].
func (w *Wanted) stackDistance(frames []schemas.Frame) float64 {
	sum := 0.0
	for _, f := range w.Frames {
		best := 3.0
		for _, g := range frames {
			best = min(best, f.distance(g))
		}
		sum += best
	}
	return sum / (sum + 1)
}

// distance is that of two frames: in Go a package and a receiver are what a class is in Java.
func (f *WantedFrame) distance(g schemas.Frame) float64 {
	name, other := plain(f.Name), plain(g.Func)
	switch {
	case f.Line != "" && f.Line == lineOf(g.Pos):
		return 0
	case name == other:
		if f.Line == "" {
			return 0
		}
		d := math.Abs(float64(f.Number - numberOf(g.Pos)))
		return d / (d + 1)
	case class(name) == class(other):
		return 2
	}
	return 3
}

// class is a function's name without its last part.
func class(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i]
	}
	return name
}

// numberOf is the number of the line of a position.
func numberOf(pos string) int {
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

// places are what the harness is to measure distances to.
func (w *Wanted) places() []candidate.TargetFrame {
	var out []candidate.TargetFrame
	seen := map[candidate.TargetFrame]bool{}
	for i, f := range w.Frames {
		p := candidate.TargetFrame{Func: f.Func, InLiteral: f.Literal, Line: f.Number}
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

// Argument is what the words of a stack say of an argument.
type Argument struct {
	// Known says that it is a number or boolean with these Bits, sign-extended.
	Known bool
	Bits  uint64
	// Length is that of a string or slice, -1 if it is not known.
	Length int
	// Nil says that it is nil, and Set that it is not.
	Nil, Set bool
}

// Arguments reads the words of a frame's arguments by the types of the parameters, the receiver's first.
func Arguments(words []stack.Word, fn *types.Func) []Argument {
	var out []Argument
	sig := fn.Type().(*types.Signature)
	var list []types.Type
	if r := sig.Recv(); r != nil {
		list = append(list, r.Type())
	}
	for i := range sig.Params().Len() {
		list = append(list, sig.Params().At(i).Type())
	}
	for i, t := range list {
		h := Argument{Length: -1}
		if i < len(words) && words[i].Known {
			h = argumentOf(words[i], t)
		}
		if i < len(words) && words[i].More {
			break
		}
		out = append(out, h)
	}
	return out
}

func argumentOf(w stack.Word, t types.Type) Argument {
	h := Argument{Length: -1}
	part := func(i int) (uint64, bool) {
		if i < len(w.Parts) && w.Parts[i].Known && w.Parts[i].Sure && w.Parts[i].Parts == nil {
			return w.Parts[i].Value, true
		}
		return 0, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			if n, ok := part(1); ok && n < 1<<16 {
				h.Length = int(n)
			}
		} else if w.Sure && w.Parts == nil && u.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) != 0 {
			h.Known, h.Bits = true, extend(w.Value, u)
		}
	case *types.Slice:
		if n, ok := part(1); ok && n < 1<<16 {
			h.Length = int(n)
		}
	case *types.Interface:
		if n, ok := part(0); ok {
			h.Nil, h.Set = n == 0, n != 0
		}
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		if w.Sure && w.Parts == nil {
			h.Nil, h.Set = w.Value == 0, w.Value != 0
		}
	}
	return h
}

// extend is the value of a word as one of a basic type, sign-extended.
func extend(v uint64, b *types.Basic) uint64 {
	switch b.Kind() {
	case types.Int8:
		return uint64(int64(int8(v)))
	case types.Int16:
		return uint64(int64(int16(v)))
	case types.Int32:
		return uint64(int64(int32(v)))
	case types.Uint8:
		return uint64(uint8(v))
	case types.Uint16:
		return uint64(uint16(v))
	case types.Uint32:
		return uint64(uint32(v))
	case types.Float32:
		return math.Float64bits(float64(math.Float32frombits(uint32(v))))
	case types.Bool:
		return v & 1
	}
	return v
}
