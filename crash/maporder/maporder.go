package maporder

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// runtimeDir is the directory, below the module's root, of the virtual package (source.Program.Generated),
// and rtName the name under which rewritten files import it.
const (
	runtimeDir = "zz_dsd_maporder"
	rtName     = "_dsd_maporder"
)

//go:embed run/entries.go
var runtimeFiles embed.FS

// Files returns the files to add to a program, by names relative to its root.
func Files(prog *source.Program) map[string][]byte {
	text, err := runtimeFiles.ReadFile("run/entries.go")
	if err != nil {
		panic(err) // it is embedded
	}
	dir, _ := prog.Generated(runtimeDir)
	return map[string][]byte{path.Join(dir, "entries.go"): text}
}

// LanguageFlag returns the compiler's flag that lets rewritten code of a program call Entries: type
// arguments are inferred, and interfaces are comparable. It is "" if that needs no flag.
func LanguageFlag(prog *source.Program) string {
	const needed = "go1.20"
	if v := prog.GoVersion; v != "" && version.Compare("go"+v, needed) >= 0 {
		return ""
	}
	return "-lang=" + needed
}

// Ranges rewrites the loops over maps in the body of a function of file i of a package. It reports
// whether there are any; then the file needs Import.
func Ranges(
	e *overlay.Edits, prog *source.Program, pkg *source.Package, i int, body *ast.BlockStmt,
) (found bool) {
	r := ranges{e: e, prog: prog, pkg: pkg, source: pkg.Sources[i]}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.RangeStmt); ok && r.canOrder(s) {
			r.order(s)
			found = true
		}
		return true
	})
	return found
}

// Import lets a file import the virtual package.
func Import(e *overlay.Edits, prog *source.Program, file *ast.File) {
	at := prog.Fset.PositionFor(file.Name.End(), false).Offset
	_, importPath := prog.Generated(runtimeDir)
	e.Insert(at, fmt.Sprintf("; import %s %q", rtName, importPath))
}

// ranges rewrites loops of one file.
type ranges struct {
	e      *overlay.Edits
	prog   *source.Program
	pkg    *source.Package
	source []byte
}

func (r *ranges) offset(p token.Pos) int { return r.prog.Fset.PositionFor(p, false).Offset }

// canOrder reports whether a loop declares variables for the keys or values of a map, and may be
// rewritten.
func (r *ranges) canOrder(s *ast.RangeStmt) bool {
	if s.Tok != token.DEFINE || s.Key == nil {
		return false
	}
	t := r.pkg.Info.TypeOf(s.X)
	if t == nil {
		return false
	}
	if _, ok := t.Underlying().(*types.Map); !ok {
		return false
	}
	head := r.source[r.offset(s.Key.Pos()):r.offset(s.X.Pos())]
	return !bytes.ContainsAny(head, "\n/") && (r.ownVariables() || !shares(s))
}

// ownVariables reports whether each pass of a loop has variables of its own.
func (r *ranges) ownVariables() bool {
	v := r.prog.GoVersion
	return v != "" && version.Compare("go"+v, "go1.22") >= 0
}

// shares reports whether the variables of a loop may outlive a pass.
func shares(s *ast.RangeStmt) (found bool) {
	ast.Inspect(s.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND
		}
		return !found
	})
	return found
}

// order rewrites a loop.
func (r *ranges) order(s *ast.RangeStmt) {
	name := func(x ast.Expr) string {
		if id, ok := x.(*ast.Ident); ok {
			return id.Name
		}
		return "_"
	}
	r.e.Replace(r.offset(s.Key.Pos()), r.offset(s.X.Pos()),
		"_, _dsd_entry := range "+rtName+".Entries(")
	r.e.Insert(r.offset(s.X.End()), ")")
	r.e.Insert(r.offset(s.Body.Lbrace+1), fmt.Sprintf(
		" %s, %s, _dsd_ok := _dsd_entry.Get(); if !_dsd_ok { continue }; {", name(s.Key), name(s.Value)))
	r.e.Insert(r.offset(s.Body.Rbrace), "}")
}
