package evolve

import (
	"math"

	"dsd/crash/search/feedback"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// The fitness of a candidate t is to be minimized [EVO definition 1]:
//
//	f(t) = 3 φ(d(t)) + 2 dexception(t) + dtrace(t)        φ(x) = x / (x + 1)
//
// d is the distance along the stack that the harness measures: approach level and branch distance.
// It is 0 if t reaches the line of the crash. dexception is 0 if the target panic is thrown there,
// else 1. dtrace is the stack trace distance if dexception is 0, else 1. So f is in [0, 6].
//
// Departures from the paper: d counts the conditions on the way through all frames on the stack,
// not only those in the function that crashes. A panic elsewhere costs elsewherePenalty more,
// because t ends before it can get further. A target panic with other numbers in its message has a
// d between 0 and 1/2.

// worstFitness is the greatest value of the fitness function.
const worstFitness = 6

// elsewherePenalty is the fitness cost of another panic than the target. Of two candidates that get
// equally far, the one without a panic is fitter.
const elsewherePenalty = 0.01

// recursionShare is what the fitness gains by a recursion that is as deep as can be, but ends: the distance is below 0
// then, by the number of active calls.
const recursionShare = 0.5

// fitness returns the fitness of a candidate with a distance along the stack. panicked is set if it
// panicked; penalty is exceptionPenalty of the panic, or maxExceptionPenalty if that is not known.
func fitness(distance float64, panicked bool, penalty float64) float64 {
	f := 3*distance/(distance+1) + maxExceptionPenalty
	if distance < 0 {
		f = maxExceptionPenalty - recursionShare*distance/(distance-1)
	}
	if !panicked {
		return f
	}
	f += penalty - maxExceptionPenalty
	if f > 3 {
		f = min(f+elsewherePenalty, worstFitness)
	}
	return f
}

// maxExceptionPenalty is 2 dexception + dtrace without the target panic.
const maxExceptionPenalty = 3

// exceptionPenalty returns 2 dexception + dtrace of a panic that matches a number of frames.
func (t *StackTrace) exceptionPenalty(x *feedback.Crash, matched int) float64 {
	if x.Kind != t.Kind || matched == 0 {
		return maxExceptionPenalty
	}
	return t.traceDistance(x.Frames)
}

// traceDistance returns the stack trace distance [EVO definition 2], from 0 to 1:
//
//	dtrace = φ(D)        D = sum over the target frames e of min { diff(e, s) : s in frames }
func (t *StackTrace) traceDistance(frames []schemas.Frame) float64 {
	sum := 0.0
	for _, f := range t.Frames {
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
// with the same function if the line of the target frame is not known.
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
