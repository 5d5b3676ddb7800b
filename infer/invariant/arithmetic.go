package invariant

import (
	"dsd/internal/expr"
	"fmt"
	"math"
	"math/bits"
)

// residue is the template x % m == r [DAIKON: Modulus]: m divides all differences between values.
type residue struct {
	seen  bool
	first int64
	m     uint64 // 0 while there is one value
}

func (r *residue) add(x int64) {
	if !r.seen {
		r.seen, r.first = true, x
	}
	r.m = gcd(r.m, distance(r.first, x))
}

// distance is |x-y|.
func distance(x, y int64) uint64 {
	if x < y {
		x, y = y, x
	}
	return uint64(x) - uint64(y)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// class is m and r; ok is false if they say nothing, or nothing that Go's %, which takes the sign of x, can tell in one condition.
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

// line is the template y == a*x + b, or b*y == a*x + c where no whole a will do [DAIKON: LinearBinary]. Two points make a line, and all
// others must lie on it. Values are exact: what Go computes modulo 2^n on both sides is equal if the numbers are.
type line struct {
	points         int // 1 or 2 of those that make it
	refuted        bool
	x0, y0, x1, y1 int64
}

func (l *line) add(x, y int64) {
	switch {
	case l.refuted || l.points > 0 && x == l.x0 && y == l.y0:
	case l.points == 0:
		l.points, l.x0, l.y0 = 1, x, y
	case x == l.x0 || y == l.y0: // upright, or level: that is a constant's business
		l.refuted = true
	case l.points == 1:
		l.points, l.x1, l.y1 = 2, x, y
	default:
		l.refuted = !l.holds(x, y)
	}
}

// holds says that a point lies on the line: (y-y0)*(x1-x0) == (y1-y0)*(x-x0).
func (l *line) holds(x, y int64) bool {
	if ((y < l.y0) != (l.x1 < l.x0)) != ((l.y1 < l.y0) != (x < l.x0)) {
		return false
	}
	h1, l1 := bits.Mul64(distance(y, l.y0), distance(l.x1, l.x0))
	h2, l2 := bits.Mul64(distance(l.y1, l.y0), distance(x, l.x0))
	return h1 == h2 && l1 == l2
}

// maxFactor bounds the constants of a line: of larger ones nobody thinks.
const maxCoefficient = 1 << 16

// cond is the condition, without constants that the variables' type might not have: none is negative, and none greater than most, which
// some value was. ok is false if there is none.
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
	const room = 1 << 32 // so that their sum and difference are numbers, too
	if over1 || over2 || distance(left, 0) > room || distance(right, 0) > room {
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

// times is a product, and whether it is too large.
func mulOverflows(a, b int64) (p int64, over bool) {
	p = a * b
	return p, a != 0 && (p/a != b || a == -1 && b == math.MinInt64)
}
