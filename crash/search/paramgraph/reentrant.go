package paramgraph

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// maxReentrant is the number of functions that call back, for each parameter of function type.
const maxReentrant = 12

// addReentrant adds, for methods on the stack that take a function, functions which call a method of the same object when
// they are called: they change what the method is in the middle of, as callbacks of users do.
func (b *Builder) addReentrant() {
	for _, o := range slices.Clone(b.g.Table) {
		if o.Func == nil || !o.OnFirst || !b.required[o.Func.Origin()] {
			continue
		}
		for _, in := range o.In[1:] {
			if sig, ok := in.Underlying().(*types.Signature); ok && !sig.Variadic() {
				b.addCallbacks(o, in, sig)
			}
		}
	}
}

// addCallbacks adds functions of type t, with signature sig, that call the other methods of the receiver of o.
func (b *Builder) addCallbacks(o *candidate.Op, t types.Type, sig *types.Signature) {
	methods := types.NewMethodSet(o.In[0])
	for i, n := 0, 0; i < methods.Len() && n < maxReentrant; i++ {
		m := methods.At(i).Obj().(*types.Func)
		if !m.Exported() || m.Origin() == o.Func.Origin() || m.Signature().Variadic() || !b.File.Nameable(m.Type()) {
			continue
		}
		if b.Add(callback(t, sig, o.In[0], m)) {
			n++
		}
	}
}

// callback returns the operation that makes a function of type t, with signature sig, which calls a method of a value of
// type of.
func callback(t types.Type, sig *types.Signature, of types.Type, m *types.Func) *candidate.Op {
	op := candidate.Derived(t, of, "callback of "+m.Name(), func(f *gofile.File, arg string) string {
		// No variable of a test has such a name: it is a letter, with a number from the second one on.
		var params []*types.Var
		for v := range sig.Params().Variables() {
			params = append(params, types.NewParam(0, nil, fmt.Sprint("arg", len(params)), v.Type()))
		}
		var args, results []string
		for v := range m.Signature().Params().Variables() {
			args = append(args, fitting(f, v.Type(), params))
		}
		for v := range sig.Results().Variables() {
			results = append(results, fixed(f, v.Type()))
		}
		named := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), gofile.WithoutNames(sig.Results()), false)
		text := f.Type(named) + " { " + arg + "." + m.Name() + "(" + strings.Join(args, ", ") + ")"
		if len(results) > 0 {
			text += "; return " + strings.Join(results, ", ")
		}
		if text += " }"; types.Unalias(t) != t.Underlying() {
			text = f.Type(t) + "(" + text + ")"
		}
		return text
	})
	op.Captures = true
	return op
}

// fitting returns an expression of type t: a parameter, what a method of one without parameters returns, or a fixed value.
func fitting(f *gofile.File, t types.Type, params []*types.Var) string {
	for _, p := range params {
		if types.Identical(p.Type(), t) {
			return p.Name()
		}
	}
	for _, p := range params {
		methods := types.NewMethodSet(p.Type())
		for i := range methods.Len() {
			m := methods.At(i).Obj().(*types.Func)
			sig := m.Signature()
			if m.Exported() && sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
				types.Identical(sig.Results().At(0).Type(), t) {
				return p.Name() + "." + m.Name() + "()"
			}
		}
	}
	return fixed(f, t)
}

// fixed returns true for booleans, so that whoever calls goes on, and the zero value of other types.
func fixed(f *gofile.File, t types.Type) string {
	text := ""
	switch u, _ := t.Underlying().(*types.Basic); {
	case u == nil:
		return "*new(" + f.Type(t) + ")"
	case u.Info()&types.IsBoolean != 0:
		text = "true"
	case u.Info()&types.IsString != 0:
		text = `""`
	case u.Kind() == types.UnsafePointer:
		text = "nil"
	default:
		text = "0"
	}
	if types.Identical(t, t.Underlying()) && text != "0" && text != "nil" {
		return text
	}
	return f.Type(t) + "(" + text + ")"
}
