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
		if o.Func == nil || !b.required[o.Func.Origin()] || o.Func.Signature().Recv() == nil {
			continue
		}
		for _, in := range o.In[1:] {
			sig, ok := in.Underlying().(*types.Signature)
			if !ok || sig.Variadic() {
				continue
			}
			methods := types.NewMethodSet(o.In[0])
			for i, n := 0, 0; i < methods.Len() && n < maxReentrant; i++ {
				m := methods.At(i).Obj().(*types.Func)
				if !m.Exported() || m.Origin() == o.Func.Origin() || m.Signature().Variadic() {
					continue
				}
				if b.Add(reentrant(in, sig, o.In[0], m)) {
					n++
				}
			}
		}
	}
}

// reentrant returns the operation that makes a function of type t which calls a method of a value of type of.
func reentrant(t types.Type, sig *types.Signature, of types.Type, m *types.Func) *candidate.Op {
	op := candidate.Derived(t, of, "callback of "+m.Name(), func(f *gofile.File, arg string) string {
		var params, args, results []string
		for i := range sig.Params().Len() {
			params = append(params, fmt.Sprintf("p%d %s", i, f.Type(sig.Params().At(i).Type())))
		}
		for p := range m.Signature().Params().Variables() {
			args = append(args, fitting(f, p.Type(), sig.Params()))
		}
		text := "func(" + strings.Join(params, ", ") + ")"
		for v := range sig.Results().Variables() {
			results = append(results, f.Type(v.Type()))
		}
		if len(results) > 0 {
			text += " (" + strings.Join(results, ", ") + ")"
		}
		text += " { " + arg + "." + m.Name() + "(" + strings.Join(args, ", ") + ")"
		for i := range results {
			results[i] = fixed(f, sig.Results().At(i).Type())
		}
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

// fitting returns an expression of type t: a parameter, what a method of one without parameters returns, or a constant.
func fitting(f *gofile.File, t types.Type, params *types.Tuple) string {
	for i := range params.Len() {
		if types.Identical(params.At(i).Type(), t) {
			return fmt.Sprint("p", i)
		}
	}
	for i := range params.Len() {
		methods := types.NewMethodSet(params.At(i).Type())
		for j := range methods.Len() {
			m := methods.At(j).Obj().(*types.Func)
			sig := m.Signature()
			if m.Exported() && sig.Params().Len() == 0 && sig.Results().Len() == 1 &&
				types.Identical(sig.Results().At(0).Type(), t) {
				return fmt.Sprintf("p%d.%s()", i, m.Name())
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
	default:
		text = "0"
	}
	if types.Identical(t, t.Underlying()) && text != "0" {
		return text
	}
	return f.Type(t) + "(" + text + ")"
}
