package invariant

import (
	"fmt"
	"math"
	"math/bits"

	"dsd/internal/expr"
)

// residue is the template x % m == r [DAIKON: Modulus]. For the values x0, x1, x2, ... the largest
// such m is
//
//	m = gcd(|x1-x0|, |x2-x0|, ...)
type residue struct {
	seen  bool
	first int64  // x0
	m     uint64 // 0 while there is one value
}

func (r *residue) add(x int64) {
	if !r.seen {
		r.seen, r.first = true, x
	}
	r.m = gcd(r.m, distance(r.first, x))
}

// distance returns |x-y|.
func distance(x, y int64) uint64 {
	if x < y {
		x, y = y, x
	}
	return uint64(x) - uint64(y)
}

// gcd returns the greatest common divisor; gcd(a, 0) is a.
func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// class returns m and r for values of at least min. ok is false if m is less than 2. It is also
// false if one condition cannot express the class: Go's % takes the sign of x, so a class other
// than 0 has two remainders if x can be negative.
func (r *residue) class(min int64) (m, rest int64, ok bool) {
	if r.m < 2 || r.m > math.MaxInt64 {
		return 0, 0, false
	}
	m = int64(r.m)
	if rest = r.first % m; rest != 0 && min < 0 {
		return 0, 0, false
	}
	return m, rest, true
}

// line is the template b*y == a*x + c with integers a, b and c [DAIKON: LinearBinary]. Two points
// define a line, and all others must lie on it:
//
//	(y-y0)*(x1-x0) == (y1-y0)*(x-x0)
//
// The arithmetic is exact. Go computes both sides modulo 2^n, which makes them equal if they are
// equal as numbers.
type line struct {
	points         int // how many of the two defining points are known
	refuted        bool
	x0, y0, x1, y1 int64
}

// add adds a point.
func (l *line) add(x, y int64) {
	switch {
	case l.refuted || l.points > 0 && x == l.x0 && y == l.y0:
	case l.points == 0:
		l.points, l.x0, l.y0 = 1, x, y
	case x == l.x0 || y == l.y0: // vertical or horizontal: that is the template constant
		l.refuted = true
	case l.points == 1:
		l.points, l.x1, l.y1 = 2, x, y
	default:
		l.refuted = !l.holds(x, y)
	}
}

// holds reports whether a point lies on the line. It compares the signs and then the magnitudes of
// the products, which have 128 bits.
func (l *line) holds(x, y int64) bool {
	if ((y < l.y0) != (l.x1 < l.x0)) != ((l.y1 < l.y0) != (x < l.x0)) {
		return false
	}
	h1, l1 := bits.Mul64(distance(y, l.y0), distance(l.x1, l.x0))
	h2, l2 := bits.Mul64(distance(l.y1, l.y0), distance(x, l.x0))
	return h1 == h2 && l1 == l2
}

// maxCoefficient bounds the coefficients of lines and planes. Larger ones are coincidences.
const maxCoefficient = 1 << 16

// cond returns the condition that the line expresses, with its coefficients |a|, b and c as params.
// No constant in it is negative or greater than most, which is a value of a variable: so the
// variables' type has all constants. ok is false if there is no such condition.
func (l *line) cond(x, y expr.Expr, most int64) (cond expr.Expr, params []string, ok bool) {
	if l.points < 2 || l.refuted {
		return nil, nil, false
	}
	dx, dy := distance(l.x0, l.x1), distance(l.y0, l.y1)
	g := gcd(dx, dy)
	b, a := dx/g, dy/g // b*y == ±a*x + c
	most = min(max(most, math.MaxInt8), maxCoefficient)
	if a > uint64(most) || b > uint64(most) {
		return nil, nil, false
	}
	down := (l.x0 < l.x1) != (l.y0 < l.y1)
	left, over1 := mulOverflows(int64(b), l.y0)
	right, over2 := mulOverflows(int64(a), l.x0)
	const limit = 1 << 32 // the sum and the difference must not overflow
	if over1 || over2 || distance(left, 0) > limit || distance(right, 0) > limit {
		return nil, nil, false
	}
	c := left - right
	if down {
		c = left + right
	}
	if distance(c, 0) > uint64(most) || down && c < 0 {
		return nil, nil, false
	}
	ys, xs := expr.Times(int64(b), y), expr.Times(int64(a), x)
	params = []string{fmt.Sprint(a), fmt.Sprint(b), fmt.Sprint(c)}
	if down {
		return expr.Eq(expr.Sum(xs, ys), expr.Int(c)), params, true
	}
	return expr.Eq(ys, expr.Plus(xs, c)), params, true
}

// mulOverflows returns a*b and reports whether it overflows.
func mulOverflows(a, b int64) (p int64, over bool) {
	p = a * b
	return p, a != 0 && (p/a != b || a == -1 && b == math.MinInt64)
}
