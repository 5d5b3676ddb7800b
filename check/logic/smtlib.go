package logic

import (
	"fmt"
	"math/bits"
	"strings"
)

// A Writer writes terms as SMT-LIB 2, for one solver session. A shared subterm gets a name, a
// constant that an equation defines:
//
//	(declare-const v12 (_ BitVec 64))
//	(declare-const t57 Bool)
//	(assert (= t57 (bvslt v12 #x0000000000000000)))
//
// The names are not macros (define-fun), because Z3 expands macros, and its flattening then takes
// exponential time on nested conditions such as ours.
type Writer struct {
	vars     map[*Var]string
	numbers  map[*Term]int   // of the named terms
	declared map[string]bool // names other than those of variables
	decls    strings.Builder

	// For the current query: the number of uses of each term, the text or name of each term
	// written so far, and the definitions of the shared ones.
	uses      map[*Term]int
	texts     map[*Term]string
	equations strings.Builder
	// divided holds the quotients that the query has equations for.
	divided map[string]bool
}

// NewWriter returns a writer for a solver session without declarations.
func NewWriter() *Writer {
	return &Writer{vars: map[*Var]string{}, numbers: map[*Term]int{}, declared: map[string]bool{}}
}

// Query returns the declarations that the session does not have yet, the assertions that define the
// shared subterms of this query, and the texts of the terms, in order.
func (w *Writer) Query(terms []*Term) (decls, equations string, texts []string) {
	w.uses, w.texts, w.divided = map[*Term]int{}, map[*Term]string{}, map[string]bool{}
	w.decls.Reset()
	w.equations.Reset()
	for _, t := range terms {
		w.count(t)
	}
	for _, t := range terms {
		texts = append(texts, w.text(t))
	}
	return w.decls.String(), w.equations.String(), texts
}

func (w *Writer) count(t *Term) {
	w.uses[t]++
	if w.uses[t] == 1 {
		for _, a := range t.Args {
			w.count(a)
		}
	}
}

// SortText returns the SMT-LIB form of a sort.
func SortText(s Sort) string {
	switch s.Kind {
	case KBool:
		return "Bool"
	case KBV:
		return fmt.Sprintf("(_ BitVec %d)", s.Bits())
	case KFloat:
		e, m := floatWidths(s.Bits())
		return fmt.Sprintf("(_ FloatingPoint %d %d)", e, m)
	}
	panic("logic: a memory has no SMT sort")
}

func floatWidths(bits int) (exponent, significand int) {
	if bits == 32 {
		return 8, 24
	}
	return 11, 53
}

func (w *Writer) varName(v *Var) string {
	if n, ok := w.vars[v]; ok {
		return n
	}
	n := fmt.Sprintf("v%d", len(w.vars))
	w.vars[v] = n
	if v.Sort.Kind == KMemory {
		fmt.Fprintf(&w.decls, "; %s = %s\n(declare-fun %s ((_ BitVec 32) (_ BitVec 64)) %s)\n",
			n, comment(v.Name), n, SortText(v.Sort.Value()))
	} else {
		fmt.Fprintf(&w.decls, "; %s = %s\n(declare-const %s %s)\n",
			n, comment(v.Name), n, SortText(v.Sort))
	}
	return n
}

// comment returns s on one line.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}

// text returns the text of a term, or its name if it is shared.
func (w *Writer) text(t *Term) string {
	switch t.Op {
	case OpConst:
		return constText(t)
	case OpVar:
		return w.varName(t.Var)
	}
	if n, ok := w.texts[t]; ok {
		return n
	}
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = w.text(a)
	}
	text := w.apply(t, args)
	if w.uses[t] > 1 {
		name := fmt.Sprintf("t%d", w.number(t))
		w.declare(name, t.Sort)
		fmt.Fprintf(&w.equations, "(assert (= %s %s))\n", name, text)
		text = name
	}
	w.texts[t] = text
	return text
}

// number returns the number of a term in names: not its ID, which other terms of the builder change.
func (w *Writer) number(t *Term) int {
	n, ok := w.numbers[t]
	if !ok {
		n = len(w.numbers)
		w.numbers[t] = n
	}
	return n
}

func (w *Writer) declare(name string, s Sort) {
	if !w.declared[name] {
		w.declared[name] = true
		fmt.Fprintf(&w.decls, "(declare-const %s %s)\n", name, SortText(s))
	}
}

