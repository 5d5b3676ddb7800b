package invariant

import (
	"fmt"

	"dsd/internal/expr"
)

// plane is the template a*x + b*y + c*z == d [DAIKON: LinearTernary]. Three points p0, p1 and p2
// that are not on a line define a plane, and all others must lie in it:
//
//	n = (p1-p0) × (p2-p0)
//	n·(p-p0) == 0
//
// A plane whose normal n has a zero is refuted: it relates fewer than three variables.
type plane struct {
	points  int // how many of the three defining points are known
	refuted bool
	at      [3][3]int64 // the defining points
	normal  [3]int64    // n
}

// maxPlaneValue bounds the values of the variables. Greater ones refute the plane, because the
// products might not be exact.
const maxPlaneValue = 1 << 18

// add adds a point.
func (p *plane) add(v [3]int64) {
	for _, x := range v {
		if x > maxPlaneValue || x < -maxPlaneValue {
			p.refuted = true
		}
	}
	if p.refuted {
		return
	}
	switch p.points {
	case 0:
		p.at[0], p.points = v, 1
	case 1:
		if v != p.at[0] {
			p.at[1], p.points = v, 2
		}
	case 2:
		if n := cross(subtract(p.at[1], p.at[0]), subtract(v, p.at[0])); n != [3]int64{} {
			p.at[2], p.normal, p.points = v, n, 3
			p.refuted = n[0] == 0 || n[1] == 0 || n[2] == 0
		}
	default:
		d := subtract(v, p.at[0])
		p.refuted = p.normal[0]*d[0]+p.normal[1]*d[1]+p.normal[2]*d[2] != 0
	}
}

// swap exchanges two of the three variables.
func (p *plane) swap(i, j int) {
	for k := range p.at {
		p.at[k][i], p.at[k][j] = p.at[k][j], p.at[k][i]
	}
	p.normal[i], p.normal[j] = p.normal[j], p.normal[i]
}

func subtract(a, b [3]int64) [3]int64 { return [3]int64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func cross(a, b [3]int64) [3]int64 {
	return [3]int64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// cond returns the condition that the plane expresses, with a, b, c and d as params. Only the
// constant d may be negative: each other term is on the side where it is positive. ok is false if
// there is no plane or a coefficient exceeds maxCoefficient.
func (p *plane) cond(vars ...expr.Expr) (cond expr.Expr, params []string, ok bool) {
	if p.points < 3 || p.refuted {
		return nil, nil, false
	}
	n := p.normal
	g := gcd(gcd(distance(n[0], 0), distance(n[1], 0)), distance(n[2], 0))
	d := int64(0)
	for k := range n {
		n[k] /= int64(g)
		d += n[k] * p.at[0][k]
	}
	// The last variable is on the left, so its coefficient must be positive.
	if n[2] < 0 {
		n[0], n[1], n[2], d = -n[0], -n[1], -n[2], -d
	}
	for _, f := range append(n[:], d) {
		if distance(f, 0) > maxCoefficient {
			return nil, nil, false
		}
	}
	left, right := []expr.Expr{expr.Times(n[2], vars[2])}, []expr.Expr{}
	for k := range 2 {
		if n[k] > 0 {
			left = append(left, expr.Times(n[k], vars[k]))
		} else {
			right = append(right, expr.Times(-n[k], vars[k]))
		}
	}
	var end expr.Expr = expr.Int(d)
	if len(right) > 0 {
		end = expr.Plus(expr.Sum(right...), d)
	}
	params = []string{fmt.Sprint(n[0]), fmt.Sprint(n[1]), fmt.Sprint(n[2]), fmt.Sprint(d)}
	return expr.Eq(expr.Sum(left...), end), params, true
}
