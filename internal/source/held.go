package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// Held is a function literal that a package-level variable holds: as its value, or in composite literals, as the functions of
// a template or the handlers in a table are.
type Held struct {
	Var *ast.Ident
	// Steps lead from the variable to the literal, outermost first.
	Steps []HeldStep
	Lit   *ast.FuncLit
}

// HeldStep is an element of a composite literal.
type HeldStep struct {
	In *ast.CompositeLit
	// Key is the element's key, nil if it has none; Elem is its value, and Index its place among the elements.
	Key, Elem ast.Expr
	Index     int
}

// HeldIn returns the function literals that the package-level variables of a file hold, in source order.
func HeldIn(file *ast.File) []Held {
	var out []Held
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			for i, x := range v.Values {
				if len(v.Values) == len(v.Names) && v.Names[i].Name != "_" {
					out = appendHeld(out, v.Names[i], nil, x)
				}
			}
		}
	}
	return out
}

// appendHeld appends the literals in x, to which steps lead.
func appendHeld(out []Held, v *ast.Ident, steps []HeldStep, x ast.Expr) []Held {
	x = ast.Unparen(x)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = ast.Unparen(u.X)
	}
	switch x := x.(type) {
	case *ast.FuncLit:
		return append(out, Held{v, steps, x})
	case *ast.CompositeLit:
		for i, e := range x.Elts {
			step := HeldStep{In: x, Elem: e, Index: i}
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				step.Key, step.Elem = kv.Key, kv.Value
			}
			out = appendHeld(out, v, append(steps[:len(steps):len(steps)], step), step.Elem)
		}
	}
	return out
}

// Expr returns the expression whose value is the held literal, for a file of the package with that info. typeName returns how
// the file writes a type. It returns false if there is none: a key is no constant.
func (h *Held) Expr(info *types.Info, typeName func(types.Type) string) (string, bool) {
	out := h.Var.Name
	holder := info.TypeOf(h.Var)
	for _, s := range h.Steps {
		in := info.TypeOf(s.In)
		if in == nil {
			return "", false
		}
		if holder != nil && types.IsInterface(holder) { // &T{} in an interface is a pointer
			return "", false
		}
		if p, ok := in.Underlying().(*types.Pointer); ok {
			in = p.Elem()
		}
		switch t := in.Underlying().(type) {
		case *types.Struct:
			f := s.field(t)
			if f == nil || f.Name() == "_" {
				return "", false
			}
			out, holder = out+"."+f.Name(), f.Type()
		case *types.Map:
			key := constantKey(info, s.Key)
			if key == "" || types.IsInterface(t.Key()) {
				return "", false
			}
			out, holder = out+"["+key+"]", t.Elem()
		case interface{ Elem() types.Type }: // a slice or an array
			if s.keyed() {
				return "", false
			}
			out, holder = out+"["+constant.MakeInt64(int64(s.Index)).ExactString()+"]", t.Elem()
		default:
			return "", false
		}
		if elem := info.TypeOf(s.Elem); types.IsInterface(holder) && elem != nil {
			out, holder = out+".("+typeName(elem)+")", elem
		}
	}
	return out, true
}

// field returns the field of a struct that an element is; nil if there is none.
func (s *HeldStep) field(t *types.Struct) *types.Var {
	id, ok := s.Key.(*ast.Ident)
	for i := range t.NumFields() {
		if ok && t.Field(i).Name() == id.Name || s.Key == nil && i == s.Index {
			return t.Field(i)
		}
	}
	return nil
}

// keyed reports whether an element of the list has a key: then places are not counted.
func (s *HeldStep) keyed() bool {
	for _, e := range s.In.Elts {
		if _, ok := e.(*ast.KeyValueExpr); ok {
			return true
		}
	}
	return false
}

// constantKey returns a constant as Go writes it; "" if x is none, or no text, whole number or boolean.
func constantKey(info *types.Info, x ast.Expr) string {
	if x == nil || info.Types[x].Value == nil {
		return ""
	}
	switch v := info.Types[x].Value; v.Kind() {
	case constant.String, constant.Int, constant.Bool:
		return v.ExactString()
	}
	return ""
}
