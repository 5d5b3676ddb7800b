package constants

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"
)

// Value is the value of a literal, without its type.
type Value struct {
	// Bits are the bits of a number, sign-extended if it is an integer; a boolean is 0 or 1.
	Bits uint64
	// Text is the value of a string.
	Text string
}

// Literal is a constant of the source.
type Literal struct {
	Kind  types.BasicKind // Int, Float64 or String
	Value Value
}

// maxText is the length of the longest string that is collected, in bytes.
const maxText = 200

// Parse parses a Go literal of a counterexample or a trace: a boolean, a string or an integer,
// which may have a sign. It reports false for anything else.
func Parse(text string) (Value, bool) {
	switch {
	case text == "" || text == "nil" || text == "func" || strings.HasPrefix(text, "math."):
		return Value{}, false
	case text == "true":
		return Value{Bits: 1}, true
	case text == "false":
		return Value{}, true
	}
	kind := token.INT
	if IsString(text) {
		kind = token.STRING
	}
	v := constant.MakeFromLiteral(strings.TrimPrefix(text, "-"), kind, 0)
	switch v.Kind() {
	case constant.String:
		return Value{Text: constant.StringVal(v)}, true
	case constant.Int:
		bits, ok := constant.Uint64Val(v)
		if strings.HasPrefix(text, "-") {
			bits = -bits
		}
		return Value{Bits: bits}, ok
	}
	return Value{}, false
}

// IsString reports whether a Go literal is a string.
func IsString(text string) bool { return strings.HasPrefix(text, `"`) }

// parseLiteral is Parse with the kind of the literal: String, or Int for numbers and booleans.
func parseLiteral(text string) (Literal, bool) {
	v, ok := Parse(text)
	kind := types.Int
	if IsString(text) {
		kind = types.String
	}
	return Literal{kind, v}, ok
}

// literalOf returns the literal that an expression is. A string longer than maxText is none.
func literalOf(x ast.Expr) (Literal, bool) {
	sign := int64(1)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		x, sign = u.X, -1
	}
	lit, ok := x.(*ast.BasicLit)
	if !ok {
		return Literal{}, false
	}
	v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	switch lit.Kind {
	case token.INT, token.CHAR:
		i, ok := constant.Int64Val(constant.ToInt(v))
		return Literal{types.Int, Value{Bits: uint64(sign * i)}}, ok

	case token.FLOAT:
		f, _ := constant.Float64Val(v)
		bits := math.Float64bits(float64(sign) * f)
		return Literal{types.Float64, Value{Bits: bits}}, true

	case token.STRING:
		s := constant.StringVal(v)
		return Literal{types.String, Value{Text: s}}, len(s) <= maxText
	}
	return Literal{}, false
}

// bytesOf returns the string that has the elements of a composite literal as its bytes, if the
// elements are small numbers.
func bytesOf(c *ast.CompositeLit) (Literal, bool) {
	if len(c.Elts) < 2 || len(c.Elts) > maxText {
		return Literal{}, false
	}
	var b []byte
	for _, x := range c.Elts {
		l, ok := literalOf(x)
		if !ok || l.Kind != types.Int || l.Value.Bits > math.MaxUint8 {
			return Literal{}, false
		}
		b = append(b, byte(l.Value.Bits))
	}
	return Literal{types.String, Value{Text: string(b)}}, true
}

// fits reports whether a literal can be a value of a basic type.
func (l Literal) fits(b *types.Basic) bool {
	switch info := b.Info(); l.Kind {
	case types.Int:
		return info&types.IsInteger != 0
	case types.Float64:
		return info&(types.IsFloat|types.IsComplex) != 0
	default:
		return info&types.IsString != 0
	}
}

// IsLarge reports whether an integer is far from zero. Large numbers are drawn less often.
func IsLarge(bits uint64) bool { return int64(bits) > 1000 || int64(bits) < -1000 }
