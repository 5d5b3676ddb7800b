package source

import (
	"go/ast"
	"strings"
)

// blockingDirectives mark functions that no code may be inserted into.
var blockingDirectives = []string{"//go:nosplit", "//go:linkname", "//go:systemstack",
	"//go:nowritebarrier"}

// Uninstrumentable returns the reason why no code may be inserted into a function, "" if it may:
// the directive by which the function must not grow the stack, or is called by the runtime.
func Uninstrumentable(fd *ast.FuncDecl) string {
	if fd.Doc == nil {
		return ""
	}
	for _, c := range fd.Doc.List {
		for _, d := range blockingDirectives {
			if strings.HasPrefix(c.Text, d) {
				return "the function is marked " + d
			}
		}
	}
	return ""
}
