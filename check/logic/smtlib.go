package logic

import (
	"fmt"
	"strings"
)

// Writer writes terms as SMT-LIB 2. A part that several others share gets a name, a constant that equals it:
//
//	(declare-const v12 (_ BitVec 64))
//	(declare-const t57 Bool)
//	(assert (= t57 (bvslt v12 #x0000000000000000)))
//
// (Z3 expands macros, and what it calls flattening takes exponential time on the nested conditions that we have.)
type Writer struct {
	vars     map[*Var]string
	declared map[string]bool // names such as t57
	decls    strings.Builder
	// Of one query: how often each part is used, and the names and texts of those written.
	uses  map[*Term]int
	texts map[*Term]string
	eqs   strings.Builder
}

// NewWriter returns a writer for one solver session.
func NewWriter() *Writer { return &Writer{vars: map[*Var]string{}, declared: map[string]bool{}} }

// Query returns the declarations that the session does not have yet, the equations that name shared parts, and the
// texts of the terms.
func (w *Writer) Query(terms []*Term) (decls, equations string, texts []string) {
	w.uses, w.texts = map[*Term]int{}, map[*Term]string{}
	w.decls.Reset()
	w.eqs.Reset()
	for _, t := range terms {
		w.count(t)
	}
	for _, t := range terms {
		texts = append(texts, w.text(t))
	}
	return w.decls.String(), w.eqs.String(), texts
}

func (w *Writer) count(t *Term) {
	w.uses[t]++
	if w.uses[t] == 1 {
		for _, a := range t.Args {
			w.count(a)
		}
	}
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
		fmt.Fprintf(&w.decls, "; %s = %s\n(declare-fun %s ((_ BitVec 32) (_ BitVec 64)) %s)\n", n, comment(v.Name), n, SortText(v.Sort.Value()))
	} else {
		fmt.Fprintf(&w.decls, "; %s = %s\n(declare-const %s %s)\n", n, comment(v.Name), n, SortText(v.Sort))
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

// text is a term's text, or the name of what equals it.
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
		name := fmt.Sprintf("t%d", t.ID)
		w.declare(name, t.Sort)
		fmt.Fprintf(&w.eqs, "(assert (= %s %s))\n", name, text)
		text = name
	}
	w.texts[t] = text
	return text
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
		w.declare(n, t.Sort)
		fmt.Fprintf(&w.eqs, "(assert (= ((_ to_fp %d %d) %s) %s))\n", e, m, n, all)
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
