package expr

import (
	"go/token"
	"sync"
)

// printer is the context in which a node is printed.
type printer struct {
	// prec is the precedence of the operator around the node: a node of lower precedence is
	// parenthesized.
	prec int
	// compact leaves out the spaces around operators; set inside the brackets of an index.
	compact bool
}

// Precedences beyond those of Go's binary operators, which are 1 to 5.
const (
	unaryPrec   = token.UnaryPrec
	primaryPrec = token.HighestPrec
)

// texts holds buffers for str: the call through the interface would move a local one to the heap.
var texts = sync.Pool{New: func() any { return new([]byte) }}

func str(e Expr) string {
	buf := texts.Get().(*[]byte)
	*buf = e.append((*buf)[:0], printer{})
	s := string(*buf)
	texts.Put(buf)
	return s
}

func (e *Name) String() string    { return e.quoted() }
func (e *Const) String() string   { return e.Text }
func (e *Sel) String() string     { return str(e) }
func (e *Index) String() string   { return str(e) }
func (e *Suffix) String() string  { return str(e) }
func (e *Deref) String() string   { return str(e) }
func (e *Old) String() string     { return str(e) }
func (e *Call) String() string    { return str(e) }
func (e *Unary) String() string   { return str(e) }
func (e *Binary) String() string  { return str(e) }
func (e *List) String() string    { return str(e) }
func (e *Implies) String() string { return str(e) }
func (e *Forall) String() string  { return str(e) }

// quoted returns the name, in backquotes if it is no identifier.
func (e *Name) quoted() string {
	if isIdent(e.Name) && !isConstant(e.Name) {
		return e.Name
	}
	return "`" + e.Name + "`"
}

// primary prints e as the operand of a selector, an index or a suffix.
func primary(e Expr, b []byte, p printer) []byte {
	return e.append(b, printer{primaryPrec, p.compact})
}

// outer prints e where nothing around it can bind: an argument, or a whole expression.
func outer(e Expr, b []byte) []byte { return e.append(b, printer{}) }

func (e *Name) append(b []byte, _ printer) []byte { return append(b, e.quoted()...) }

// append puts a number in parentheses where a selector or an index follows: (1).x.
func (e *Const) append(b []byte, p printer) []byte {
	if p.prec == primaryPrec && isNumber(e) {
		return append(append(append(b, '('), e.Text...), ')')
	}
	return append(b, e.Text...)
}

func (e *Sel) append(b []byte, p printer) []byte {
	return append(append(primary(e.X, b, p), '.'), e.Field...)
}

func (e *Index) append(b []byte, p printer) []byte {
	b = append(primary(e.X, b, p), '[')
	return append(e.I.append(b, printer{compact: true}), ']')
}

func (e *Suffix) append(b []byte, p printer) []byte {
	return append(primary(e.X, b, p), e.Text...)
}

func (e *Deref) append(b []byte, p printer) []byte {
	return parens(unaryPrec, b, p, func(b []byte) []byte {
		return e.X.append(append(b, '*'), printer{unaryPrec, p.compact})
	})
}

func (e *Old) append(b []byte, _ printer) []byte {
	return append(outer(e.X, append(b, "old("...)), ')')
}

func (e *Call) append(b []byte, _ printer) []byte {
	b = append(append(b, e.Func...), '(')
	return append(list(e.Args, b), ')')
}

func (e *Unary) append(b []byte, p printer) []byte {
	return parens(unaryPrec, b, p, func(b []byte) []byte {
		return e.X.append(append(b, e.Op.String()...), printer{unaryPrec, p.compact})
	})
}

func (e *Binary) append(b []byte, p printer) []byte {
	prec := e.Op.Precedence()
	return parens(prec, b, p, func(b []byte) []byte {
		b = e.X.append(b, printer{prec, p.compact})
		if p.compact {
			b = append(b, e.Op.String()...)
		} else {
			b = append(append(append(b, ' '), e.Op.String()...), ' ')
		}
		return e.Y.append(b, printer{prec + 1, p.compact}) // operators associate to the left
	})
}

func (e *List) append(b []byte, _ printer) []byte {
	b = append(append(b, e.Type...), '{')
	return append(list(e.Elems, b), '}')
}

func (e *Implies) append(b []byte, _ printer) []byte {
	b = outer(e.If, append(b, "implies("...))
	return append(outer(e.Then, append(b, ", "...)), ')')
}

func (e *Forall) append(b []byte, _ printer) []byte {
	b = append(append(append(b, "forall("...), e.Var...), ", "...)
	return append(outer(e.Body, b), ')')
}

// list prints expressions separated by commas.
func list(args []Expr, b []byte) []byte {
	for i, x := range args {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = outer(x, b)
	}
	return b
}

// parens prints a node of precedence prec, in parentheses where the context binds more tightly.
func parens(prec int, b []byte, p printer, print func(b []byte) []byte) []byte {
	if prec >= p.prec {
		return print(b)
	}
	return append(print(append(b, '(')), ')')
}
