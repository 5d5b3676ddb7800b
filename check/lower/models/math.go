//go:build ignore

package math

import "dsd"

func IsNaN(f float64) bool { return f != f }
func IsInf(f float64, sign int) bool {
	const max = 0x1p1023 * (1 + (1 - 0x1p-52))
	return sign >= 0 && f > max || sign <= 0 && f < -max
}
func Abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	if x == 0 {
		return 0
	}
	return x
}
func Max(x, y float64) float64 { return max(x, y) }
func Min(x, y float64) float64 { return min(x, y) }
func Inf(sign int) float64 {
	f := dsd.Any[float64]()
	if sign >= 0 {
		dsd.Assume(IsInf(f, 1))
	} else {
		dsd.Assume(IsInf(f, -1))
	}
	return f
}
func NaN() float64 {
	f := dsd.Any[float64]()
	dsd.Assume(f != f)
	return f
}

// near returns any number, which is NaN if and only if x is.
func near(x float64) float64 {
	r := dsd.Any[float64]()
	dsd.Assume((x != x) == (r != r))
	return r
}
func Floor(x float64) float64 {
	r := near(x)
	dsd.Assume(x != x || r <= x && (x < 0 || r >= 0))
	return r
}
func Ceil(x float64) float64 {
	r := near(x)
	dsd.Assume(x != x || r >= x && (x > 0 || r <= 0))
	return r
}
func Trunc(x float64) float64 { return near(x) }
func Round(x float64) float64 { return near(x) }
func Sqrt(x float64) float64 {
	r := dsd.Any[float64]()
	dsd.Assume(x >= 0 == (r >= 0) && (x == 0) == (r == 0))
	return r
}
