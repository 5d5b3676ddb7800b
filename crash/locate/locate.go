// Package locate finds the frames of a panic in a build: of which module and function they are, and whether what stands at their
// lines can be what the panic tells of.
package locate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dsd/crash/stack"
	"dsd/internal/source"
)

// Frame is a frame of a panic's text, with what the build has there.
type Frame struct {
	stack.Frame
	// Module is that of the function, nil if the build has none: of the standard library, or a program that is not here.
	Module *source.Module
	// Package is the import path.
	Package string
	// File is the frame's file relative to the module's root, and Line the line in it, if they fit the source; "" and 0 otherwise.
	File string
	Line int
	// Decl is the name of the function that the frame is of, or that encloses it, as declared: F, T.M or (*T).M; "" if the
	// source has none.
	Decl string
	// Literal says that the frame is of a function literal.
	Literal bool
	// Source is the line that stands at the place.
	Source string
	// Misfit is why the place does not fit the source, "" if it does.
	Misfit string
}

// Pos is the frame's place, "file:line", "" if it does not fit.
func (f *Frame) Pos() string {
	if f.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// Frames locates the frames of a panic among the modules of a build.
func Frames(build []*source.Module, p *stack.Panic) []Frame {
	l := &locator{build: build, files: map[string]*file{}}
	var out []Frame
	for i := range p.Frames {
		f := Frame{Frame: p.Frames[i]}
		l.locate(&f)
		out = append(out, f)
	}
	return out
}

// locator parses files once.
type locator struct {
	build []*source.Module
	files map[string]*file // by name
	fset  token.FileSet
}

// file is a parsed file; syntax is nil if it cannot be read.
type file struct {
	syntax *ast.File
	lines  []string
}

// locate fills in what the build has.
func (l *locator) locate(f *Frame) {
	f.Package = packageOf(f.Func)
	if f.Package == "main" {
		l.program(f)
	} else {
		f.Module = l.module(f.Package)
	}
	switch {
	case f.Module == nil:
		if !library(f.Package) {
			f.Misfit = "the build has no such package"
		}
		return
	case f.Module.Dir == "":
		f.Misfit = "the files of " + f.Module.Name() + " are not on this machine: go mod download"
		return
	}
	dir := l.dir(f)
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		f.Misfit = "the build's " + f.Module.Name() + " has no such package"
		return
	}
	l.fit(f, dir)
}

// module is that of a package: the one with the longest path that is a prefix of the package's.
func (l *locator) module(pkg string) *source.Module {
	var best *source.Module
	for _, m := range l.build {
		if (pkg == m.Path || strings.HasPrefix(pkg, m.Path+"/")) && (best == nil || len(m.Path) > len(best.Path)) {
			best = m
		}
	}
	return best
}

// program finds the main module's package that a frame of package main is of, by its file.
func (l *locator) program(f *Frame) {
	for _, m := range l.build {
		if !m.Main || m.Dir == "" {
			continue
		}
		for _, prefix := range []string{m.Dir + "/", m.Path + "/"} {
			rel, ok := strings.CutPrefix(f.Frame.File, prefix)
			if !ok {
				continue
			}
			if st, err := os.Stat(filepath.Join(m.Dir, filepath.FromSlash(rel))); err == nil && st.Mode().IsRegular() {
				f.Module, f.Package = m, path.Join(m.Path, path.Dir(rel))
				return
			}
		}
	}
}

// dir is the directory of a frame's package.
func (l *locator) dir(f *Frame) string {
	return filepath.Join(f.Module.Dir, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(f.Package, f.Module.Path), "/")))
}

