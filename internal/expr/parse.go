package expr

import (
	"fmt"
	"go/constant"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds how deeply expressions nest, so that a document cannot exhaust the stack.
const maxDepth = 1000

// Parse reads an expression. It accepts every text that String returns, and more: redundant
// parentheses and spaces.
//
// The error says what is wrong and where: `x <: column 4: want an operand`.
func Parse(text string) (e Expr, err error) {
	p := parser{text: text}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case syntaxError:
			e, err = nil, r
		default:
			panic(r)
		}
	}()
	e = p.binary(1)
	if p.skip(); p.at < len(p.text) {
		p.fail("unexpected %q", p.rest(10))
	}
	return e, nil
}

// syntaxError is the error of Parse.
type syntaxError struct{ text string }

func (e syntaxError) Error() string { return e.text }

// parser is a recursive descent parser of binary, unary and primary expressions. Recursion unwinds
// by panicking with a syntaxError.
type parser struct {
	text  string
	at    int // the byte that is read next
	depth int
}

func (p *parser) fail(format string, args ...any) {
	panic(syntaxError{fmt.Sprintf("%s: column %d: %s", p.text, p.at+1, fmt.Sprintf(format, args...))})
}

// rest returns at most n bytes of what is left.
func (p *parser) rest(n int) string { return p.text[p.at:min(p.at+n, len(p.text))] }

func (p *parser) skip() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\n') {
		p.at++
	}
}

// take reads s, if the text goes on with it.
func (p *parser) take(s string) bool {
	p.skip()
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *parser) want(s string) {
	if !p.take(s) {
		p.fail("want %q", s)
	}
}

// operator returns the binary operator that comes next, token.ILLEGAL if there is none.
func (p *parser) operator() token.Token {
	p.skip()
	if p.at == len(p.text) {
		return token.ILLEGAL
	}
	second := byte(0)
	if p.at+1 < len(p.text) {
		second = p.text[p.at+1]
	}
	either := func(want byte, two, one token.Token) token.Token {
		if second == want {
			return two
		}
		return one
	}
	switch p.text[p.at] {
	case '&':
		if second == '^' {
			return token.AND_NOT
		}
		return either('&', token.LAND, token.AND)
	case '|':
		return either('|', token.LOR, token.OR)
	case '=':
		return either('=', token.EQL, token.ILLEGAL)
	case '!':
		return either('=', token.NEQ, token.ILLEGAL)
	case '<':
		if second == '<' {
			return token.SHL
		}
		return either('=', token.LEQ, token.LSS)
	case '>':
		if second == '>' {
			return token.SHR
		}
		return either('=', token.GEQ, token.GTR)
	case '+':
		return token.ADD
	case '-':
		return token.SUB
	case '*':
		return token.MUL
	case '/':
		return token.QUO
	case '%':
		return token.REM
	case '^':
		return token.XOR
	}
	return token.ILLEGAL
}

// binary reads operands joined by operators of at least the precedence prec.
func (p *parser) binary(prec int) Expr {
	p.enter()
	x := p.unary()
	for {
		op := p.operator()
		if op == token.ILLEGAL || op.Precedence() < prec {
			p.depth--
			return x
		}
		p.at += len(op.String())
		x = &Binary{op, x, p.binary(op.Precedence() + 1)}
	}
}

// enter counts how deeply expressions nest.
func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested too deeply")
	}
}

func (p *parser) unary() Expr {
	p.skip()
	if p.at == len(p.text) {
		p.fail("want an operand")
	}
	op := p.text[p.at]
	if op != '-' && op != '!' && op != '*' {
		return p.primary()
	}
	p.at++
	p.enter()
	x := p.unary()
	p.depth--
	switch op {
	case '!':
		return &Unary{token.NOT, x}
	case '*':
		return &Deref{x}
	}
	if c, ok := x.(*Const); ok && isNumber(c) && c.Text[0] != '-' {
		return &Const{"-" + c.Text, constant.UnaryOp(token.SUB, c.Value, 0)}
	}
	return &Unary{token.SUB, x}
}

func isNumber(c *Const) bool {
	return c.Value != nil && (c.Value.Kind() == constant.Int || c.Value.Kind() == constant.Float)
}

// primary reads an operand and its selectors, indices and suffixes.
func (p *parser) primary() Expr {
	x := p.operand()
	for {
		p.skip()
		if p.at == len(p.text) || p.text[p.at] != '.' && p.text[p.at] != '[' && p.text[p.at] != '(' {
			return x
		}
		switch {
		case p.take("."):
			name := p.ident()
			if n, ok := x.(*Name); ok && p.take("(") { // a function of a package, if it is known
				if f := functions[n.Name+"."+name]; f != nil {
					x = p.call(f)
					continue
				}
				p.want(")")
				x = &Suffix{&Sel{x, name}, "()"}
				continue
			}
			x = &Sel{x, name}
		case p.take("[..]"):
			x = &Suffix{x, "[..]"}
		case p.take("[]"):
			x = &Suffix{x, "[]"}
		case p.take("["):
			i := p.binary(1)
			p.want("]")
			x = &Index{x, i}
		case p.take("()"):
			x = &Suffix{x, "()"}
		default:
			return x
		}
	}
}

