package main

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"dsd/internal/expr"
)

// claim is an invariant that Daikon prints.
type claim struct {
	form form
	// text is the printed line.
	text string
	// left and right are the operands, nil for what is no term.
	left, right expr.Expr
	// leftText is the left operand as printed.
	leftText, rightText string
	op                  token.Token
	// elements reports whether the claim is one of each element of the sequence left.
	elements bool
	// list holds the texts of the values of a oneOf.
	list []string
	// premise and conclusion are the sides of an implication; mutual reports whether it is an
	// equivalence.
	premise, conclusion *claim
	mutual              bool
}

// form is a form of Daikon's invariants.
type form uint8

const (
	other       form = iota // one that is not handled
	comparison              // x < y; a[] elements < y
	lexical                 // a[] < b[] (lexically)
	elementwise             // a[] < b[] (elementwise)
	oneOf                   // x one of { 1, 2 }; a[] elements one of { 1, 2 }
	onlyValue               // x has only one value; a[] elements has only one value
	onlyNonNull             // a[] contains no nulls and has only one value, of length 1
	sortedBy                // a[] sorted by <
	member                  // x in a[]
	divides                 // x % y == 0
	powerOfTwo              // x is a power of 2
	implies                 // (p == null)  ==>  (x == 0)
)

const (
	onlyValueSuffix   = " has only one value"
	onlyNonNullSuffix = " contains no nulls and has only one value, of length 1"
	powerSuffix       = " is a power of 2"
	lexicalSuffix     = " (lexically)"
	elementwiseSuffix = " (elementwise)"
	elementsSuffix    = " elements"
)

var implicationLine = regexp.MustCompile(`^\((.*)\)\s+(<==>|==>)\s+\((.*)\)$`)

// parseClaim parses an invariant as Daikon prints it.
func parseClaim(text string) *claim {
	c := &claim{text: text}
	if m := implicationLine.FindStringSubmatch(text); m != nil {
		c.form, c.mutual = implies, m[2] == "<==>"
		c.premise, c.conclusion = parseClaim(m[1]), parseClaim(m[3])
		return c
	}
	text = strings.TrimSpace(text)
	for suffix, form := range map[string]form{
		onlyNonNullSuffix: onlyNonNull, onlyValueSuffix: onlyValue, powerSuffix: powerOfTwo,
	} {
		if left, ok := strings.CutSuffix(text, suffix); ok {
			c.form = form
			c.setLeft(left)
			return c
		}
	}
	text, isLexical := strings.CutSuffix(text, lexicalSuffix)
	text, isElementwise := strings.CutSuffix(text, elementwiseSuffix)
	if left, list, ok := cutUnquoted(text, " one of { "); ok && strings.HasSuffix(list, " }") {
		c.form, c.list = oneOf, literals(strings.TrimSuffix(list, " }"))
		c.setLeft(left)
		return c
	}
	if left, by, ok := cutUnquoted(text, " sorted by "); ok {
		c.form, c.op = sortedBy, operators[by]
		c.setLeft(left)
		return c
	}
	if left, op, right, ok := cutOperator(text); ok {
		c.form, c.op = comparison, op
		switch {
		case isLexical:
			c.form = lexical
		case isElementwise:
			c.form = elementwise
		}
		number, divisor, ok := cutUnquoted(left, " % ")
		if ok && op == token.EQL && right == "0" {
			c.form, left, right = divides, number, divisor
		}
		c.setLeft(left)
		c.right, c.rightText = parseTerm(right), right
		return c
	}
	if left, right, ok := cutUnquoted(text, " in "); ok {
		c.form = member
		c.setLeft(left)
		c.right, c.rightText = parseTerm(right), right
	}
	return c
}

// setLeft sets the left operand, which may end in the word that makes it each element.
func (c *claim) setLeft(text string) {
	text, c.elements = strings.CutSuffix(text, elementsSuffix)
	c.left, c.leftText = parseTerm(text), text
}

// operators are Daikon's comparisons.
var operators = map[string]token.Token{
	"==": token.EQL, "!=": token.NEQ,
	"<": token.LSS, "<=": token.LEQ, ">": token.GTR, ">=": token.GEQ,
}