func (w *Writer) apply(t *Term, args []string) string {
	all := strings.Join(args, " ")
	switch t.Op {
	case OpSelect:
		return fmt.Sprintf("(%s %s)", w.varName(t.Var), all)
	case OpSDiv, OpSRem, OpUDiv, OpURem:
		if k, ok := t.Args[1].Const(); ok && k != 0 && k>>(t.Sort.Bits()-1) == 0 {
			return w.divide(t, args[0], k)
		}
	case OpExtract:
		return fmt.Sprintf("((_ extract %d %d) %s)", t.Hi, t.Lo, all)
	case OpZExt, OpSExt:
		return fmt.Sprintf("((_ %s %d) %s)", t.Op, t.Sort.Bits()-t.Args[0].Sort.Bits(), all)
	case OpFFromS, OpFToF:
		e, m := floatWidths(t.Sort.Bits())
		return fmt.Sprintf("((_ to_fp %d %d) RNE %s)", e, m, all)
	case OpFFromU:
		e, m := floatWidths(t.Sort.Bits())
		return fmt.Sprintf("((_ to_fp_unsigned %d %d) RNE %s)", e, m, all)
	case OpFToS, OpFToU:
		return fmt.Sprintf("((_ %s %d) RTZ %s)", t.Op, t.Sort.Bits(), all)
	case OpFBits:
		// SMT-LIB has no function for the bits of a float. The usual substitute is a fresh
		// constant that converts to the float.
		n := fmt.Sprintf("b%d", w.number(t))
		e, m := floatWidths(t.Args[0].Sort.Bits())
		w.declare(n, t.Sort)
		fmt.Fprintf(&w.equations, "(assert (= ((_ to_fp %d %d) %s) %s))\n", e, m, n, all)
		return n
	}
	return fmt.Sprintf("(%s %s)", t.Op, all)
}

// divide returns a quotient or remainder of x by a positive constant k. It avoids the solver's own
// division, which costs 64 subtractions. The quotient q and the remainder r are the unique numbers
// in their ranges for which x = q*k + r:
//
//	unsigned   0 <= r < k, 0 <= q <= (2^n-1)/k, q*k <= x
//	signed     0 <= r < k if x >= 0, otherwise -k < r <= 0; -2^(n-1)/k <= q <= (2^(n-1)-1)/k
func (w *Writer) divide(t *Term, x string, k uint64) string {
	n := t.Sort.Bits()
	signed := t.Op == OpSDiv || t.Op == OpSRem
	name := fmt.Sprintf("%d_%d", w.number(t.Args[0]), k)
	if signed {
		name += "s"
	}
	q, r := "q"+name, "r"+name
	if !w.divided[name] {
		w.divided[name] = true
		w.declare(q, t.Sort)
		w.declare(r, t.Sort)
		num := func(v uint64) string { return bvText(v&Mask(n), n) }
		assert := func(format string, args ...any) {
			fmt.Fprintf(&w.equations, "(assert "+format+")\n", args...)
		}
		switch {
		case signed && bits.OnesCount64(k) == 1: // a shift, after adding k-1 if x is negative
			s := bits.TrailingZeros64(k)
			if s == 0 {
				assert("(= %s %s)", q, x)
			} else {
				assert("(= %s (bvashr (bvadd %s (bvlshr (bvashr %s %s) %s)) %s))",
					q, x, x, num(uint64(n-1)), num(uint64(n-s)), num(uint64(s)))
			}
			assert("(= %s (bvsub %s (bvshl %s %s)))", r, x, q, num(uint64(s)))
		case !signed:
			assert("(= (bvadd (bvmul %s %s) %s) %s)", q, num(k), r, x)
			assert("(and (bvult %s %s) (bvule %s %s) (bvule (bvmul %s %s) %s))",
				r, num(k), q, num(Mask(n)/k), q, num(k), x)
		default:
			assert("(= (bvadd (bvmul %s %s) %s) %s)", q, num(k), r, x)
			assert("(ite (bvslt %s %s) (and (bvsle %s %s) (bvslt %s %s)) (and (bvsle %s %s) (bvslt %s %s)))",
				x, num(0), r, num(0), num(-k), r, num(0), r, r, num(k))
			assert("(and (bvsle %s %s) (bvsle %s %s))",
				num(-(1 << (n - 1) / k)), q, q, num((1<<(n-1)-1)/k))
		}
	}
	if t.Op == OpSDiv || t.Op == OpUDiv {
		return q
	}
	return r
}

func constText(t *Term) string {
	switch t.Sort.Kind {
	case KBool:
		return fmt.Sprint(t.Val == 1)
	case KBV:
		return bvText(t.Val, t.Sort.Bits())
	}
	e, m := floatWidths(t.Sort.Bits())
	v := t.Val
	return fmt.Sprintf("(fp %s %s %s)",
		bvText(v>>(t.Sort.Bits()-1), 1), bvText(v>>(m-1)&Mask(e), e), bvText(v&Mask(m-1), m-1))
}

func bvText(v uint64, bits int) string {
	if bits%4 == 0 {
		return fmt.Sprintf("#x%0*x", bits/4, v)
	}
	return fmt.Sprintf("#b%0*b", bits, v)
}
