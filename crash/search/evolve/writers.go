package evolve

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"dsd/crash/search/goal"
	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// Whether control comes to the crash often depends on the state of an object: a time that was set, a list that has
// elements. A condition such as !x.at.IsZero() has no branch distance that leads there, but the source says which methods
// write the fields that it reads [STAR 4.5.3].

// maxGetter is the number of fields that a called function may read to count as a way to read them.
const maxGetter = 8

// decidingFields returns the fields that are read where the functions on the stack decide which way to go, before their
// lines, and in the line of the panic. Fields that called functions read count, too, if these read only a few. It is a
// hint, neither sound nor precise.
func (t *StackTrace) decidingFields(fset *token.FileSet, funcs map[*types.Func]*source.Func) map[*types.Var]bool {
	fields := map[*types.Var]bool{}
	for i := range t.Frames {
		f := &t.Frames[i]
		if f.Fn == nil || f.Fn.Decl == nil || f.Fn.Decl.Body == nil || f.Fn.Pkg == nil {
			continue
		}
		r := fieldReader{info: f.Fn.Pkg.Info, funcs: funcs, fields: fields}
		line := func(n ast.Node) int { return fset.PositionFor(n.Pos(), false).Line }
		ast.Inspect(f.Fn.Decl.Body, func(n ast.Node) bool {
			if n == nil || f.Pos.IsValid() && line(n) > f.Pos.Line {
				return false
			}
			switch n := n.(type) {
			case *ast.IfStmt:
				r.read(n.Cond)
			case *ast.ForStmt:
				r.read(n.Cond)
			case *ast.RangeStmt:
				r.read(n.X)
			case *ast.SwitchStmt:
				r.read(n.Tag)
			case *ast.CaseClause:
				for _, x := range n.List {
					r.read(x)
				}
			case ast.Expr:
				if i == 0 && line(n) == f.Pos.Line {
					r.read(n)
					return false
				}
			}
			return true
		})
	}
	return fields
}

// fieldReader collects the fields that expressions read.
type fieldReader struct {
	info   *types.Info
	funcs  map[*types.Func]*source.Func
	fields map[*types.Var]bool
}

func (r *fieldReader) read(x ast.Expr) {
	if x == nil {
		return
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if v := fieldOf(r.info, n); v != nil {
				r.fields[v] = true
			}
		case *ast.CallExpr:
			if fn := callgraph.Callee(r.info, n); fn != nil {
				r.readBody(r.funcs[fn])
			}
		}
		return true
	})
}

// readBody adds the fields that a function reads, if they are few.
func (r *fieldReader) readBody(f *source.Func) {
	if f == nil {
		return
	}
	var found []*types.Var
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if v := fieldOf(f.Pkg.Info, sel); v != nil {
				found = append(found, v)
			}
		}
		return len(found) <= maxGetter
	})
	if len(found) <= maxGetter {
		for _, v := range found {
			r.fields[v] = true
		}
	}
}

// fieldOf returns the field that a selector selects, of the generic type if that is an instance; nil if it selects none.
func fieldOf(info *types.Info, sel *ast.SelectorExpr) *types.Var {
	s := info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal {
		return nil
	}
	return s.Obj().(*types.Var).Origin()
}

// deciders are the fields that decide about the way to a crash, and what functions write.
type deciders struct {
	fields map[*types.Var]bool
	writes goal.ModSets
}

// findDeciders looks at the source. It costs as much as two passes over the program.
func findDeciders(prog *source.Program, trace *StackTrace) deciders {
	funcs := map[*types.Func]*source.Func{}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			funcs[f.Obj] = f
		}
	}
	d := deciders{fields: trace.decidingFields(prog.Fset, funcs)}
	if len(d.fields) > 0 {
		d.writes = goal.FindModSets(prog)
	}
	return d
}

// findWriters finds the operations that call methods which write one of the fields, and those that set one, but not
// those that call functions on the stack.
func (s *Searcher) findWriters(d deciders) {
	s.writers = nil
	for i, o := range s.g.Table {
		if slices.Contains(s.crashOps, i) || slices.Contains(s.misleading, i) || len(o.In) == 0 {
			continue
		}
		sets := slices.Contains(s.g.Setters, i) && slices.ContainsFunc(o.Fields, func(v *types.Var) bool {
			return v != nil && d.fields[v.Origin()]
		})
		if o.Func != nil && o.Func.Signature().Recv() != nil && !callgraph.IsInterfaceMethod(o.Func) {
			for v := range d.writes.Of(o.Func).All() {
				sets = sets || d.fields[v]
			}
		}
		if sets {
			s.writers = append(s.writers, i)
		}
	}
}
