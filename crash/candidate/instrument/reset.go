package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"dsd/internal/overlay"
)

// Between candidates, package-level variables are reset by the code that initialized them: their
// initializers, in the order that the compiler found (types.Info.InitOrder), and the init functions
// [DSD 8.4]. Variables that nothing changes later are left alone. A package whose initialization
// sets variables of another one, which are reset, is initialized again after that one.
//
// Each initializer is copied into a function of its own, and each init function is renamed, so that
// both can be called again; a further init function registers the calls with the runtime:
//
//	var cache = load()
//	func init() { ... }
//
// becomes
//
//	var cache = load()
//	func init() { _dsd_init0() }
//	func _dsd_reset0() { cache = load() }
//	func _dsd_init0() { ... }
//	func init() { Reset(path, always, locks, func() { _dsd_reset0(); _dsd_init0() }) }

// maxInitializer is the length of the longest initializer, in bytes of source text, that is
// repeated. Longer ones are tables, which hardly any program changes, and compiling a second copy
// of them would take long.
const maxInitializer = 16 << 10

// resetter rewrites the initialization of one package.
type resetter struct {
	*rewriter
	edits []overlay.Edits // by file
	used  []bool          // files that are changed
	calls []string        // the calls that reset the package, in order
}

// reset makes the initialization of the package repeatable.
func (r *rewriter) reset(edits []overlay.Edits, used []bool) {
	s := &resetter{rewriter: r, edits: edits, used: used}
	s.zeroVars()
	s.initializers()
	s.initFuncs()
	if len(s.calls) > 0 {
		edits[0].Insert(len(r.pkg.Sources[0]), fmt.Sprintf(
			"\nfunc init() { %s.Reset(%q, %v, %v, func() { %s }) }\n",
			rtName, r.pkg.Path, r.mutable.always, r.mutable.locks, strings.Join(s.calls, "; ")))
		used[0] = true
	}
}

// zeroVars resets the variables without an initializer to their zero values, before all others.
func (s *resetter) zeroVars() {
	for i, file := range s.pkg.Files {
		for _, d := range file.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || gd.Tok != token.VAR || hasEmbed(gd) {
				continue
			}
			for _, spec := range gd.Specs {
				vs := spec.(*ast.ValueSpec)
				if len(vs.Values) > 0 || vs.Type == nil {
					continue
				}
				for _, id := range vs.Names {
					if s.mutable.vars[id] && id.Name != "_" {
						typ := s.text(i, vs.Type.Pos(), vs.Type.End())
						s.step(i, "var zero "+typ+"; "+id.Name+" = zero")
					}
				}
			}
		}
	}
}

// initializers repeats the initializers of the mutable variables.
func (s *resetter) initializers() {
	declared := map[types.Object]bool{}
	for id := range s.mutable.vars {
		declared[s.pkg.Info.Defs[id]] = true
	}
	for _, init := range s.pkg.Info.InitOrder {
		var names []string
		changes := s.setsOthers && isBlank(init) || callsSetter(s.pkg, init.Rhs, s.setters)
		for _, v := range init.Lhs {
			changes = changes || declared[v]
			names = append(names, v.Name())
		}
		if init.Rhs.End()-init.Rhs.Pos() > maxInitializer {
			continue
		}
		if i := s.fileAt(init.Rhs.Pos()); changes && i >= 0 {
			// The line directive keeps the positions of function literals in the
			// initializer.
			p := s.prog.Fset.PositionFor(init.Rhs.Pos(), false)
			s.step(i, fmt.Sprintf("%s = /*line %s:%d:%d*/%s", strings.Join(names, ", "),
				filepath.Join(s.opt.Root, s.rel(p.Filename)), p.Line, p.Column,
				s.text(i, init.Rhs.Pos(), init.Rhs.End())))
		}
	}
}

// initFuncs repeats the init functions.
func (s *resetter) initFuncs() {
	n := 0
	for i, file := range s.pkg.Files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || !isInit(fd) {
				continue
			}
			name := fmt.Sprintf("_dsd_init%d", n)
			n++
			s.edits[i].Replace(s.offset(fd.Name.Pos()), s.offset(fd.Name.End()),
				fmt.Sprintf("init() { %s() }; func %s", name, name))
			s.used[i] = true
			s.calls = append(s.calls, name+"()")
		}
	}
}

// step adds a function with the given body to file i, and a call of it to the calls.
func (s *resetter) step(i int, body string) {
	name := fmt.Sprintf("_dsd_reset%d", len(s.calls))
	s.edits[i].Insert(len(s.pkg.Sources[i]), fmt.Sprintf("\nfunc %s() { %s }\n", name, body))
	s.used[i] = true
	s.calls = append(s.calls, name+"()")
}

// text returns the text of file i between two positions, with the calls that end the process or
// recover from panics replaced.
func (s *resetter) text(i int, from, to token.Pos) string {
	return string(s.exits[i].Within(s.pkg.Sources[i], s.offset(from), s.offset(to)))
}

// fileAt returns the index of the file that holds a position, or -1.
func (s *resetter) fileAt(pos token.Pos) int {
	for i, f := range s.pkg.Files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return i
		}
	}
	return -1
}

// hasEmbed reports whether a declaration's variable gets its contents from files.
func hasEmbed(gd *ast.GenDecl) bool {
	docs := []*ast.CommentGroup{gd.Doc}
	for _, s := range gd.Specs {
		docs = append(docs, s.(*ast.ValueSpec).Doc)
	}
	for _, d := range docs {
		if d == nil {
			continue
		}
		for _, c := range d.List {
			if strings.HasPrefix(c.Text, "//go:embed") {
				return true
			}
		}
	}
	return false
}
