//go:build ignore

package runtime

import (
	"runtime"

	"dsd"
)

func Callers(skip int, pc []uintptr) int {
	n := dsd.Any[int]()
	dsd.Assume(0 <= n && n <= len(pc))
	return n
}
func CallersFrames(callers []uintptr) *runtime.Frames { return new(runtime.Frames) }
func FuncForPC(pc uintptr) *runtime.Func              { return dsd.Any[*runtime.Func]() }
func NumGoroutine() int {
	n := dsd.Any[int]()
	dsd.Assume(n >= 1)
	return n
}
func GOMAXPROCS(int) int { return NumGoroutine() }
func NumCPU() int        { return NumGoroutine() }

// ComplexQuo returns the quotient of the complex numbers a + bi and c + di, by Smith's algorithm,
// with the infinities and zeros of C99. It stands for the division operator.
func ComplexQuo(a, b, c, d float64) (e, f float64) {
	if abs(c) >= abs(d) {
		ratio := d / c
		denom := c + ratio*d
		e = (a + b*ratio) / denom
		f = (b - a*ratio) / denom
	} else {
		ratio := c / d
		denom := d + ratio*c
		e = (a*ratio + b) / denom
		f = (b*ratio - a) / denom
	}
	if e == e && f == f {
		return e, f
	}
	zero := 0.0
	inf := 1 / zero
	switch {
	case c == 0 && d == 0 && (a == a || b == b):
		e = withSign(inf, c) * a
		f = withSign(inf, c) * b
	case (isInf(a) || isInf(b)) && isFinite(c) && isFinite(d):
		a, b = oneIfInf(a), oneIfInf(b)
		e = inf * (a*c + b*d)
		f = inf * (b*c - a*d)
	case (isInf(c) || isInf(d)) && isFinite(a) && isFinite(b):
		c, d = oneIfInf(c), oneIfInf(d)
		e = 0 * (a*c + b*d)
		f = 0 * (b*c - a*d)
	}
	return e, f
}

func isInf(f float64) bool    { return f == f && f-f != 0 }
func isFinite(f float64) bool { return f-f == 0 }
func abs(f float64) float64   { return withSign(f, 1) }

// oneIfInf returns 1 with the sign of an infinity f, and 0 with the sign of any other f.
func oneIfInf(f float64) float64 {
	if isInf(f) {
		return withSign(1, f)
	}
	return withSign(0, f)
}

// withSign returns f with the sign of s.
func withSign(f, s float64) float64 {
	if negative(f) != negative(s) {
		return -f
	}
	return f
}

func negative(f float64) bool { return f < 0 || f == 0 && 1/f < 0 }
