package candidate

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"dsd/crash/candidate/run"
	"dsd/crash/gofile"
)

// literal returns the literal of a statement, whose type t has a basic underlying type, as an
// expression of type t. untyped is the untyped constant that may stand for it where the context
// gives it the type t.
func literal(f *gofile.File, s *Stmt, t types.Type) (text, untyped string) {
	if name := namedConstant(f, s, t); name != "" {
		return name, name
	}
	b := t.Underlying().(*types.Basic)
	info := b.Info()
	bits := BitSize(b)
	exact := false // the default type of text is t
	switch {
	case info&types.IsBoolean != 0:
		text, exact = strconv.FormatBool(s.Bits == 1), t == types.Typ[types.Bool]
	case info&types.IsString != 0:
		text, exact = repeated(f, s.Text), t == types.Typ[types.String]
		if from, to, _ := repetition(s.Text); !exact && from < to { // no constant
			text = f.Type(t) + "(" + text + ")"
			return text, text
		}
	case info&types.IsUnsigned != 0:
		text = strconv.FormatUint(s.Bits<<(64-bits)>>(64-bits), 10)
	case info&types.IsInteger != 0:
		text = strconv.FormatInt(int64(s.Bits<<(64-bits))>>(64-bits), 10)
		exact = t == types.Typ[types.Int]
	default:
		exact = t == types.Typ[types.Float64]
		x := math.Float64frombits(s.Bits)
		if b.Kind() == types.Float32 || b.Kind() == types.Complex64 {
			x = float64(float32(x))
		}
		var isConstant bool
		text, isConstant = float(f, x)
		if info&types.IsComplex != 0 {
			text = "complex(" + text + ", 0)"
		}
		if !isConstant && !exact || info&types.IsComplex != 0 {
			text = f.Type(t) + "(" + text + ")"
			return text, text
		}
	}
	if exact {
		return text, text
	}
	return f.Type(t) + "(" + text + ")", text
}

const (
	// longPart is the number of bytes from which on a part of a text that repeats itself is written as such, and
	// maxRepeatedPart that of what is repeated.
	longPart, maxRepeatedPart = 128, 16
)

// repeated returns a text as an expression: a literal, but strings.Repeat for a long part that repeats itself.
func repeated(f *gofile.File, text string) string {
	from, to, part := repetition(text)
	if from == to {
		return strconv.Quote(text)
	}
	out := fmt.Sprintf("%s.Repeat(%s, %d)", f.Use("strings", "strings"), strconv.Quote(text[from:from+part]), (to-from)/part)
	if from > 0 {
		out = repeated(f, text[:from]) + " + " + out
	}
	if to < len(text) {
		out += " + " + repeated(f, text[to:])
	}
	return out
}

// repetition returns the longest part text[from:to] that repeats its first bytes, of which part is the number; from and
// to are the same if no long part does.
func repetition(text string) (from, to, part int) {
	for p := 1; p <= maxRepeatedPart && len(text) >= longPart; p++ {
		start := 0
		for i := p; i <= len(text); i++ {
			if i < len(text) && text[i] == text[i-p] {
				continue
			}
			if n := (i - start) / p * p; n > to-from {
				from, to, part = start, start+n, p
			}
			start = i - p + 1
		}
	}
	if to-from < longPart {
		return 0, 0, 0
	}
	return from, to, part
}

// Deepen returns a program that overflows the stack of a process as the program p overflows that of a candidate, which
// is smaller, if the depth of the recursion is that of a text that repeats itself.
func (p Program) Deepen(table []*Op) Program {
	out := slices.Clone(p)
	for i := range out {
		s := &out[i]
		if from, to, _ := repetition(s.Text); table[s.Op].Lit && to > from {
			s.Text = s.Text[:to] + strings.Repeat(s.Text[from:to], run.StackShare) + s.Text[to:]
		}
	}
	return out
}

// BitSize returns the size of the integers of a type, in bits.
func BitSize(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32:
		return 32
	}
	return 64
}

// float returns a number as an expression, and reports whether that is a constant.
func float(f *gofile.File, x float64) (text string, isConstant bool) {
	switch {
	case x != x:
		return f.Use("math", "math") + ".NaN()", false
	case math.IsInf(x, 1):
		return f.Use("math", "math") + ".Inf(1)", false
	case math.IsInf(x, -1):
		return f.Use("math", "math") + ".Inf(-1)", false
	case x == 0 && math.Signbit(x):
		return f.Use("math", "math") + ".Copysign(0, -1)", false
	}
	text = strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text, true
}

// namedConstant returns the constant of the named type t that has a literal's value; "" if there is
// none that the file can mention.
func namedConstant(f *gofile.File, s *Stmt, t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	b := t.Underlying().(*types.Basic)
	if !ok || n.Obj().Pkg() == nil || b.Info()&(types.IsInteger|types.IsString) == 0 {
		return ""
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), t) || !c.Exported() && n.Obj().Pkg() != f.Pkg {
			continue
		}
		same := false
		if b.Info()&types.IsString != 0 {
			same = constant.StringVal(c.Val()) == s.Text
		} else if v, exact := constant.Int64Val(constant.ToInt(c.Val())); exact {
			same = v == int64(s.Bits)
		}
		if same {
			if n.Obj().Pkg() == f.Pkg {
				return name
			}
			return f.Use(n.Obj().Pkg().Path(), n.Obj().Pkg().Name()) + "." + name
		}
	}
	return ""
}
