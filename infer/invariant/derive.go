package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// derivation computes the values of a variable from those of others [DAIKON: derived variables].
type derivation struct {
	of    int // the column of the sequence
	index int // the column of the index of an element; -1 if value needs none
	value func(it *items, index int64) Value
}

// maxIndexed limits the variables s[i] per sequence.
const maxIndexed = 24

// derive appends to a declaration the variables that are derived from its sequences: the length,
// where it is not declared, the first and the last element, the sum, and the elements at the
// integer variables. It returns one derivation for each appended variable, in order.
func derive(decl Declaration) (Declaration, []derivation) {
	d := deriver{vars: decl.Vars[:len(decl.Vars):len(decl.Vars)], names: map[string]bool{}}
	for _, v := range decl.Vars {
		d.names[v.Name] = true
	}
	for i, v := range decl.Vars {
		if kindOf(v.Rep) == sequence {
			d.sequence(&decl, i)
		}
	}
	decl.Vars = d.vars
	return decl, d.derivations
}

// deriver is the state of derive.
type deriver struct {
	vars        []Variable // the declared and the derived variables
	derivations []derivation
	names       map[string]bool // of vars
}

// sequence derives the variables of the sequence in column i.
func (d *deriver) sequence(decl *Declaration, i int) {
	v := decl.Vars[i]
	name, old := expr.CutOld(v.Name)
	wrap := func(s string) string { return s }
	if old {
		wrap = expr.OldName
	}
	rep, element := elementReps[v.Rep], strings.TrimPrefix(v.Type, "[]")
	length := wrap("len(" + name + ")")
	size := variableNamed(length)
	notEmpty := expr.Op(">", size, expr.Zero)
	first, last := wrap(name+"[0]"), wrap(name+"[len("+name+")-1]")
	d.add(v, length, schemas.RepInt, "int", nil, derivation{i, -1, (*items).length})
	d.add(v, first, rep, element, notEmpty, derivation{i, -1, (*items).value})
	d.add(v, last, rep, element, notEmpty, derivation{i, -1, (*items).last})
	if v.Rep == schemas.RepInts {
		sum := wrap("sum(" + name + ")")
		d.add(v, sum, schemas.RepInt, element, nil, derivation{i, -1, (*items).sum})
	}
	for _, x := range indices(decl.Vars, v) {
		at := decl.Vars[x].Name
		if entryName, ok := expr.CutOld(at); ok && old { // old(s[i]) is the element at old(i)
			at = entryName
		}
		index := variableNamed(decl.Vars[x].Name)
		this, exists := wrap(name+"["+at+"]"), within(index, size)
		d.add(v, this, rep, element, exists, derivation{i, x, (*items).value})
		if decl.Preceding {
			preceding, exists := wrap(name+"["+at+"-1]"), within(expr.Plus(index, -1), size)
			d.add(v, preceding, rep, element, exists, derivation{i, x, (*items).preceding})
		}
	}
}

// add appends a variable that is derived from the sequence v, unless it is declared. old(len(s)) is
// not derived where len(s) is declared.
func (d *deriver) add(v Variable, name string, rep schemas.Rep, typ string, exists expr.Expr,
	how derivation) {
	now, old := expr.CutOld(name)
	isLen := expr.Applied(name, "len")
	if d.names[name] || old && isLen && d.names[now] {
		return
	}
	d.names[name] = true
	group := v.Group
	if group != "" && isLen {
		if group = v.IndexGroup; group == "" {
			group = "len " + v.Group
		}
	}
	t := schemas.TraceVar{Name: name, Type: typ, Rep: rep, Pointer: v.Pointer, Result: v.Result}
	d.vars = append(d.vars, Variable{TraceVar: t, Exists: exists, Group: group})
	d.derivations = append(d.derivations, how)
}

// indices returns the columns of the integers at which elements of a sequence are derived. These
// are parameters and results. At an exit, a sequence of the entry is combined with integers of the
// entry, and with parameters that have no old form. A sequence of the exit is combined with both.
func indices(vars []Variable, of Variable) (out []int) {
	hasOld := map[string]bool{}
	for _, x := range vars {
		if name, ok := expr.CutOld(x.Name); ok {
			hasOld[name] = true
		}
	}
	for j, x := range vars {
		name, isOld := expr.CutOld(x.Name)
		if x.Rep != schemas.RepInt || x.Pointer != "" || x.Group != of.IndexGroup ||
			strings.ContainsAny(name, ".(*") || len(out) == maxIndexed {
			continue
		}
		if isOldName(of.Name) && !isOld && (x.Result || hasOld[name]) {
			continue
		}
		out = append(out, j)
	}
	return out
}

// within returns the condition that an element exists: 0 <= at && at < length.
func within(at, length expr.Expr) expr.Expr {
	return expr.And(expr.Op("<=", expr.Zero, at), expr.Op("<", at, length))
}

// value returns the element at index i, which is missing outside the bounds.
func (it *items) value(i int64) Value {
	if i < 0 || i >= int64(len(it.code)) {
		return Value{Missing: true}
	}
	v := Value{Code: it.code[i]}
	v.Unrepresentable = i < int64(len(it.unrepresentable)) && it.unrepresentable[i]
	if i < int64(len(it.texts)) {
		v.Text = it.texts[i]
	}
	return v
}

// preceding returns the element before index i.
func (it *items) preceding(i int64) Value { return it.value(i - 1) }

// last returns the last element.
func (it *items) last(int64) Value { return it.value(int64(len(it.code)) - 1) }

// length returns the number of elements.
func (it *items) length(int64) Value { return Value{Code: int64(len(it.code))} }

// sum returns the sum of the elements modulo 2^64. It is missing if an element does not fit in an
// int64.
func (it *items) sum(int64) Value {
	n := int64(0)
	for i, x := range it.code {
		if i < len(it.unrepresentable) && it.unrepresentable[i] {
			return Value{Missing: true}
		}
		n += x
	}
	return Value{Code: n}
}

// derive fills the columns of the derived variables of a batch.
func (p *Point) derive(b *batch) {
	base := len(b.columns) - len(p.derived)
	for k, d := range p.derived {
		from := &b.columns[d.of]
		for row := range b.n {
			v := Value{Missing: true}
			if from.present(row) && row < len(from.items) {
				switch {
				case from.isUnrepresentable(row):
					v = Value{Unrepresentable: true}
				case d.index < 0:
					v = d.value(&from.items[row], 0)
				case b.columns[d.index].present(row):
					v = d.value(&from.items[row], b.columns[d.index].code[row])
				}
			}
			b.columns[base+k].add(row+1, &v)
		}
	}
}
