package locate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
)

// Old returns the content of a module's file in the version that printed the frame, and the name of that version. The
// file name is relative to the module's root, with slashes. The version is "" if it is unknown or its source is not
// available.
type Old func(m *source.Module, frame stacktrace.Frame, file string) (text []byte, version string)

// Frames locates the frames of a panic among the modules of a build. The result has one frame for
// each frame of p, in the same order, without Fn and Known, which need a loaded program. It leaves out the first ones
// if they belong to deferred functions, see repanics. old may be nil.
func Frames(build []*source.Module, p *stack.Panic, old Old) []stacktrace.Located {
	l := &locator{build: build, files: map[string]*file{}, old: old}
	var out []stacktrace.Located
	for _, f := range p.Frames {
		out = append(out, l.locate(f))
	}
	fits := func(f stacktrace.Located) bool { return f.Pos.IsValid() }
	for len(out) > 1 && l.repanics(&out[0], p.Kind) && slices.ContainsFunc(out[1:], fits) {
		out = out[1:]
	}
	if len(out) > 0 {
		l.checkKind(&out[0], p.Kind)
	}
	return out
}

// locator holds the build, and the files parsed so far, so that each is parsed once.
type locator struct {
	build []*source.Module
	old   Old
	files map[string]*file // by file name
	fset  token.FileSet
	// byBase are the files of the main module by their base names; nil before they are asked for.
	byBase map[string][]candidate
}

// file is a parsed file; syntax is nil if it cannot be read or parsed.
type file struct {
	syntax *ast.File
	lines  []string
}

const vendorFolder = "/vendor/"

// locate locates one frame.
func (l *locator) locate(frame stacktrace.Frame) stacktrace.Located {
	if bare, ok := strings.CutPrefix(frame.Func, stack.UnknownPackage+"."); ok {
		frame.Func, frame.File = l.qualified(bare, frame)
	}
	// Before modules, the name of a package in a vendor folder began with that of the folder.
	if i := strings.LastIndex(frame.Func, vendorFolder); i >= 0 {
		frame.Func = frame.Func[i+len(vendorFolder):]
	}
	name := symbol.Parse(frame.Func)
	f := stacktrace.Located{Frame: frame, Package: name.Package}
	if f.Package == "main" {
		l.program(&f)
	} else {
		f.Module = l.module(f.Package)
	}
	switch {
	case f.Module == nil:
		if f.Package != "main" && !symbol.MayBeStandard(f.Package) {
			f.Misfit = "the build has no such package"
		}
		return f
	case f.Module.Dir == "":
		f.Misfit = "the files of " + f.Module.Name() + " are not on this machine: go mod download"
		return f
	}
	dir := packageDir(&f)
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		f.Misfit = "the build's " + f.Module.Name() + " has no such package"
		return f
	}
	l.fit(&f, name, dir)
	return f
}

// module returns the module of a package: the one with the longest path that is a prefix of the
// package's.
func (l *locator) module(pkg string) *source.Module {
	var best *source.Module
	for _, m := range l.build {
		inside := pkg == m.Path || strings.HasPrefix(pkg, m.Path+"/")
		if inside && (best == nil || len(m.Path) > len(best.Path)) {
			best = m
		}
	}
	return best
}

// program sets the module and the package of a frame of package main, which it finds by the frame's
// file: the import path of a program is not part of its functions' names.
func (l *locator) program(f *stacktrace.Located) {
	for _, m := range l.build {
		if !m.Main || m.Dir == "" {
			continue
		}
		for _, prefix := range []string{m.Dir + "/", m.Path + "/", "./"} { // with -trimpath, and as delve has it
			rel, ok := strings.CutPrefix(f.File, prefix)
			if !ok {
				continue
			}
			st, err := os.Stat(filepath.Join(m.Dir, filepath.FromSlash(rel)))
			if err == nil && st.Mode().IsRegular() {
				f.Module, f.Package = m, path.Join(m.Path, path.Dir(rel))
				return
			}
		}
	}
}

// packageDir returns the directory of a frame's package.
func packageDir(f *stacktrace.Located) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(f.Package, f.Module.Path), "/")
	return filepath.Join(f.Module.Dir, filepath.FromSlash(rel))
}

