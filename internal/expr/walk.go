package expr

import (
	"go/constant"
	"go/token"
	"strings"
)

// children returns the operands of e in the order of the text.
func children(e Expr) []Expr {
	switch e := e.(type) {
	case *Name, *Const:
		return nil
	case *Sel:
		return []Expr{e.X}
	case *Index:
		return []Expr{e.X, e.I}
	case *Suffix:
		return []Expr{e.X}
	case *Deref:
		return []Expr{e.X}
	case *Old:
		return []Expr{e.X}
	case *Call:
		return e.Args
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *List:
		return e.Elems
	case *Implies:
		return []Expr{e.If, e.Then}
	case *Forall:
		return []Expr{e.Body}
	}
	panic(unexpected(e))
}

// Walk calls visit for e and, where visit returns true, for its operands in the order of the text.
func Walk(e Expr, visit func(Expr) bool) {
	if !visit(e) {
		return
	}
	for _, x := range children(e) {
		Walk(x, visit)
	}
}

// Map returns e with change applied to every node, operands first. change returns a node to put in
// place of the one that it is given, or that one.
func Map(e Expr, change func(Expr) Expr) Expr {
	m := func(x Expr) Expr { return Map(x, change) }
	switch x := e.(type) {
	case *Name, *Const:
	case *Sel:
		e = &Sel{m(x.X), x.Field}
	case *Index:
		e = &Index{m(x.X), m(x.I)}
	case *Suffix:
		e = &Suffix{m(x.X), x.Text}
	case *Deref:
		e = &Deref{m(x.X)}
	case *Old:
		e = &Old{m(x.X)}
	case *Call:
		e = &Call{x.Func, mapAll(x.Args, m)}
	case *Unary:
		e = &Unary{x.Op, m(x.X)}
	case *Binary:
		e = &Binary{x.Op, m(x.X), m(x.Y)}
	case *List:
		e = &List{x.Type, mapAll(x.Elems, m)}
	case *Implies:
		e = &Implies{m(x.If), m(x.Then)}
	case *Forall:
		e = &Forall{x.Var, m(x.Body)}
	default:
		panic(unexpected(e))
	}
	return change(e)
}

func mapAll(list []Expr, change func(Expr) Expr) []Expr {
	out := make([]Expr, len(list))
	for i, x := range list {
		out[i] = change(x)
	}
	return out
}

// Free returns the names of the variables at the roots of e, each once, in the order of the text:
// of implies(s.n > 0, forall(i, a[i] < k)) those are s, a and k.
func Free(e Expr) []string {
	var out []string
	seen := map[string]bool{}
	var walk func(e Expr)
	walk = func(e Expr) {
		switch x := e.(type) {
		case *Name:
			if !seen[x.Name] {
				seen[x.Name] = true
				out = append(out, x.Name)
			}
		case *Forall:
			was := seen[x.Var]
			seen[x.Var] = true
			walk(x.Body)
			seen[x.Var] = was
		default:
			for _, y := range children(e) {
				walk(y)
			}
		}
	}
	walk(e)
	return out
}

// Rename returns e with every free variable named from given the name to. A name that is no free
// variable of e leaves e as it is.
func Rename(e Expr, from, to string) Expr {
	if from == to {
		return e
	}
	switch x := e.(type) {
	case *Name:
		if x.Name == from {
			return &Name{to}
		}
		return x
	case *Forall:
		if x.Var == from {
			return x
		}
		return &Forall{x.Var, Rename(x.Body, from, to)}
	case *Implies:
		return &Implies{Rename(x.If, from, to), Rename(x.Then, from, to)}
	case *Unary:
		return &Unary{x.Op, Rename(x.X, from, to)}
	case *Binary:
		return &Binary{x.Op, Rename(x.X, from, to), Rename(x.Y, from, to)}
	}
	return Map(e, func(x Expr) Expr { // no binder below: Forall is a condition
		if n, ok := x.(*Name); ok && n.Name == from {
			return &Name{to}
		}
		return x
	})
}

// RenameVar returns the name of a variable with another root: s.items of s becomes t.items. ok is
// false if fields, elements, pointers and lengths do not lead to it from the root from.
func RenameVar(name, from, to string) (renamed string, ok bool) {
	if from == "" || !strings.Contains(name, from) {
		return "", false
	}
	if rest, cut := strings.CutPrefix(name, from); isPath(name) { // most are, and need no tree
		if !cut || rest != "" && rest[0] != '.' {
			return "", false
		}
		return to + rest, true
	}
	e := Var(name)
	if root(e) != from {
		return "", false
	}
	return Rename(e, from, to).String(), true
}

// isPath reports whether a name is an identifier with selectors: x.f.g.
func isPath(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !isIdent(part) {
			return false
		}
	}
	return true
}

// root returns the variable from which fields, elements, pointers and lengths lead to e; "" if
// anything else does.
func root(e Expr) string {
	switch e := e.(type) {
	case *Name:
		return e.Name
	case *Sel:
		return root(e.X)
	case *Index:
		return root(e.X)
	case *Deref:
		return root(e.X)
	case *Call:
		if e.Func == "len" {
			return root(e.Args[0])
		}
	}
	return ""
}

// Conjuncts returns the operands of nested &&, from the left; e itself if it is no conjunction.
func Conjuncts(e Expr) []Expr {
	if b, ok := e.(*Binary); ok && b.Op == token.LAND {
		return append(Conjuncts(b.X), Conjuncts(b.Y)...)
	}
	return []Expr{e}
}

// Guards returns the conditions under which e says something: the conjuncts of a for
// implies(a, b), none otherwise.
func Guards(e Expr) []Expr {
	if x, ok := e.(*Implies); ok {
		return Conjuncts(x.If)
	}
	return nil
}

// IsNil reports whether e is the constant nil.
func IsNil(e Expr) bool {
	c, ok := e.(*Const)
	return ok && c.Value == nil
}

// Integer returns the value of an integer constant of 64 bits.
func Integer(e Expr) (n int64, ok bool) {
	c, isConst := e.(*Const)
	if !isConst || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

// StringOf returns the value of a string constant.
func StringOf(e Expr) (s string, ok bool) {
	c, isConst := e.(*Const)
	if !isConst || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// Equal reports whether two expressions are the same.
func Equal(a, b Expr) bool { return a == b || a.String() == b.String() }
