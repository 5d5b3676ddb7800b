package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// derivation makes the values of a variable from those of others [DAIKON: derived variables].
type derivation struct {
	of, index int // the sequence, and the index of an element
	value     func(it *items, index int64) Value
}

// maxIndexed bounds the variables s[i] of a point.
const maxIndexed = 24

// derive adds to the declaration of a point what is derived from its sequences: their lengths, where they are not declared, the first and
// last elements, their sums, and the elements at its integer variables.
func derive(decl Declaration) (Declaration, []derivation) {
	var out []derivation
	base := decl.Vars
	names := map[string]bool{}
	for _, v := range base {
		names[v.Name] = true
	}
	vars := base[:len(base):len(base)]
	add := func(v Variable, name string, rep schemas.Rep, typ string, exists expr.Expr, d derivation) {
		now, old := expr.CutOld(name)
		isLen := expr.Applied(name, "len")
		if names[name] || old && isLen && names[now] {
			return
		}
		names[name] = true
		group := ""
		if v.Group != "" {
			group = v.Group
			if isLen {
				if group = v.IndexGroup; group == "" {
					group = "len " + v.Group
				}
			}
		}
		vars = append(vars, Variable{TraceVar: schemas.TraceVar{Name: name, Type: typ, Rep: rep, Pointer: v.Pointer, Result: v.Result}, Exists: exists, Group: group})
		out = append(out, d)
	}
	for i, v := range base {
		if kinds[v.Rep] != sequence {
			continue
		}
		name, old := expr.CutOld(v.Name)
		wrap := func(s string) string { return s }
		if old {
			wrap = expr.OldName
		}
		length, element := wrap("len("+name+")"), strings.TrimPrefix(v.Type, "[]")
		rep := elementReps[v.Rep]
		add(v, length, "int", "int", nil, derivation{i, -1, func(it *items, _ int64) Value { return Value{Code: int64(len(it.code))} }})
		size := expr.Var(length)
		some := expr.Op(">", size, expr.Zero)
		add(v, wrap(name+"[0]"), rep, element, some, derivation{i, -1, func(it *items, _ int64) Value { return it.value(0) }})
		add(v, wrap(name+"[len("+name+")-1]"), rep, element, some, derivation{i, -1, func(it *items, _ int64) Value { return it.value(int64(len(it.code)) - 1) }})
		if v.Rep == schemas.RepInts {
			add(v, wrap("sum("+name+")"), "int", element, nil, derivation{i, -1, (*items).sum})
		}
		for _, x := range indices(base, v) {
			at := base[x].Name
			if before, ok := expr.CutOld(at); ok && old { // both are as they were at the entry
				at = before
			}
			index := expr.Var(base[x].Name)
			add(v, wrap(name+"["+at+"]"), rep, element, within(index, size), derivation{i, x, (*items).value})
			if decl.Preceding {
				add(v, wrap(name+"["+at+"-1]"), rep, element, within(expr.Plus(index, -1), size), derivation{i, x, (*items).before})
			}
		}
	}
	decl.Vars = vars
	return decl, out
}

// indices are the integers of a point by which elements of a sequence are looked at: parameters and results; of what is known at the exit of the
// entry and of now, those of the sequence's time, and of the entry also for a sequence of now.
func indices(vars []Variable, of Variable) (out []int) {
	old := map[string]bool{} // what the entry has a value of
	for _, x := range vars {
		if name, ok := expr.CutOld(x.Name); ok {
			old[name] = true
		}
	}
	for j, x := range vars {
		name, was := expr.CutOld(x.Name)
		if x.Rep != schemas.RepInt || x.Pointer != "" || x.Group != of.IndexGroup || strings.ContainsAny(name, ".(*") || len(out) == maxIndexed {
			continue
		}
		if isOldName(of.Name) && !was && (x.Result || old[name]) {
			continue
		}
		out = append(out, j)
	}
	return out
}

// within is the condition that an element exists.
func within(at, length expr.Expr) expr.Expr {
	return expr.And(expr.Op("<=", expr.Zero, at), expr.Op("<", at, length))
}

// value is an element, as the value of a variable; before is that before it.
func (it *items) value(i int64) Value {
	if i < 0 || i >= int64(len(it.code)) {
		return Value{Missing: true}
	}
	v := Value{Code: it.code[i], Unrepresentable: i < int64(len(it.unrepresentable)) && it.unrepresentable[i]}
	if i < int64(len(it.texts)) {
		v.Text = it.texts[i]
	}
	return v
}

func (it *items) before(i int64) Value { return it.value(i - 1) }

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
