package assertion

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"dsd/infer/instrument"
	"dsd/internal/expr"
	"dsd/schemas"
)

// kind is what the value of an expression is in the code.
type kind int

const (
	intKind    kind = iota // an int64; integers without a sign that are larger are the largest
	floatKind              // a float64
	boolKind               // a bool
	textKind               // a string
	typeKind               // a string: a dynamic type, "" for nil
	addrKind               // a uintptr: a pointer, 0 for nil
	refKind                // a bool: another reference is not nil
	nilKind                // the constant nil
	intsKind               // an []int64
	floatsKind             // a []float64
	textsKind              // a []string
	addrsKind              // a []uintptr
)

// goTypes are the types of the code's variables, by kind.
var goTypes = map[kind]string{
	intKind: "int64", floatKind: "float64", boolKind: "bool", textKind: "string", typeKind: "string",
	addrKind: "uintptr", refKind: "bool",
	intsKind: "[]int64", floatsKind: "[]float64", textsKind: "[]string", addrsKind: "[]uintptr",
}

// elemOf are the kinds of the elements of lists.
var elemOf = map[kind]kind{intsKind: intKind, floatsKind: floatKind, textsKind: textKind, addrsKind: addrKind}

// code is Go source of a value. exists is a condition under which there is one, "" if always.
type code struct {
	kind          kind
	exists, value string
}

// leaf is a variable of an invariant, such as x.f or len(x), and the variable of the code that has its
// value.
type leaf struct {
	name string // as the invariant has it
	code
}

// translator translates the invariants of one function.
type translator struct {
	pkg *types.Package // which sees its unexported fields
	// params and results are the variables by the names that invariants have for them. idents are the
	// names in the code: those of parameters at the entry, and of their copies at the exit.
	params, results map[string]*types.Var
	idents, copied  map[string]string
	order           []string // the parameters

	entry, exit strings.Builder  // code that reads leaves there
	leaves      map[string]*leaf // by place and name
	n           int              // the number of the code's next variable

	// For the invariant that is translated:
	at    schemas.At
	old   bool            // inside old(), so that leaves are read at the entry
	bound map[string]bool // names that forall binds
	reads []*leaf
}

func newTranslator(pkg *types.Package, sig *types.Signature, resultIdents []string) *translator {
	t := &translator{
		pkg: pkg, params: map[string]*types.Var{}, results: map[string]*types.Var{},
		idents: map[string]string{}, copied: map[string]string{}, leaves: map[string]*leaf{},
	}
	ins := []*types.Var{}
	if r := sig.Recv(); r != nil {
		ins = append(ins, r)
	}
	for i := range sig.Params().Len() {
		ins = append(ins, sig.Params().At(i))
	}
	for _, v := range ins {
		if v.Name() != "" && v.Name() != "_" {
			t.params[v.Name()], t.idents[v.Name()] = v, v.Name()
			t.copied[v.Name()] = fmt.Sprintf("%sa%d", prefix, len(t.order))
			t.order = append(t.order, v.Name())
		}
	}
	for i, ident := range resultIdents {
		name := instrument.ResultName(sig.Results(), i)
		t.results[name], t.idents[name] = sig.Results().At(i), ident
	}
	return t
}

// begin begins another invariant.
func (t *translator) begin(at schemas.At) {
	t.at, t.old, t.bound, t.reads = at, false, map[string]bool{}, nil
}

// copies returns code that keeps the parameters as they are at the entry.
func (t *translator) copies() string {
	var b strings.Builder
	for _, name := range t.order {
		fmt.Fprintf(&b, "%[1]s := %[2]s; _ = %[1]s; ", t.copied[name], name)
	}
	return b.String()
}

// asList ends the name of a leaf that has the elements of a list.
const asList = " as a list"

// used returns the variables that the invariant reads, and the arguments of check.Violated for them.
func (t *translator) used() (vars []string, args string) {
	for _, l := range t.reads {
		exists := l.exists
		if exists == "" {
			exists = "true"
		}
		value := l.value
		switch l.kind {
		case refKind:
			value = checkName + ".Reference(" + value + ")"
		case addrKind:
			value = checkName + ".Reference(" + value + " != 0)"
		}
		vars = append(vars, strings.TrimSuffix(l.name, asList))
		args += ", " + exists + ", " + value
	}
	return vars, args
}

// atEntry reports whether the leaf that is read next is read at the entry.
func (t *translator) atEntry() bool { return t.at == schemas.AtEntry || t.old }

// leaf returns the variable that has the value of a place, of the type that convert returns for it.
func (t *translator) leaf(name string, e expr.Expr, as func(p *place) (k kind, read string, err error)) (code, error) {
	key := fmt.Sprint(t.atEntry(), name)
	if l := t.leaves[key]; l != nil {
		t.read(l)
		return l.code, nil
	}
	p, err := t.place(e)
	if err != nil {
		return code{}, err
	}
	k, read, err := as(p)
	if err != nil {
		return code{}, err
	}
	v := t.variable("v")
	l := &leaf{name, code{k, "", v}}
	exists := ""
	second := elemOf[k] != 0 || k == intsKind // reading may fail
	b := &t.exit
	if t.atEntry() {
		b = &t.entry
	}
	if p.opened == 0 && !second {
		fmt.Fprintf(b, "%s := %s; _ = %s; ", v, read, v)
	} else {
		exists = t.variable("x")
		l.exists = exists
		if !second {
			read += ", true"
		}
		fmt.Fprintf(b, "var %s %s; var %s bool; %s%s, %s = %s; %s_, _ = %s, %s; ", v, goTypes[k], exists,
			p.open, v, exists, read, strings.Repeat("}; ", p.opened), v, exists)
	}
	if t.old {
		l.name = "old(" + name + ")"
	}
	t.leaves[key] = l
	t.read(l)
	return l.code, nil
}

