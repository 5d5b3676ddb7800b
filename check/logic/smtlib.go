package logic

import (
	"fmt"
	"strings"
)

// Writer writes terms as SMT-LIB 2, each shared part once. The definitions go in front of what uses them:
//
//	(declare-const v12 (_ BitVec 64))
//	(define-fun t57 () Bool (bvslt v12 #x0000000000000000))
//
// A definition is a macro: one that no assertion mentions costs the solver nothing.
type Writer struct {
	names map[*Term]string
	vars  map[*Var]string
	out   strings.Builder
}

// NewWriter returns a writer for one solver session.
func NewWriter() *Writer { return &Writer{names: map[*Term]string{}, vars: map[*Var]string{}} }

// Define makes t known to the session and returns its name, or its text if it is a leaf or constant.
func (w *Writer) Define(t *Term) string {
	if n, ok := w.names[t]; ok {
		return n
	}
	n := w.define(t)
	w.names[t] = n
	return n
}

// Take returns the text of all declarations and definitions since the last Take.
func (w *Writer) Take() string {
	s := w.out.String()
	w.out.Reset()
	return s
}

// SortText is a sort in SMT-LIB.
func SortText(s Sort) string {
	switch s.Kind {
	case KBool:
		return "Bool"
	case KBV:
		return fmt.Sprintf("(_ BitVec %d)", s.Bits)
	case KFloat:
		e, m := floatWidths(s.Bits)
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
		fmt.Fprintf(&w.out, "; %s = %s\n(declare-fun %s ((_ BitVec 32) (_ BitVec 64)) %s)\n", n, comment(v.Name), n, SortText(v.Sort.Value()))
	} else {
		fmt.Fprintf(&w.out, "; %s = %s\n(declare-const %s %s)\n", n, comment(v.Name), n, SortText(v.Sort))
	}
	return n
}

func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}

func (w *Writer) define(t *Term) string {
	switch t.Op {
	case OpConst:
		return constText(t)
	case OpVar:
		return w.varName(t.Var)
	}
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = w.Define(a)
	}
	text := w.apply(t, args)
	name := fmt.Sprintf("t%d", t.ID)
	fmt.Fprintf(&w.out, "(define-fun %s () %s %s)\n", name, SortText(t.Sort), text)
	return name
}

func (w *Writer) apply(t *Term, args []string) string {
	all := strings.Join(args, " ")
	switch t.Op {
	case OpSelect:
		return fmt.Sprintf("(%s %s)", w.varName(t.Var), all)
	case OpExtract:
		return fmt.Sprintf("((_ extract %d %d) %s)", t.Hi, t.Lo, all)
	case OpZExt, OpSExt:
		return fmt.Sprintf("((_ %s %d) %s)", t.Op, t.Sort.Bits-t.Args[0].Sort.Bits, all)
	case OpFFromS, OpFToF:
		e, m := floatWidths(t.Sort.Bits)
		return fmt.Sprintf("((_ to_fp %d %d) RNE %s)", e, m, all)
	case OpFFromU:
		e, m := floatWidths(t.Sort.Bits)
		return fmt.Sprintf("((_ to_fp_unsigned %d %d) RNE %s)", e, m, all)
	case OpFToS, OpFToU:
		return fmt.Sprintf("((_ %s %d) RTZ %s)", t.Op, t.Sort.Bits, all)
	case OpFBits:
		// The standard has no function for the bits of a float; a fresh constant of which it is the float is the usual way.
		n := fmt.Sprintf("b%d", t.ID)
		e, m := floatWidths(t.Args[0].Sort.Bits)
		fmt.Fprintf(&w.out, "(declare-const %s %s)\n(assert (= ((_ to_fp %d %d) %s) %s))\n", n, SortText(t.Sort), e, m, n, all)
		return n
	}
	return fmt.Sprintf("(%s %s)", t.Op, all)
}

func constText(t *Term) string {
	switch t.Sort.Kind {
	case KBool:
		return fmt.Sprint(t.Val == 1)
	case KBV:
		return bvText(t.Val, t.Sort.Bits)
	}
	e, m := floatWidths(t.Sort.Bits)
	v := t.Val
	return fmt.Sprintf("(fp %s %s %s)", bvText(v>>(t.Sort.Bits-1), 1), bvText(v>>(m-1)&mask(e), e), bvText(v&mask(m-1), m-1))
}

func bvText(v uint64, bits int) string {
	if bits%4 == 0 {
		return fmt.Sprintf("#x%0*x", bits/4, v)
	}
	return fmt.Sprintf("#b%0*b", bits, v)
}