// fit finds the frame's function, and says whether its place is inside.
func (l *locator) fit(f *Frame, dir string) {
	rel, _ := filepath.Rel(f.Module.Dir, dir)
	base := path.Base(strings.ReplaceAll(f.Frame.File, `\`, "/"))
	names := parts(f.Func)
	f.Literal = literal.MatchString(f.Func)
	line := f.Frame.Line
	if base != "." && line > 0 {
		// The position says more than the name: an inlined function literal has that of the function it was inlined into, too.
		if at := l.parse(filepath.Join(dir, base)); at.syntax != nil {
			if d := l.around(at.syntax, line); d != nil && slices.Contains(names, d.Name.Name) {
				f.Decl = declared(d)
				l.place(f, at, filepath.ToSlash(filepath.Join(rel, base)), line)
				return
			}
			if l.variable(at.syntax, line) && (strings.Contains(f.Func, ".init.") || strings.Contains(f.Func, "glob..")) {
				l.place(f, at, filepath.ToSlash(filepath.Join(rel, base)), line)
				return
			}
		}
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		at := l.parse(filepath.Join(dir, e.Name()))
		if at.syntax == nil {
			continue
		}
		for _, d := range at.syntax.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || !matches(declared(fd), f.Func) {
				continue
			}
			f.Decl = declared(fd)
			first := l.fset.Position(fd.Pos()).Line
			if base == "." && (f.Offset > 0 || line > 0) {
				if line == 0 {
					line = first + f.Offset
				}
				if line <= l.fset.Position(fd.End()).Line {
					l.place(f, at, filepath.ToSlash(filepath.Join(rel, e.Name())), line)
					return
				}
			}
			f.Misfit = fmt.Sprintf("%s is at %s:%d to %d in the build: another version, or edited lines", f.Decl, filepath.ToSlash(filepath.Join(rel, e.Name())), first, l.fset.Position(fd.End()).Line)
			if base == "." {
				f.Misfit = "the text has no line"
			}
			return
		}
	}
	f.Misfit = "the build's " + f.Module.Name() + " has no such function"
}

// place sets the frame's place, and says what is wrong with it: nothing can panic or be called there.
func (l *locator) place(f *Frame, at *file, name string, line int) {
	f.File, f.Line = name, line
	if line <= len(at.lines) {
		f.Source = strings.TrimSpace(at.lines[line-1])
	}
	if f.Source == "" || strings.HasPrefix(f.Source, "//") || f.Source == "}" && !f.Literal {
		f.Misfit = fmt.Sprintf("nothing can panic at %s:%d of the build, where %q stands", name, line, f.Source)
		f.File, f.Line = "", 0
	}
}

func (l *locator) parse(name string) *file {
	if f := l.files[name]; f != nil {
		return f
	}
	f := &file{}
	l.files[name] = f
	text, err := os.ReadFile(name)
	if err != nil {
		return f
	}
	f.lines = strings.Split(string(text), "\n")
	f.syntax, err = parser.ParseFile(&l.fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		f.syntax = nil
	}
	return f
}

// around is the function whose lines hold a line.
func (l *locator) around(file *ast.File, line int) *ast.FuncDecl {
	for _, d := range file.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && l.fset.Position(fd.Pos()).Line <= line && line <= l.fset.Position(fd.End()).Line {
			return fd
		}
	}
	return nil
}

// variable says that a line is in a declaration of variables.
func (l *locator) variable(file *ast.File, line int) bool {
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR && l.fset.Position(g.Pos()).Line <= line && line <= l.fset.Position(g.End()).Line {
			return true
		}
	}
	return false
}

// declared is the name of a function as it is declared: F, T.M or (*T).M.
func declared(fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return fd.Name.Name
	}
	t := fd.Recv.List[0].Type
	star := false
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t, star = x.X, true
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
			if star {
				return "(*" + x.Name + ")." + fd.Name.Name
			}
			return x.Name + "." + fd.Name.Name
		}
		return fd.Name.Name
	}
}

var (
	brackets = regexp.MustCompile(`\[[^\]]*\]+`)
	literal  = regexp.MustCompile(`\.func\d+(?:\.|-|$)|\.(?:gowrap|deferwrap)\d+|-range\d+|\.init\.func\d+|glob\.\.func\d+`)
	special  = regexp.MustCompile(`^(?:func\d+|gowrap\d+|deferwrap\d+|\d+|init|glob)$`)
)

// matches says that a function's name in a stack begins with the one that is declared.
func matches(declared, name string) bool {
	local := symbol(name)
	for _, d := range []string{declared, strings.NewReplacer("(*", "", ")", "").Replace(declared)} {
		if rest, ok := strings.CutPrefix(local, d); ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return true
		}
	}
	return false
}

// parts are the names in a function's name that may be those of declared functions.
func parts(name string) []string {
	var out []string
	for _, p := range strings.Split(symbol(name), ".") {
		if p, _, _ = strings.Cut(p, "-"); p != "" && !special.MatchString(p) && !strings.HasPrefix(p, "(*") {
			out = append(out, p)
		}
	}
	return out
}

// symbol is a function's name without type arguments and the path of its package.
func symbol(name string) string {
	name = brackets.ReplaceAllString(name, "")
	base := name[strings.LastIndexByte(name, '/')+1:]
	_, local, _ := strings.Cut(base, ".")
	return local
}

// packageOf is the import path in a function's name.
func packageOf(name string) string {
	name = brackets.ReplaceAllString(name, "")
	slash := strings.LastIndexByte(name, '/') + 1
	first, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + strings.NewReplacer("%2e", ".", "%22", `"`, "%25", "%").Replace(first)
}

// library says that a package may be of the standard library.
func library(pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	return !strings.Contains(first, ".")
}