// read notes that the invariant reads a leaf.
func (t *translator) read(l *leaf) {
	if !slices.Contains(t.reads, l) {
		t.reads = append(t.reads, l)
	}
}

// variable returns a new name of the code.
func (t *translator) variable(of string) string {
	t.n++
	return fmt.Sprintf("%s%s%d", prefix, of, t.n)
}

// place is Go source of a variable behind pointers that must not be nil.
type place struct {
	open   string // opens blocks in which no pointer on the way is nil
	opened int    // how many
	text   string
	typ    types.Type
}

// place returns the place that an expression names. Each pointer on the way is read once, since another
// goroutine may change it between the test for nil and the use.
func (t *translator) place(e expr.Expr) (*place, error) {
	switch x := e.(type) {
	case *expr.Name:
		if v := t.params[x.Name]; v != nil {
			if t.atEntry() {
				return &place{text: x.Name, typ: v.Type()}, nil
			}
			return &place{text: t.copied[x.Name], typ: v.Type()}, nil
		}
		if v := t.results[x.Name]; v != nil && !t.atEntry() {
			return &place{text: t.idents[x.Name], typ: v.Type()}, nil
		}
		if v, ok := t.pkg.Scope().Lookup(x.Name).(*types.Var); ok {
			return &place{text: x.Name, typ: v.Type()}, nil
		}
		return nil, fmt.Errorf("there is no variable %s", x.Name)
	case *expr.Sel:
		p, err := t.place(x.X)
		if err != nil {
			return nil, err
		}
		obj, index, _ := types.LookupFieldOrMethod(p.typ, true, t.pkg, x.Field)
		field, ok := obj.(*types.Var)
		if !ok || len(index) != 1 {
			return nil, fmt.Errorf("there is no field %s", e)
		}
		t.follow(p)
		p.text, p.typ = p.text+"."+x.Field, field.Type()
		return p, nil
	case *expr.Deref:
		p, err := t.place(x.X)
		if err != nil {
			return nil, err
		}
		to, ok := p.typ.Underlying().(*types.Pointer)
		if !ok {
			return nil, fmt.Errorf("%s is no pointer", x.X)
		}
		t.follow(p)
		p.text, p.typ = "(*"+p.text+")", to.Elem()
		return p, nil
	}
	return nil, notTranslated(e)
}

// follow makes a place that is a pointer the one that is not nil.
func (t *translator) follow(p *place) {
	if _, ok := p.typ.Underlying().(*types.Pointer); !ok {
		return
	}
	v := t.variable("p")
	p.open += fmt.Sprintf("if %s := %s; %s != nil { ", v, p.text, v)
	p.opened++
	p.text = v
}

// notTranslated is the error for an expression that has no counterpart in the code.
func notTranslated(e expr.Expr) error { return fmt.Errorf("%s has no counterpart in Go", e) }

// number returns how to read an integer or a length.
func number(p *place, text string) string {
	if b, ok := p.typ.Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return checkName + ".Uint(uint64(" + text + "))"
	}
	return "int64(" + text + ")"
}

// scalar returns how to read a place that is no list.
func scalar(p *place) (kind, string, error) {
	switch u := p.typ.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsInteger != 0:
			return intKind, number(p, p.text), nil
		case info&types.IsFloat != 0:
			return floatKind, "float64(" + p.text + ")", nil
		case info&types.IsBoolean != 0:
			return boolKind, "bool(" + p.text + ")", nil
		case info&types.IsString != 0:
			return textKind, "string(" + p.text + ")", nil
		}
	case *types.Pointer:
		return addrKind, checkName + ".Address(" + p.text + ")", nil
	case *types.Slice, *types.Map, *types.Chan, *types.Signature:
		return refKind, p.text + " != nil", nil
	case *types.Interface:
		if _, param := types.Unalias(p.typ).(*types.TypeParam); !param {
			return refKind, p.text + " != nil", nil
		}
	}
	return 0, "", fmt.Errorf("values of type %s have no counterpart", types.TypeString(p.typ, nil))
}

// sequence returns how to read a place as a list.
func sequence(p *place) (kind, string, error) {
	var elem types.Type
	switch u := p.typ.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	}
	if elem != nil {
		switch u := elem.Underlying().(type) {
		case *types.Basic:
			switch info := u.Info(); {
			case info&types.IsInteger != 0:
				return intsKind, checkName + ".Ints(" + p.text + ")", nil
			case info&types.IsFloat != 0:
				return floatsKind, checkName + ".Floats(" + p.text + ")", nil
			case info&types.IsString != 0:
				return textsKind, checkName + ".Texts(" + p.text + ")", nil
			}
		case *types.Pointer:
			return addrsKind, checkName + ".Addresses(" + p.text + ")", nil
		}
	}
	return 0, "", fmt.Errorf("values of type %s are no lists", types.TypeString(p.typ, nil))
}
