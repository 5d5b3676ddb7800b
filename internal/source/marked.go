package source

import (
	"go/ast"
	"strings"
)

// Untouchable says why nothing may be inserted into a function, "" if it may: what it calls must not grow the stack, or it is called by
// the runtime.
func Untouchable(fd *ast.FuncDecl) string {
	if fd.Doc == nil {
		return ""
	}
	for _, c := range fd.Doc.List {
		for _, d := range []string{"//go:nosplit", "//go:linkname", "//go:systemstack", "//go:nowritebarrier"} {
			if strings.HasPrefix(c.Text, d) {
				return "the function is marked " + d
			}
		}
	}
	return ""
}