// cutOperator cuts a text at its first comparison.
func cutOperator(text string) (left string, op token.Token, right string, ok bool) {
	at := len(text)
	for word, o := range operators {
		if l, r, found := cutUnquoted(text, " "+word+" "); found && len(l) < at {
			at, left, op, right, ok = len(l), l, o, r, true
		}
	}
	return left, op, right, ok
}

// cutUnquoted cuts a text at the first separator that is not within a string.
func cutUnquoted(text, separator string) (before, after string, found bool) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case strings.HasPrefix(text[i:], separator):
			return text[:i], text[i+len(separator):], true
		}
	}
	return text, "", false
}

var literalText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,\s]+`)

// literals returns the values of a list such as 1, 2 or [1, 2], [3], sorted and each once.
func literals(text string) []string {
	list := literalText.FindAllString(text, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// negated returns the opposite of a comparison of two values, nil for other claims.
func (c *claim) negated() *claim {
	if c.form != comparison || c.elements {
		return nil
	}
	d := *c
	d.op = opposite[c.op]
	d.text = fmt.Sprintf("%s %s %s", c.leftText, d.op, c.rightText)
	return &d
}

var opposite = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// opposed returns the claim with the opposite operator and a suffix.
func (c *claim) opposed(suffix string) *claim {
	text := fmt.Sprintf("%s %s %s%s", c.leftText, opposite[c.op], c.rightText, suffix)
	return parseClaim(text)
}

// turned returns a claim that does not hold if c holds and is as strong as Daikon could say it:
// the opposite of a comparison, one value less of several. It returns nil for other forms.
func (c *claim) turned() *claim {
	switch c.form {
	case oneOf:
		if len(c.list) < 2 {
			return nil
		}
		d := *c
		d.list = c.list[1:]
		what := c.leftText
		if c.elements {
			what += elementsSuffix
		}
		d.text = fmt.Sprintf("%s one of { %s }", what, strings.Join(d.list, ", "))
		return &d
	case comparison:
		return c.negated()
	case lexical:
		return c.opposed(lexicalSuffix)
	case elementwise:
		return c.opposed(elementwiseSuffix)
	case divides:
		return parseClaim(fmt.Sprintf("%s %% %s != 0", c.leftText, c.rightText))
	}
	return nil
}

// variables returns the texts of the variables that the claim is about.
func (c *claim) variables() map[string]bool {
	out := map[string]bool{}
	for _, e := range []expr.Expr{c.left, c.right} {
		if e == nil {
			continue
		}
		expr.Walk(e, func(x expr.Expr) bool {
			if isVariable(x) {
				out[x.String()] = true
				return false
			}
			return true
		})
	}
	for _, side := range []*claim{c.premise, c.conclusion} {
		if side != nil {
			for name := range side.variables() {
				out[name] = true
			}
		}
	}
	return out
}

var (
	quotedText = regexp.MustCompile(`"[^"]*"`)
	bracedText = regexp.MustCompile(`\{.*\}`)
	listText   = regexp.MustCompile(`\[[-\d., E]{4,}\]`)
	numberText = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][-+]?\d+)?$`)
)

// kindWords are the words that kind keeps.
var kindWords = strings.Fields(
	"== != < <= > >= one of in elements sorted by null % + - * is a power {...} [...] ==> <==>")

// kind returns the printed line without names and numbers, for counting.
func (c *claim) kind() string {
	line := c.text
	for _, k := range []struct{ part, kind string }{
		{"==>", "implication"},
		{"has only one value", "has only one value"},
		{"lexically", "lexical comparison of sequences"},
	} {
		if strings.Contains(line, k.part) {
			return k.kind
		}
	}
	line = quotedText.ReplaceAllString(line, "S")
	line = bracedText.ReplaceAllString(line, "{...}")
	line = listText.ReplaceAllString(line, "[...]")
	words := strings.Fields(line)
	for i, w := range words {
		switch {
		case slices.Contains(kindWords, w):
		case numberText.MatchString(w):
			words[i] = "N"
		case strings.Contains(w, elements):
			words[i] = "x[]"
		default:
			words[i] = "x"
		}
	}
	return strings.Join(words, " ")
}
