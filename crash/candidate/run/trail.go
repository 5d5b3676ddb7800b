//go:build go1.21

package run

import (
	"math"
	"runtime"
)

// A trail is a stack that is to be reproduced. The functions on it report how near a candidate
// comes to its lines. There may be several; each batch has one of them as its target. A frame has steps: conditions on the way to its line. A function reports the
// number of steps left (the approach level) plus the branch distance d of the next condition,
// normalized to d/(d+1) [EVO III-B]. A frame with n steps counts n+1 at its entry and n+2 before;
// the distance of a candidate is
//
//	  the least value reported in the innermost frame that was entered
//	+ the sum of n+2 over the frames inside it

// steps holds the number of steps of each frame, trails the frames of each trail, innermost first,
// and trail those of the target; they are nil without a trail.
var (
	steps  []float64
	trails [][]int
	trail  []int
)

// bestLeft is the least value reported in each frame by the running candidate; infinite if it was
// not entered, and below 1 at the end of the trail of a recursion (see Again).
var bestLeft []float64

// distances are the distances of the candidates of the batch, and stacks the keys of the stacks
// that they panicked with, 0 without a panic.
var (
	distances []float32
	stacks    []uint64
)

// Trails sets the number of steps in each frame, and the frames of each trail.
func Trails(lengths []int, frames [][]int) {
	for _, n := range lengths {
		steps = append(steps, float64(n))
	}
	trails = frames
	bestLeft, compared = make([]float64, len(steps)), make([]operands, len(steps))
	nearest = make([]float32, len(frames))
	for i := range nearest {
		nearest[i] = float32(math.Inf(1))
	}
}

// setTarget makes a trail the target of the candidates to come.
func setTarget(n int) {
	if n < len(trails) {
		trail = trails[n]
	}
}

// resetDistance begins a candidate.
func resetDistance() {
	for i := range bestLeft {
		bestLeft[i] = math.Inf(1)
	}
	countedAll, Made, atLine, leftAtLine = false, false, false, 1
	unequal = unequal[:0]
}

// Made is set where a value of the dynamic type that the panic of the target is about becomes that of an interface.
var Made bool

// atLine is set when the line of the target's innermost frame is reached, and leftAtLine is what is left there then. Both
// Made and atLine are about the statement of the candidate that is running.
var (
	atLine     bool
	leftAtLine = 1.0
)

// What is left at the line of a panic about a value of a dynamic type, if such a value was made by the statement that
// came to the line, or by another one.
const (
	madeThere     = 0.5
	madeElsewhere = 0.75
)

// endStatement ends a statement of the candidate.
func endStatement() {
	switch {
	case !Made:
	case atLine:
		leftAtLine = madeThere
	default:
		leftAtLine = min(leftAtLine, madeElsewhere)
	}
	Made, atLine = false, false
}

// entered reports whether the candidate that ran entered a frame.
func entered(frame int) bool { return !math.IsInf(bestLeft[frame], 1) }

// nearest are the least distances to the trails so far.
var nearest []float32

// nearer returns the trails to which the candidate that ran is nearer than any before.
func nearer() (list []Near) {
	for i := range trails {
		if d := distance(trails[i]); d < nearest[i] {
			nearest[i] = d
			list = append(list, Near{i, d})
		}
	}
	return list
}

// distance returns the distance of the candidate that ran to a trail.
func distance(trail []int) float32 {
	endStatement()
	sum := 0.0
	for n, i := range trail {
		if n == 0 && bestLeft[i] == 1 {
			return float32(leftAtLine)
		}
		if entered(i) {
			return float32(sum + bestLeft[i])
		}
		sum += steps[i] + 2
	}
	return float32(sum + 1)
}

// At reports that rest steps are left in a frame.
func At(frame, rest int) {
	if rest == 1 && len(trail) > 0 && frame == trail[0] {
		atLine = true
	}
	report(frame, float64(rest))
}

// Begin reports that a guard is entered, in which rest steps are left. Only the last call of a guard counts.
func Begin(guard, rest int) {
	if guard < len(bestLeft) {
		bestLeft[guard], compared[guard].known = float64(rest), false
	}
}

