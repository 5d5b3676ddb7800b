package lower

import (
	"go/ast"
	"go/types"
	"slices"

	"dsd/internal/source"
)

// What a program uses of C is opaque: functions return any value and may write what their arguments
// point to, macros and variables have any value at any time.

// cName returns the name that a selector has in C; ok reports whether it is C.name.
func (sx *syntax) cName(e *ast.SelectorExpr) (name string, ok bool) {
	id, ok := e.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	if p, ok := sx.pkg.Info.Uses[id].(*types.PkgName); !ok || p.Imported().Path() != "C" {
		return "", false
	}
	return e.Sel.Name, true
}

// notProcessed returns the reason why an expression has no type.
func (sx *syntax) notProcessed() unsupported {
	if sx.pkg.CgoError != "" {
		return unsupportedf("C, which cgo could not process: %s", sx.pkg.CgoError)
	}
	return unsupportedf("an expression without a type")
}

// cVariable returns a location for a variable or macro in C: a new one that holds any value.
func (l *lowerer) cVariable(e *ast.SelectorExpr, name string) location {
	t := l.typeOf(e)
	at := memory(l.alloc(t), l.slot0(), t)
	l.store(at, l.unknown("C."+name, "the value of C."+name, t))
	return at
}

// cResults completes the results of a call of a function of C: v, err := C.f() has one more. What
// cgo itself declares for allocation does not return nil.
func (l *lowerer) cResults(e *ast.CallExpr, f *types.Func, vals []Value) []Value {
	if name, ok := source.CName(f); !ok {
		return vals
	} else if slices.Contains([]string{"malloc", "CString", "CBytes"}, name) {
		l.axiom(l.b.Not(l.isZero(vals[0])))
	}
	if t, ok := l.typeOf(e).(*types.Tuple); ok && t.Len() == len(vals)+1 {
		vals = append(vals, l.unknown("error", "the errno of a call of C", t.At(len(vals)).Type()))
	}
	return vals
}