// fit looks for the frame's function in its package's directory, by position and then by name, and
// sets the position if it fits, or the misfit.
func (l *locator) fit(f *stacktrace.Located, name symbol.Name, dir string) {
	f.Literal = name.Literal()
	base := path.Base(strings.ReplaceAll(f.File, `\`, "/"))
	if base != "." && f.Line > 0 && l.fitOld(f, name, dir, base) {
		return
	}
	if base != "." && f.Line > 0 && l.fitPosition(f, name, filepath.Join(dir, base)) {
		return
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		if l.fitName(f, name, filepath.Join(dir, e.Name())) {
			return
		}
	}
	f.Misfit = "the build's " + f.Module.Name() + " has no such function"
}

// fitPosition reports whether the frame's line in a file belongs to one of its functions, or to the
// declaration of variables that it initializes. The position decides before the name: an inlined
// function literal also has the name of the function that it was inlined into.
func (l *locator) fitPosition(f *stacktrace.Located, name symbol.Name, fileName string) bool {
	at := l.parse(fileName)
	if at.syntax == nil {
		return false
	}
	d := l.enclosing(at.syntax, f.Line)
	switch {
	case d != nil && slices.Contains(name.Declared(), d.Name.Name):
		f.Decl = declared(d)
	case d != nil && name.Initializes() && declared(d) == "init":
		f.Decl = "init"
	case name.Initializes() && l.inVariables(at.syntax, f.Line):
		if f.Literal && l.held(at.syntax, f.Line) {
			f.Decl = heldIn
		}
	default:
		return false
	}
	l.setPos(f, at, symbol.Pos{File: l.rel(f, fileName), Line: f.Line})
	return true
}

// fitName reports whether a file declares the frame's function. It sets the position if the text
// has only a line without a file, or an offset; otherwise the position did not fit, and it sets the
// misfit.
func (l *locator) fitName(f *stacktrace.Located, name symbol.Name, fileName string) bool {
	at := l.parse(fileName)
	if at.syntax == nil {
		return false
	}
	for _, d := range at.syntax.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil || !name.Inside(declared(fd)) {
			continue
		}
		f.Decl = declared(fd)
		first, last := l.fset.Position(fd.Pos()).Line, l.fset.Position(fd.End()).Line
		line := f.Line
		if line == 0 && f.Offset > 0 {
			line = first + f.Offset
		}
		switch {
		case f.File != "":
			f.Misfit = fmt.Sprintf("%s is at %s:%d to %d in the build: another version, or edited lines",
				f.Decl, l.rel(f, fileName), first, last)
		case 0 < line && line <= last:
			l.setPos(f, at, symbol.Pos{File: l.rel(f, fileName), Line: line})
		default:
			f.Misfit = "the text has no line"
		}
		return true
	}
	return false
}

// rel returns the name of a file relative to the root of the frame's module, with slashes.
func (l *locator) rel(f *stacktrace.Located, fileName string) string {
	rel, _ := filepath.Rel(f.Module.Dir, fileName)
	return filepath.ToSlash(rel)
}

// setPos sets the frame's position, or the misfit if nothing can panic or be called in that line.
func (l *locator) setPos(f *stacktrace.Located, at *file, pos symbol.Pos) {
	if pos.Line <= len(at.lines) {
		f.Source = strings.TrimSpace(at.lines[pos.Line-1])
	}
	if f.Source == "" || strings.HasPrefix(f.Source, "//") || f.Source == "}" && !f.Literal && !l.defersAt(at, pos.Line) {
		f.Misfit = fmt.Sprintf("nothing can panic at %s of the build, where %q stands", pos, f.Source)
		return
	}
	f.Pos = pos
}

// defersAt reports whether a line ends a function that defers calls: they have that line on the stack.
func (l *locator) defersAt(at *file, line int) (found bool) {
	fd := l.enclosing(at.syntax, line)
	if fd == nil || l.fset.Position(fd.Body.Rbrace).Line != line {
		return false
	}
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		_, is := n.(*ast.DeferStmt)
		found = found || is
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
	return found
}

// parse returns a parsed file.
func (l *locator) parse(name string) *file {
	if f := l.files[name]; f != nil {
		return f
	}
	f := &file{}
	if text, err := os.ReadFile(name); err == nil {
		f = l.parseText(name, text)
	}
	l.files[name] = f
	return f
}

func (l *locator) parseText(name string, text []byte) *file {
	syntax, err := parser.ParseFile(&l.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		syntax = nil
	}
	return &file{syntax: syntax, lines: strings.Split(string(text), "\n")}
}

// enclosing returns the declared function around a line, nil if there is none.
func (l *locator) enclosing(file *ast.File, line int) *ast.FuncDecl {
	for _, d := range file.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && l.spans(fd, line) {
			return fd
		}
	}
	return nil
}

// inVariables reports whether a line is in a declaration of variables.
func (l *locator) inVariables(file *ast.File, line int) bool {
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && l.spans(g, line) {
			return true
		}
	}
	return false
}

// heldIn is Located.Decl of the frames of function literals that package-level variables hold.
const heldIn = "init"

// held reports whether a line is in a function literal that a package-level variable holds.
func (l *locator) held(file *ast.File, line int) bool {
	return slices.ContainsFunc(source.HeldIn(file), func(h source.Held) bool { return l.spans(h.Lit, line) })
}

// spans reports whether a line is one of a node's.
func (l *locator) spans(n ast.Node, line int) bool {
	return l.fset.Position(n.Pos()).Line <= line && line <= l.fset.Position(n.End()).Line
}

// declared returns the name of a function as it is declared: F, T.M or (*T).M.
func declared(fd *ast.FuncDecl) string {
	name := symbol.Name{Func: fd.Name.Name}
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return name.Decl()
	}
	for t := fd.Recv.List[0].Type; ; {
		switch x := t.(type) {
		case *ast.StarExpr:
			t, name.Pointer = x.X, true
			continue
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.Ident:
			name.Receiver = x.Name
		}
		return name.Decl()
	}
}