// Guarded reports a condition that the last call of a guard decided, and returns its result: where it did not come out as
// wanted, the branch distance is what was left in the guard.
func Guarded(frame, rest, guard int, want, result bool) bool {
	if frame >= len(bestLeft) || guard >= len(bestLeft) {
		return result
	}
	if result == want {
		reportCondition(frame, rest, 0)
		return result
	}
	d, o := 1.0, operands{}
	if entered(guard) {
		d, o = 1+bestLeft[guard], compared[guard]
	}
	before := bestLeft[frame]
	if reportCondition(frame, rest, d); bestLeft[frame] < before {
		compared[frame] = o
	}
	return result
}

// Again reports that control comes to the line where a recursion is to overflow the stack: the more often all functions
// of its cycle are active, the nearer that is. The calls of others, which may recur too, do not bring it nearer.
func Again(frame int, cycle ...string) {
	if frame >= len(bestLeft) || countedAll {
		return
	}
	n := runtime.Callers(2, activeCalls[:])
	countedAll = n == len(activeCalls)
	report(frame, 1-float64(activeCycles(activeCalls[:n], cycle)))
}

// activeCalls is room for the calls that Again counts, and countedAll is set when it was full: repeating a text once
// more makes many more of them.
var (
	activeCalls [512]uintptr
	countedAll  bool
)

// activeCycles returns how often the least active function of a cycle is active; the number of calls if the cycle is
// not known.
func activeCycles(calls []uintptr, cycle []string) int {
	if len(cycle) == 0 {
		return len(calls)
	}
	least := len(calls)
	for _, name := range cycle {
		n := 0
		for _, pc := range calls {
			if runtime.FuncForPC(pc-1).Name() == name {
				n++
			}
		}
		least = min(least, n)
	}
	return least
}

func report(frame int, left float64) {
	if frame < len(bestLeft) && left < bestLeft[frame] {
		bestLeft[frame], compared[frame].known = left, false
	}
}

// reportCondition reports a condition with branch distance d, after which rest steps are left; d <=
// 0 if it came out as needed.
func reportCondition(frame, rest int, d float64) {
	if d <= 0 {
		report(frame, float64(rest))
	} else {
		report(frame, float64(rest)+d/(d+1))
	}
}

// The comparison operators, by the numbers that instrumented code passes to Ints, Floats, Texts, Once and UnsignedOnce.
const (
	Equal = iota
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
)

// negated holds the negation of each operator.
var negated = [...]int{NotEqual, Equal, GreaterEqual, Greater, LessEqual, Less}

// branchDistance returns how far a and b are from comparing as wanted; 0 if they do.
func branchDistance(op int, want bool, a, b float64) float64 {
	if !want {
		op = negated[op]
	}
	switch op {
	case Equal:
		return math.Abs(a - b)
	case NotEqual:
		if a != b {
			return 0
		}
		return 1
	case Less:
		if a < b {
			return 0
		}
		return a - b + 1
	case LessEqual:
		if a <= b {
			return 0
		}
		return a - b
	case Greater:
		return branchDistance(Less, true, b, a)
	}
	return branchDistance(LessEqual, true, b, a)
}

// Ints reports a comparison of integers and returns its result. In frame, rest steps are left after
// the comparison comes out as wanted.
func Ints(frame, rest, op int, want bool, a, b int64, result bool) bool {
	if result == want {
		reportCondition(frame, rest, 0)
	} else {
		// As floats, large integers may be equal although they are not: the distance must
		// still be positive.
		d := math.Max(branchDistance(op, want, float64(a), float64(b)), 1e-9)
		reportOperands(frame, rest, d, operands{a: a, b: b})
	}
	return result
}

// Once is Ints for operands that can be evaluated only once: it compares them itself. What calls return and is to be
// equal are most often kinds, tokens or checksums, of which the one that is nearer in number is not nearer to the goal.
func Once(frame, rest, op int, want bool, a, b int64) bool {
	return once(frame, rest, op, want, a, b, compare(op, a, b))
}

// UnsignedOnce is Once for unsigned numbers.
func UnsignedOnce(frame, rest, op int, want bool, a, b uint64) bool {
	return once(frame, rest, op, want, int64(a), int64(b), compare(op, a, b))
}

func once(frame, rest, op int, want bool, a, b int64, result bool) bool {
	if op != Equal && op != NotEqual {
		return Ints(frame, rest, op, want, a, b, result)
	}
	d := 0.0
	if result != want {
		d = 1
	}
	reportOperands(frame, rest, d, operands{a: a, b: b})
	return result
}

