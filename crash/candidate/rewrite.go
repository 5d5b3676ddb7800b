package candidate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// RuntimeDir is the directory, below the module's root, of the virtual package that executes candidates.
const RuntimeDir = "internal/zz_dsd_run"

// rtName is what the testee's files call that package. A file that uses it already is left as it is.
const rtName = "_dsd_run"

// rewritten is a testee whose blocks report that they are executed, and whose variables can be made anew.
type rewritten struct {
	root   string            // the directory that the module is compiled in
	files  map[string][]byte // by name, relative to the module's root
	blocks []token.Pos       // of the blocks, by number
	steps  [][]string        // on the way to each place, in Go
}

// rewrite rewrites the packages of the module that pkg needs, itself included. Functions with preconditions test them, and those
// on the trail say how near they come to its places.
func rewrite(prog *source.Program, pkg *source.Package, root string, reset bool, pre Preconditions, places []TargetFrame) *rewritten {
	out := &rewritten{root: root, files: map[string][]byte{}, steps: make([][]string, len(places))}
	needs := map[string]bool{}
	var need func(path string)
	need = func(path string) {
		p := prog.Package(path)
		if p == nil || needs[path] {
			return
		}
		needs[path] = true
		for _, q := range p.Types.Imports() {
			need(q.Path())
		}
	}
	need(pkg.Path)
	for _, p := range prog.All {
		if !needs[p.Path] || p.Cgo {
			continue
		}
		r := &rewriter{prog: prog, pkg: p, out: out, pre: pre, places: places, numbers: pre.numbers(), funcs: map[*ast.FuncDecl]*source.Func{}}
		for _, f := range p.Funcs() {
			r.funcs[f.Decl] = f
		}
		r.mutable = &mutable{}
		if reset {
			r.mutable = findMutable(prog, p)
		}
		r.rewrite()
	}
	return out
}

// rewriter rewrites one package.
type rewriter struct {
	prog    *source.Program
	pkg     *source.Package
	out     *rewritten
	mutable *mutable
	pre     Preconditions
	places  []TargetFrame
	numbers map[string]int
	funcs   map[*ast.FuncDecl]*source.Func
	ends    []overlay.Edits // of the files: what ends the process
}

func (r *rewriter) rewrite() {
	edits := make([]overlay.Edits, len(r.pkg.Files))
	used := make([]bool, len(r.pkg.Files))
	r.ends = make([]overlay.Edits, len(r.pkg.Files))
	for i, file := range r.pkg.Files {
		if strings.Contains(string(r.pkg.Sources[i]), rtName) {
			continue
		}
		if r.exits(&r.ends[i], file) {
			used[i] = true
		}
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && !marked(fd) {
				if f := r.funcs[fd]; f != nil && r.numbers[f.Name] > 0 {
					r.judge(&edits[i], f, r.pre[f.Name], r.numbers[f.Name])
				}
				for n, p := range r.places {
					if p.Func != nil && p.Func.Decl == fd {
						r.out.steps[n] = r.follow(&edits[i], n, p)
					}
				}
				r.blocks(&edits[i], fd.Body)
				used[i] = true
			}
		}
	}
	if len(r.mutable.vars) > 0 {
		r.reset(edits, used)
	}
	for i, file := range r.pkg.Files {
		if !used[i] {
			continue
		}
		edits[i].Insert(r.offset(file.Name.End()), fmt.Sprintf("; import %s %q", rtName, path.Join(r.prog.Module, RuntimeDir)))
		edits[i].Insert(len(r.pkg.Sources[i]), fmt.Sprintf("\nvar _ = %s.Spent\n", rtName))
		edits[i].Add(&r.ends[i])
		r.out.files[r.rel(r.pkg.Filenames[i])] = edits[i].Apply(r.pkg.Sources[i])
	}
}

func (r *rewriter) offset(p token.Pos) int { return r.prog.Fset.PositionFor(p, false).Offset }

func (r *rewriter) rel(name string) string {
	rel, err := filepath.Rel(r.prog.Dir, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// marked says that a function must be left as it is.
func marked(fd *ast.FuncDecl) bool {
	if fd.Doc == nil {
		return false
	}
	for _, c := range fd.Doc.List {
		for _, d := range []string{"//go:nosplit", "//go:linkname", "//go:systemstack", "//go:nowritebarrier"} {
			if strings.HasPrefix(c.Text, d) {
				return true
			}
		}
	}
	return false
}

// enders are the functions of the standard library that end the process, and what stands for them; see run.Exit.
var enders = map[string]string{"os.Exit": "Exit", "log.Fatal": "Fatal", "log.Fatalln": "Fatal", "log.Fatalf": "Fatalf"}

// exits replaces the functions that end the process; false if there are none.
func (r *rewriter) exits(e *overlay.Edits, file *ast.File) bool {
	used := map[string]bool{} // the imports
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		fn, ok := r.pkg.Info.Uses[sel.Sel].(*types.Func)
		if id, isName := sel.X.(*ast.Ident); !ok || !isName || fn.Pkg() == nil || enders[fn.FullName()] == "" {
			return true
		} else if _, ok := r.pkg.Info.Uses[id].(*types.PkgName); ok {
			e.Replace(r.offset(sel.Pos()), r.offset(sel.End()), rtName+"."+enders[fn.FullName()])
			if !used[id.Name] { // as it must stay
				e.Insert(int(file.FileEnd-file.FileStart), fmt.Sprintf("\nvar _ = %s.%s\n", id.Name, sel.Sel.Name))
			}
			used[id.Name] = true
		}
		return true
	})
	return len(used) > 0
}

// blocks numbers the blocks of a body: where control can come without coming to what stands before.
func (r *rewriter) blocks(e *overlay.Edits, body *ast.BlockStmt) {
	note := func(at token.Pos) {
		n := len(r.out.blocks)
		r.out.blocks = append(r.out.blocks, at)
		e.Insert(r.offset(at), fmt.Sprintf(" %s.Seen[%d] = true; ", rtName, n))
	}
	counted := map[*ast.BlockStmt]bool{body: true} // those that may be executed any number of times
	inSwitch := map[*ast.BlockStmt]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			counted[n.Body] = true
		case *ast.RangeStmt:
			counted[n.Body] = true
		case *ast.FuncLit:
			counted[n.Body] = true
		case *ast.SwitchStmt:
			inSwitch[n.Body] = true
		case *ast.TypeSwitchStmt:
			inSwitch[n.Body] = true
		case *ast.SelectStmt:
			inSwitch[n.Body] = true
		case *ast.BlockStmt:
			if r.mutable.sites[n] {
				e.Insert(r.offset(n.Lbrace+1), " "+rtName+".Dirty = true; ")
			}
			if counted[n] {
				e.Insert(r.offset(n.Lbrace+1), fmt.Sprintf(" if %[1]s.Passes--; %[1]s.Passes < 0 { %[1]s.Spent() }; ", rtName))
			}
			if !inSwitch[n] {
				note(n.Lbrace + 1)
			}
		case *ast.CaseClause:
			note(n.Colon + 1)
		case *ast.CommClause:
			note(n.Colon + 1)
		}
		return true
	})
}
