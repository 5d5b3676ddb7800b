package evolve

import (
	"math"

	"dsd/crash/search/feedback"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// The fitness of a candidate t is to be minimised [EVO definition 1]:
//
//	f(t) = 3 φ(d(t)) + 2 dexception(t) + dtrace(t)        φ(x) = x / (x + 1)
//
// d is the distance along the stack that the harness measures: approach level and branch distance.
// It is 0 if t reaches the line of the crash. dexception is 0 if the wanted panic is thrown there,
// else 1. dtrace is the stack trace distance if dexception is 0, else 1. So f is in [0, 6].
//
// Departures from the paper: the harness measures d over the conditions on the way through each
// frame of the stack, not only to the crash. A panic elsewhere costs elsewherePenalty more, as t
// ends before it can do more.

// worstFitness is the greatest value of the fitness function.
const worstFitness = 6

// elsewherePenalty is the fitness cost of panicking other than as wanted, so that of two candidates
// that come equally far the one without a panic is fitter.
const elsewherePenalty = 0.01

// fitness returns the fitness of a candidate with a distance along the stack. panicked is set if it
// panicked; then penalty is exceptionPenalty of the panic, if that is known.
func fitness(distance float64, panicked bool, penalty float64, known bool) float64 {
	f := 3*distance/(distance+1) + maxExceptionPenalty
	if !panicked {
		return f
	}
	if known {
		f += penalty - maxExceptionPenalty
	}
	if f > 3 {
		f = min(f+elsewherePenalty, worstFitness)
	}
	return f
}

// maxExceptionPenalty is 2 dexception + dtrace without the wanted panic.
const maxExceptionPenalty = 3

// exceptionPenalty returns 2 dexception + dtrace of a panic that has a number of frames in common
// with the wanted one.
func (w *StackTrace) exceptionPenalty(x *feedback.Crash, matched int) float64 {
	if x.Kind != w.Kind || matched == 0 {
		return maxExceptionPenalty
	}
	return w.traceDistance(x.Frames)
}

// traceDistance returns the stack trace distance [EVO definition 2], from 0 to 1:
//
//	dtrace = φ(D)        D = sum over the wanted frames e of min { diff(e, s) : s in frames }
func (w *StackTrace) traceDistance(frames []schemas.Frame) float64 {
	sum := 0.0
	for _, f := range w.Frames {
		best := 3.0
		for _, g := range frames {
			best = min(best, diff(&f, g))
		}
		sum += best
	}
	return sum / (sum + 1)
}

// diff returns the difference of two frames [EVO equation 4]:
//
//	diff(e, s) = 3              if their classes differ
//	           = 2              if their classes are equal and their methods differ
//	           = φ(|le - ls|)   otherwise, of the numbers of their lines
//
// In Go, a package and a receiver are what a class is in Java. Departures from the paper: frames
// with the same line are equal whatever their functions are called (see matches), and so are frames
// with the same function if the wanted line is not known.
func diff(f *stacktrace.Located, g schemas.Frame) float64 {
	name, other := symbol.Plain(f.Func), symbol.Plain(g.Func)
	switch {
	case sameLine(f, g):
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