// compare compares numbers.
func compare[T int64 | uint64](op int, a, b T) bool {
	switch op {
	case Equal:
		return a == b
	case NotEqual:
		return a != b
	case Less:
		return a < b
	case LessEqual:
		return a <= b
	case Greater:
		return a > b
	}
	return a >= b
}

// Bytes reports a comparison by bytes.Equal, which is passed so that the testee still uses its import, and returns its
// result.
func Bytes(frame, rest int, want bool, equal func(a, b []byte) bool, a, b []byte) bool {
	result := equal(a, b)
	if len(a)+len(b) > maxOperand {
		return Bool(frame, rest, want, result)
	}
	return Texts(frame, rest, Equal, want, string(a), string(b), result)
}

// Prefix reports a comparison by strings.HasPrefix, which is passed as for Bytes, and returns its result.
func Prefix(frame, rest int, want bool, has func(s, prefix string) bool, s, prefix string) bool {
	return affix(frame, rest, want, has(s, prefix), s[:min(len(s), len(prefix))], prefix)
}

// Suffix is Prefix for strings.HasSuffix.
func Suffix(frame, rest int, want bool, has func(s, suffix string) bool, s, suffix string) bool {
	return affix(frame, rest, want, has(s, suffix), s[max(0, len(s)-len(suffix)):], suffix)
}

// BytesPrefix is Prefix for bytes.HasPrefix.
func BytesPrefix(frame, rest int, want bool, has func(s, prefix []byte) bool, s, prefix []byte) bool {
	return affix(frame, rest, want, has(s, prefix), string(s[:min(len(s), len(prefix))]), string(prefix))
}

// BytesSuffix is Prefix for bytes.HasSuffix.
func BytesSuffix(frame, rest int, want bool, has func(s, suffix []byte) bool, s, suffix []byte) bool {
	return affix(frame, rest, want, has(s, suffix), string(s[max(0, len(s)-len(suffix)):]), string(suffix))
}

// affix reports a comparison of the beginning or end of a text, and returns its result.
func affix(frame, rest int, want, result bool, part, whole string) bool {
	if len(whole) > maxOperand/2 {
		return Bool(frame, rest, want, result)
	}
	return Texts(frame, rest, Equal, want, part, whole, result)
}

// Floats is like Ints for floating-point numbers.
func Floats(frame, rest, op int, want bool, a, b float64, result bool) bool {
	d := 0.0
	if result != want {
		if d = branchDistance(op, want, a, b); !(d > 0) {
			d = 1 // NaN
		}
	}
	reportCondition(frame, rest, d)
	return result
}

// Texts is like Ints for strings. The distance from equality grows with the difference of the
// lengths and with the differences of bytes at the same index.
func Texts(frame, rest, op int, want bool, a, b string, result bool) bool {
	d := 0.0
	if result != want {
		d = 1
		if (op == Equal) == want && (op == Equal || op == NotEqual) { // they should be equal
			noteUnequal(a, b)
			d = math.Abs(float64(len(a) - len(b)))
			for i := 0; i < len(a) && i < len(b); i++ {
				if x := math.Abs(float64(a[i]) - float64(b[i])); x > 0 {
					d += 0.5 + x/512
				}
			}
		}
	}
	reportOperands(frame, rest, d, operands{texts: true, s: a, t: b})
	return result
}

// Bool reports a condition with no finer branch distance than 0 or 1, and returns it.
func Bool(frame, rest int, want, result bool) bool {
	d := 0.0
	if result != want {
		d = 1
	}
	reportCondition(frame, rest, d)
	return result
}

// Index reports how far an index i into n elements is from being out of range, and returns it.
func Index(frame, i, n int) int {
	if i >= 0 && i < n {
		reportOperands(frame, 0, math.Min(float64(n-i), float64(i+1)), operands{a: int64(i), b: int64(n)})
	} else {
		report(frame, 0)
	}
	return i
}

// High reports how far a slice bound i is from being above its limit n or below 0, and returns it.
func High(frame, i, n int) int {
	if i >= 0 && i <= n {
		reportOperands(frame, 0, math.Min(float64(n-i+1), float64(i+1)), operands{a: int64(i), b: int64(n)})
	} else {
		report(frame, 0)
	}
	return i
}

// Divisor reports how far a divisor is from 0, and returns it.
func Divisor(frame int, n int) int {
	reportCondition(frame, 0, math.Abs(float64(n)))
	return n
}