func (p *parser) operand() Expr {
	p.skip()
	if p.at == len(p.text) {
		p.fail("want an operand")
	}
	switch c := p.text[p.at]; {
	case c == '(':
		p.at++
		x := p.binary(1)
		p.want(")")
		return x
	case c == '"':
		return p.quotedText()
	case c == '`':
		n := strings.IndexByte(p.text[p.at+1:], '`')
		if n < 0 {
			p.fail("a name that begins with a backquote does not end in one")
		}
		name := &Name{p.text[p.at+1 : p.at+1+n]}
		p.at += n + 2
		return name
	case c == '[':
		return p.list()
	case c >= '0' && c <= '9':
		return p.number()
	case isLetter(p.text[p.at:]):
		name := p.ident()
		switch name {
		case "true", "false":
			return &Const{name, constant.MakeBool(name == "true")}
		case "nil":
			return Nil
		}
		if p.at < len(p.text) && p.text[p.at] == '(' {
			if x := p.form(name); x != nil {
				return x
			}
			if p.rest(2) != "()" {
				p.fail("unknown function %s", name)
			}
		}
		return &Name{name}
	}
	p.fail("want an operand, got %q", p.rest(10))
	return nil
}

// form reads the arguments of a form or function; nil if name is neither.
func (p *parser) form(name string) Expr {
	f := functions[name]
	if f == nil && name != "old" && name != "implies" && name != "forall" {
		return nil
	}
	p.want("(")
	switch name {
	case "old":
		x := p.binary(1)
		p.want(")")
		return &Old{x}
	case "implies":
		x := p.binary(1)
		p.want(",")
		y := p.binary(1)
		p.want(")")
		return &Implies{x, y}
	case "forall":
		v := p.ident()
		p.want(",")
		x := p.binary(1)
		p.want(")")
		return &Forall{v, x}
	}
	return p.call(f)
}

// call reads the arguments of f and the closing parenthesis.
func (p *parser) call(f *Function) Expr {
	x := &Call{Func: f.Name}
	for i := range f.Args {
		if i > 0 {
			p.want(",")
		}
		x.Args = append(x.Args, p.binary(1))
	}
	p.want(")")
	return x
}

// list reads a slice literal: a type, which ends at the first brace, and constants.
func (p *parser) list() Expr {
	n := strings.IndexByte(p.text[p.at:], '{')
	if n < 0 || strings.ContainsAny(p.text[p.at:p.at+n], "\"`(),&|<>=!") {
		p.fail("want a slice literal")
	}
	x := &List{Type: strings.TrimSpace(p.text[p.at : p.at+n])}
	p.at += n + 1
	for !p.take("}") {
		if len(x.Elems) > 0 {
			p.want(",")
		}
		x.Elems = append(x.Elems, p.binary(1))
	}
	return x
}

func (p *parser) quotedText() Expr {
	quoted, err := strconv.QuotedPrefix(p.text[p.at:])
	if err != nil {
		p.fail("a string that does not end, or has a bad escape")
	}
	s, err := strconv.Unquote(quoted)
	if err != nil {
		p.fail("a string with a bad escape")
	}
	p.at += len(quoted)
	return &Const{quoted, constant.MakeString(s)}
}

// number reads a number: digits, letters, points, and a sign after an exponent.
func (p *parser) number() Expr {
	n := p.at
	hex := strings.HasPrefix(p.text[n:], "0x") || strings.HasPrefix(p.text[n:], "0X")
	for n < len(p.text) {
		c := p.text[n] | 0x20
		sign := p.text[n] == '+' || p.text[n] == '-'
		before := p.text[max(n-1, 0)] | 0x20
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || p.text[n] == '.' || p.text[n] == '_' ||
			sign && (before == 'e' && !hex || before == 'p')) {
			break
		}
		n++
	}
	text := p.text[p.at:n]
	if v, err := strconv.ParseInt(text, 10, 64); err == nil && (text[0] != '0' || text == "0") {
		p.at = n
		return &Const{text, constant.MakeInt64(v)}
	}
	kind := token.INT
	if strings.ContainsAny(text, ".") || !hex && strings.ContainsAny(text, "eE") ||
		strings.ContainsAny(text, "pP") {
		kind = token.FLOAT
	}
	v := constant.MakeFromLiteral(text, kind, 0)
	if v.Kind() == constant.Unknown {
		p.fail("%s is not a number", text)
	}
	p.at = n
	return &Const{text, v}
}

// ident reads an identifier. Go's keywords are identifiers here: Daikon calls a result "return".
func (p *parser) ident() string {
	p.skip()
	n := identLen(p.text[p.at:])
	if n == 0 {
		p.fail("want a name, got %q", p.rest(10))
	}
	name := p.text[p.at : p.at+n]
	p.at += n
	return name
}

// identLen returns the length of the identifier that s begins with, 0 if it begins with none.
func identLen(s string) int {
	n := 0
	for n < len(s) {
		c, size := rune(s[n]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[n:])
		}
		if !(c == '_' || c == '$' || unicode.IsLetter(c) || n > 0 && unicode.IsDigit(c)) {
			break
		}
		n += size
	}
	return n
}

func isLetter(s string) bool { return identLen(s) > 0 }

// isConstant reports whether an identifier is that of a constant of Go.
func isConstant(name string) bool { return name == "nil" || name == "true" || name == "false" }

// isIdent reports whether a name can be written without backquotes.
func isIdent(s string) bool { return s != "" && identLen(s) == len(s) }
