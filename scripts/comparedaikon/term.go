package main

import (
	"go/token"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"dsd/internal/expr"
)

// postFunc is the function by which Daikon marks, within orig(...), a value at the exit:
// orig(a[post(i)]) is the element of the old a at the new i. Our language has no such form, so the
// tree has a call of this name.
const postFunc = "post"

// parseTerm parses a variable, a constant or a sum, as Daikon prints it or as a document names a
// variable of Daikon's front ends. The result is a tree of our language, canonical as described at
// canonical; nil if the text is no such term. The grammar:
//
//	sum     = product { ("+" | "-") product }
//	product = operand { "*" operand }
//	operand = number | string | "null" | "true" | "false" | "[" { sum "," } "]" | "-" operand
//	        | "*" operand | name "(" { sum "," } ")" | name
//	        , followed by any number of selectors
//	selector = "." ident | "->" ident | "()" | "[]" | "[..]" | "[" sum "]"
//	name    = [ "::" ] ident
//
// The functions orig and old are the value at the entry, size and len the length. A list is
// written [1, 2]. The constants true and false are the integers 1 and 0, because a trace may
// represent a bool by either.
func parseTerm(text string) (e expr.Expr) {
	p := termParser{text: text}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(notTerm); !ok {
				panic(r)
			}
			e = nil
		}
	}()
	e = p.sum()
	if p.skip(); p.at < len(p.text) {
		panic(notTerm{})
	}
	return canonical(e)
}

// notTerm is the value that a termParser panics with where the text is no term.
type notTerm struct{}

// termParser is a recursive descent parser.
type termParser struct {
	text string
	at   int // the byte that is read next
}

func (p *termParser) rest() string { return p.text[p.at:] }

func (p *termParser) skip() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

// take reads s if it comes next.
func (p *termParser) take(s string) bool {
	if !strings.HasPrefix(p.rest(), s) {
		return false
	}
	p.at += len(s)
	return true
}

func (p *termParser) want(s string) {
	if p.skip(); !p.take(s) {
		panic(notTerm{})
	}
}

func (p *termParser) sum() expr.Expr {
	x := p.product()
	for {
		p.skip()
		switch {
		case p.take("+"):
			x = &expr.Binary{Op: token.ADD, X: x, Y: p.product()}
		case p.take("-"):
			x = &expr.Binary{Op: token.SUB, X: x, Y: p.product()}
		default:
			return x
		}
	}
}

func (p *termParser) product() expr.Expr {
	x := p.operand()
	for {
		p.skip()
		if strings.HasPrefix(p.rest(), "**") || !p.take("*") {
			return x
		}
		x = &expr.Binary{Op: token.MUL, X: x, Y: p.operand()}
	}
}

func (p *termParser) operand() expr.Expr {
	p.skip()
	switch c := p.rest(); {
	case c == "":
		panic(notTerm{})
	case c[0] == '-':
		p.at++
		return negative(p.operand())
	case c[0] == '*':
		p.at++
		return &expr.Deref{X: p.operand()}
	case c[0] == '"':
		n := 1
		for n < len(c) && c[n] != '"' {
			if c[n] == '\\' {
				n++
			}
			n++
		}
		if n >= len(c) {
			panic(notTerm{})
		}
		p.at += n + 1
		return &expr.Const{Text: c[:n+1], Value: expr.Text(c[1:n]).Value}
	case c[0] == '[':
		if list := p.strings(); list != nil {
			return list
		}
		p.at++
		return &expr.List{Elems: p.arguments("]")}
	case c[0] >= '0' && c[0] <= '9':
		return p.number()
	}
	return p.selectors(p.name())
}

// bareString is an element of a list of strings, which Daikon prints without quotation marks. What
// could be another term is none.
var bareString = regexp.MustCompile(`^[./][\w./-]*$`)

// strings reads a list of strings, such as [./a, ./b]. It returns nil, and reads nothing, for
// another list.
func (p *termParser) strings() *expr.List {
	body, _, ok := strings.Cut(p.rest()[1:], "]")
	list := &expr.List{}
	for _, item := range strings.Split(body, ", ") {
		if !bareString.MatchString(item) {
			return nil
		}
		list.Elems = append(list.Elems, expr.Text(item))
	}
	if !ok {
		return nil
	}
	p.at += len(body) + len("[]")
	return list
}

// negative returns -x, as one constant if x is one.
func negative(x expr.Expr) expr.Expr {
	if c, ok := x.(*expr.Const); ok && rational(c) != nil {
		if e, err := expr.Parse("-" + c.Text); err == nil {
			return e
		}
	}
	return &expr.Unary{Op: token.SUB, X: x}
}

// arguments reads terms separated by commas, and the closing bracket.
func (p *termParser) arguments(closing string) (list []expr.Expr) {
	if p.skip(); p.take(closing) {
		return nil
	}
	for {
		list = append(list, p.sum())
		if p.skip(); p.take(closing) {
			return list
		}
		p.want(",")
	}
}

// number reads digits, a fraction and an exponent: 12, 0.5, 1.0E-5.
func (p *termParser) number() expr.Expr {
	c, n := p.rest(), 0
	digits := func() {
		for n < len(c) && c[n] >= '0' && c[n] <= '9' {
			n++
		}
	}
	digits()
	if n+1 < len(c) && c[n] == '.' && c[n+1] >= '0' && c[n+1] <= '9' {
		n++
		digits()
	}
	if n < len(c) && c[n]|0x20 == 'e' {
		mantissa := n
		n++
		if n < len(c) && (c[n] == '-' || c[n] == '+') {
			n++
		}
		if exponent := n; exponent == len(c) || c[exponent] < '0' || c[exponent] > '9' {
			n = mantissa
		}
		digits()
	}
	if n < len(c) && isNameRune(c[n:]) {
		panic(notTerm{})
	}
	e, err := expr.Parse(c[:n])
	if err != nil {
		panic(notTerm{})
	}
	p.at += n
	return e
}

func isNameRune(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || r == '$' || r == '@' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func (p *termParser) ident() string {
	start := p.at
	for p.at < len(p.text) && isNameRune(p.rest()) {
		_, size := utf8.DecodeRuneInString(p.rest())
		p.at += size
	}
	if p.at == start {
		panic(notTerm{})
	}
	return p.text[start:p.at]
}

// name reads a constant, a variable or the call of a function.
func (p *termParser) name() expr.Expr {
	global := p.take("::")
	name := p.ident()
	if global {
		return &expr.Name{Name: "::" + name}
	}
	switch name {
	case "null", "nil":
		return expr.Nil
	case "true":
		return expr.Int(1)
	case "false":
		return expr.Zero
	}
	if strings.HasPrefix(p.rest(), "()") || !p.take("(") {
		return &expr.Name{Name: name}
	}
	args := p.arguments(")")
	switch {
	case len(args) == 1 && (name == "orig" || name == "old"):
		return &expr.Old{X: args[0]}
	case name == "size":
		name = "len"
	}
	return &expr.Call{Func: name, Args: args}
}

// selectors reads what follows an operand without a space. A field through a pointer, p->f, has
// the tree of p.f.
func (p *termParser) selectors(x expr.Expr) expr.Expr {
	for {
		switch {
		case p.take("->"), p.take("."):
			x = &expr.Sel{X: x, Field: p.ident()}
		case p.take("[]"), p.take("[..]"):
			x = &expr.Suffix{X: x, Text: elements}
		case p.take("["):
			i := p.sum()
			p.want("]")
			x = &expr.Index{X: x, I: i}
		case p.take("()"):
			x = &expr.Suffix{X: x, Text: "()"}
		default:
			return x
		}
	}
}
