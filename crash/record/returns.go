package record

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The compiler makes deferred calls cheap (open-coded) only if the number of returns times the
// number of defer statements is small. In other functions, all returns jump to one label.
const (
	endName  = "_dsd_end" // the label
	maxExits = 15         // returns times defer statements
)

// returns makes each way out of a function, except a panic, set the variable okName:
//
//	return x, y      becomes      { r1, r2 = x, y; _dsd_ok = true; return }
//
// Results without names get some, so that operands are evaluated before the variable is set.
func (w *rewriter) returns(fd *ast.FuncDecl) {
	var names []string
	renamed := w.results(fd, &names)
	var list []*ast.ReturnStmt
	defers := 1
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			defers++
		case *ast.ReturnStmt:
			list = append(list, n)
		}
		return true
	})
	leave, label := okName+" = true; return", ""
	joined := (len(list)+1)*defers > maxExits && !w.redeclares(fd)
	if joined && len(list) > 0 {
		leave, label = "goto "+endName, endName+": "
	}
	for _, n := range list {
		from, to := w.offset(n.Pos()), w.offset(n.End())
		assign := ""
		if len(n.Results) > 0 {
			assign = strings.Join(names, ", ") + " ="
		} else {
			to = from
		}
		w.e.Replace(from, from+len("return"), "{ "+assign)
		if len(n.Results) > 0 {
			w.e.Insert(to, "; "+leave+" }")
		} else {
			w.e.Insert(from+len("return"), leave+" }")
		}
	}
	for id, name := range renamed {
		w.e.Replace(w.offset(id.Pos()), w.offset(id.End()), name)
		w.renamed[w.pkg.Info.ObjectOf(id)] = name
	}
	switch hasResults := fd.Type.Results != nil && len(fd.Type.Results.List) > 0; {
	case joined:
		w.e.Insert(w.offset(fd.Body.Lbrace)+1, "{")
		w.e.Insert(w.offset(fd.Body.Rbrace), "}; "+label+okName+" = true; return ")
	case !hasResults:
		w.e.Insert(w.offset(fd.Body.Rbrace), "; "+okName+" = true")
	}
}

// redeclares reports whether a := directly in the body assigns to a parameter or result. In a block
// of its own, it would declare a new variable instead.
func (w *rewriter) redeclares(fd *ast.FuncDecl) bool {
	for _, st := range fd.Body.List {
		for {
			l, ok := st.(*ast.LabeledStmt)
			if !ok {
				break
			}
			st = l.Stmt
		}
		a, ok := st.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		for _, x := range a.Lhs {
			id, ok := x.(*ast.Ident)
			if !ok || id.Name == "_" || w.pkg.Info.Defs[id] != nil {
				continue
			}
			v := w.pkg.Info.Uses[id]
			if v != nil && v.Parent() == w.pkg.Info.Scopes[fd.Type] {
				return true
			}
		}
	}
	return false
}

// results gives names to the results that have none, and appends the names of all results. It
// returns new names for the identifiers of results that another variable hides at a return.
func (w *rewriter) results(fd *ast.FuncDecl, names *[]string) map[*ast.Ident]string {
	renamed := map[*ast.Ident]string{}
	list := fd.Type.Results
	if list == nil {
		return renamed
	}
	n := 0
	fresh := func() string {
		n++
		if fd.Name == nil { // a literal: the results of the function around it may have such names
			return fmt.Sprintf("_dsd_r%d_%d", w.offset(fd.Type.Pos()), n)
		}
		return fmt.Sprintf("_dsd_r%d", n)
	}
	hidden := w.hidden(fd)
	for _, field := range list.List {
		if len(field.Names) == 0 {
			name := fresh()
			open, end := "", ""
			if !list.Opening.IsValid() {
				open, end = "(", ")"
			}
			w.e.Insert(w.offset(field.Type.Pos()), open+name+" ")
			if end != "" {
				w.e.Insert(w.offset(field.Type.End()), end)
			}
			*names = append(*names, name)
		}
		for _, id := range field.Names {
			switch obj := w.pkg.Info.Defs[id]; {
			case id.Name == "_":
				name := fresh()
				w.e.Replace(w.offset(id.Pos()), w.offset(id.End()), name)
				*names = append(*names, name)
			case hidden[obj]:
				name := fresh()
				*names = append(*names, name)
				renamed[id] = name
				ast.Inspect(fd.Body, func(n ast.Node) bool {
					use, ok := n.(*ast.Ident)
					if ok && w.pkg.Info.Uses[use] == obj {
						renamed[use] = name
					}
					return true
				})
			default:
				*names = append(*names, id.Name)
			}
		}
	}
	return renamed
}

// hidden returns the results whose names mean something else at a return with operands.
func (w *rewriter) hidden(fd *ast.FuncDecl) map[types.Object]bool {
	out := map[types.Object]bool{}
	outer := w.pkg.Info.Scopes[fd.Type]
	if outer == nil {
		return out
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				return false
			}
			inner := outer.Innermost(n.Pos())
			for _, field := range fd.Type.Results.List {
				for _, id := range field.Names {
					obj := w.pkg.Info.Defs[id]
					if inner == nil || obj == nil {
						continue
					}
					_, found := inner.LookupParent(id.Name, n.Pos())
					if found != obj {
						out[obj] = true
					}
				}
			}
			return false
		}
		return true
	})
	return out
}
