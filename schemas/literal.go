package schemas

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// specialLiterals are the literals that are neither numbers nor strings. func stands for any function but nil.
var specialLiterals = []string{
	"nil", "func", "true", "false", "math.NaN()", "math.Inf(1)", "math.Inf(-1)", "math.Copysign(0, -1)",
}

// isLiteral reports whether a text is a literal as documents have them. They are written into Go source, so nothing else
// may be among them.
func isLiteral(s string) bool {
	if slices.Contains(specialLiterals, s) || isNumber(s) {
		return true
	}
	if strings.HasPrefix(s, `"`) {
		_, err := strconv.Unquote(s)
		notInSource := func(r rune) bool { return r < ' ' || r == '\ufeff' }
		return err == nil && utf8.ValidString(s) && !strings.ContainsFunc(s, notInSource)
	}
	parts, ok := strings.CutPrefix(s, "complex(")
	if parts, ok2 := strings.CutSuffix(parts, ")"); ok && ok2 {
		re, im, ok := strings.Cut(parts, ", ")
		if strings.HasPrefix(re, "math.Copysign(0") { // which has a comma of its own
			rest, found := strings.CutPrefix(parts, "math.Copysign(0, -1), ")
			re, im, ok = "math.Copysign(0, -1)", rest, found
		}
		part := func(s string) bool {
			return isNumber(s) || strings.HasPrefix(s, "math.") && slices.Contains(specialLiterals, s)
		}
		return ok && part(re) && part(im)
	}
	return false
}

// isNumber reports whether a text is a Go literal of a number, perhaps with a minus sign.
func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s != "" && strings.Trim(s, "0123456789") == "" && (s[0] != '0' || s == "0") {
		return true
	}
	x, err := parser.ParseExpr(s)
	lit, ok := x.(*ast.BasicLit)
	return err == nil && ok && lit.Value == s && (lit.Kind == token.INT || lit.Kind == token.FLOAT)
}
