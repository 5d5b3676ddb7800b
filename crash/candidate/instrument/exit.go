package instrument

import (
	"fmt"
	"go/ast"
	"go/types"

	"dsd/internal/overlay"
)

// exitFuncs are the functions of the standard library that end the process, and the functions of
// the runtime that end the candidate in their place.
var exitFuncs = map[string]string{
	"os.Exit": "Exit", "log.Fatal": "Fatal", "log.Fatalln": "Fatal", "log.Fatalf": "Fatalf",
}

// replaceExits replaces the mentions of exitFuncs in a file and reports whether there are any.
func (r *rewriter) replaceExits(e *overlay.Edits, file *ast.File) bool {
	used := map[string]bool{} // names of imports
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		fn, ok := r.pkg.Info.Uses[sel.Sel].(*types.Func)
		id, isName := sel.X.(*ast.Ident)
		if !ok || !isName || fn.Pkg() == nil || exitFuncs[fn.FullName()] == "" {
			return true
		}
		if _, ok := r.pkg.Info.Uses[id].(*types.PkgName); !ok {
			return true
		}
		e.Replace(r.offset(sel.Pos()), r.offset(sel.End()),
			rtName+"."+exitFuncs[fn.FullName()])
		if !used[id.Name] { // keep the import in use
			end := int(file.FileEnd - file.FileStart)
			e.Insert(end, fmt.Sprintf("\nvar _ = %s.%s\n", id.Name, sel.Sel.Name))
		}
		used[id.Name] = true
		return true
	})
	return len(used) > 0
}
