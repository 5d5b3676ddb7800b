package refute

import (
	"math/bits"

	"dsd/check/logic"
)

// bounds are inclusive bounds of a number of some bits, read without and with a sign. Nothing is within them if one
// of the lower ones is above its upper one. A boolean is a number of one bit whose signed bounds are not used.
type bounds struct {
	ulo, uhi uint64
	slo, shi int64
}

// full returns the bounds of all numbers of n bits.
func full(n int) bounds {
	return bounds{0, logic.Mask(n), int64(-1) << (n - 1), int64(1)<<(n-1) - 1}
}

// exactly returns the bounds of one number of n bits.
func exactly(v uint64, n int) bounds {
	s := logic.Signed(v, n)
	return bounds{v, v, s, s}
}

func (b *bounds) empty() bool { return b.ulo > b.uhi || b.slo > b.shi }

// known returns the only number within the bounds, and whether there is only one.
func (b *bounds) known() (uint64, bool) { return b.ulo, b.ulo == b.uhi }

// meet narrows b to what is within c, too, numbers of n bits. It reports whether that changed b.
func (b *bounds) meet(c bounds, n int) bool {
	was := *b
	b.ulo, b.uhi = max(b.ulo, c.ulo), min(b.uhi, c.uhi)
	b.slo, b.shi = max(b.slo, c.slo), min(b.shi, c.shi)
	if *b == was {
		return false
	}
	// What is known of one reading is known of the other where no sign changes.
	sign := uint64(1) << (n - 1)
	if b.empty() {
		return true
	}
	if b.ulo&sign == b.uhi&sign {
		b.slo, b.shi = max(b.slo, logic.Signed(b.ulo, n)), min(b.shi, logic.Signed(b.uhi, n))
	}
	if b.slo >= 0 || b.shi < 0 {
		b.ulo, b.uhi = max(b.ulo, uint64(b.slo)&logic.Mask(n)), min(b.uhi, uint64(b.shi)&logic.Mask(n))
	}
	return true
}

// hull returns bounds of the numbers within p or q.
func hull(p, q bounds) bounds {
	return bounds{min(p.ulo, q.ulo), max(p.uhi, q.uhi), min(p.slo, q.slo), max(p.shi, q.shi)}
}

// add returns bounds of x + y modulo 2^n.
func add(x, y bounds, n int) bounds {
	r := full(n)
	lo, under := bits.Add64(x.ulo, y.ulo, 0)
	hi, over := bits.Add64(x.uhi, y.uhi, 0)
	if n < 64 {
		under, over = lo>>n, hi>>n
	}
	if under == over { // both ends wrap, or none
		r.ulo, r.uhi = lo&logic.Mask(n), hi&logic.Mask(n)
	}
	r.signed(sum(x.slo, y.slo), sum(x.shi, y.shi))
	return r
}

// sub returns bounds of x - y modulo 2^n.
func sub(x, y bounds, n int) bounds {
	r := full(n)
	lo, under := bits.Sub64(x.ulo, y.uhi, 0)
	hi, over := bits.Sub64(x.uhi, y.ulo, 0)
	if under == over {
		r.ulo, r.uhi = lo&logic.Mask(n), hi&logic.Mask(n)
	}
	r.signed(difference(x.slo, y.shi), difference(x.shi, y.slo))
	return r
}

// signed narrows the signed bounds of a result to those, unless one is beyond them: then it may wrap.
func (b *bounds) signed(lo, hi wide) {
	if lo.fits(b) && hi.fits(b) {
		b.slo, b.shi = lo.v, hi.v
	}
}

// wide is the result of an operation on two numbers, or that it is none of 64 bits.
type wide struct {
	v        int64
	overflow bool
}

func (w wide) fits(b *bounds) bool { return !w.overflow && b.slo <= w.v && w.v <= b.shi }

func sum(x, y int64) wide {
	s := x + y
	return wide{s, (s < x) != (y < 0)}
}

func difference(x, y int64) wide {
	d := x - y
	return wide{d, (d > x) != (y < 0)}
}

func product(x, y int64) wide {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	if x < 0 {
		hi -= uint64(y)
	}
	if y < 0 {
		hi -= uint64(x)
	}
	return wide{int64(lo), int64(hi) != int64(lo)>>63}
}

// mul returns bounds of x * y modulo 2^n.
func mul(x, y bounds, n int) bounds {
	r := full(n)
	if over, hi := bits.Mul64(x.uhi, y.uhi); over == 0 && hi <= r.uhi {
		r.ulo, r.uhi = x.ulo*y.ulo, hi
	}
	p := [4]wide{product(x.slo, y.slo), product(x.slo, y.shi), product(x.shi, y.slo), product(x.shi, y.shi)}
	lo, hi := p[0], p[0]
	for _, w := range p {
		if !w.fits(&r) {
			return r
		}
		if w.v < lo.v {
			lo = w
		}
		if w.v > hi.v {
			hi = w
		}
	}
	r.signed(lo, hi)
	return r
}

// div returns bounds of x divided by a number other than 0, and of what remains, without signs.
func div(x bounds, k uint64, n int) (quotient, rest bounds) {
	quotient, rest = full(n), full(n)
	quotient.ulo, quotient.uhi = x.ulo/k, x.uhi/k
	rest.uhi = min(k-1, x.uhi)
	if x.ulo/k == x.uhi/k {
		rest.ulo, rest.uhi = x.ulo%k, x.uhi%k
	}
	return quotient, rest
}

// sdiv returns bounds of x divided by a positive number, towards zero, and of what remains, which has the sign of x.
func sdiv(x bounds, k int64, n int) (quotient, rest bounds) {
	quotient, rest = full(n), full(n)
	quotient.slo, quotient.shi = x.slo/k, x.shi/k
	rest.slo, rest.shi = max(1-k, min(x.slo, 0)), min(k-1, max(x.shi, 0))
	return quotient, rest
}

// ones returns the least number of the form 2^k-1 that is at least v.
func ones(v uint64) uint64 { return uint64(1)<<bits.Len64(v) - 1 }
