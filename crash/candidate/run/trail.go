//go:build go1.21

package run

import "math"

// The trail is a stack that is to be reproduced. The functions on it report how near a candidate comes to its lines: the
// approach level, in conditions that are left to meet, and the branch distance to the next of them [EVO III-B].

// trail are the frames of the stack, crash first: how many steps there are on the way to the frame's line.
var trail []float64

// nearest is how much of the way through each frame was left at best, by this candidate; infinite if it was not entered.
var nearest []float64

// distances are those of the candidates of the batch, and stacks what tells their panics apart, 0 for none.
var (
	distances []float32
	stacks    []uint64
)

// Trail says how many steps there are in each frame.
func Trail(steps []int) {
	for _, n := range steps {
		trail = append(trail, float64(n))
	}
	nearest = make([]float64, len(trail))
}

// depart begins a candidate.
func depart() {
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
}

// arrive is the distance of a candidate that ended: that through the innermost frame that was entered, and those that were not.
func arrive() float32 {
	sum := 0.0
	for i, n := range trail {
		if !math.IsInf(nearest[i], 1) {
			return float32(sum + nearest[i])
		}
		sum += n + 2
	}
	return float32(sum + 1)
}

// At notes that rest steps are left in a frame.
func At(frame, rest int) { note(frame, float64(rest)) }

func note(frame int, rest float64) {
	if frame < len(nearest) && rest < nearest[frame] {
		nearest[frame] = rest
	}
}

// step notes how a condition came out after which rest steps are left; d is how far it is from doing as it should.
func step(frame, rest int, d float64) {
	if d <= 0 {
		note(frame, float64(rest))
	} else {
		note(frame, float64(rest)+d/(d+1))
	}
}

// The comparisons.
const (
	eql = iota
	neq
	lss
	leq
	gtr
	geq
)

var negated = [...]int{neq, eql, geq, gtr, leq, lss}

// distance is how far a and b are from comparing so; 0 if they do.
func distance(op int, want bool, a, b float64) float64 {
	if !want {
		op = negated[op]
	}
	switch op {
	case eql:
		return math.Abs(a - b)
	case neq:
		if a != b {
			return 0
		}
		return 1
	case lss:
		if a < b {
			return 0
		}
		return a - b + 1
	case leq:
		if a <= b {
			return 0
		}
		return a - b
	case gtr:
		return distance(lss, true, b, a)
	}
	return distance(leq, true, b, a)
}

// Ints notes how a comparison of integers came out, which is result.
func Ints(frame, rest, op int, want bool, a, b int64, result bool) bool {
	if result == want {
		step(frame, rest, 0)
	} else {
		step(frame, rest, math.Max(distance(op, want, float64(a), float64(b)), 1e-9))
	}
	return result
}

// Floats is like Ints.
func Floats(frame, rest, op int, want bool, a, b float64, result bool) bool {
	d := 0.0
	if result != want {
		if d = distance(op, want, a, b); !(d > 0) {
			d = 1 // NaN
		}
	}
	step(frame, rest, d)
	return result
}

// Texts is like Ints: strings are as far apart as their lengths, and their bytes, differ.
func Texts(frame, rest, op int, want bool, a, b string, result bool) bool {
	d := 0.0
	if result != want {
		d = 1
		if op == eql {
			d = math.Abs(float64(len(a) - len(b)))
			for i := 0; i < len(a) && i < len(b); i++ {
				if x := math.Abs(float64(a[i]) - float64(b[i])); x > 0 {
					d += 0.5 + x/512
				}
			}
		}
	}
	step(frame, rest, d)
	return result
}

// Bool notes how a condition came out of which no more can be said.
func Bool(frame, rest int, want, result bool) bool {
	d := 0.0
	if result != want {
		d = 1
	}
	step(frame, rest, d)
	return result
}

// Index notes how far an index is from being out of range, which is what crashes.
func Index(frame, i, n int) int {
	if i >= 0 && i < n {
		step(frame, 0, math.Min(float64(n-i), float64(i+1)))
	} else {
		note(frame, 0)
	}
	return i
}

// High notes how far the upper bound of a slice is from being out of range.
func High(frame, i, n int) int {
	if i >= 0 && i <= n {
		step(frame, 0, math.Min(float64(n-i+1), float64(i+1)))
	} else {
		note(frame, 0)
	}
	return i
}

// Divisor notes how far a divisor is from 0.
func Divisor(frame int, n int) int {
	step(frame, 0, math.Abs(float64(n)))
	return n
}
