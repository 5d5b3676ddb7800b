// Package since tells which functions of a module can behave otherwise since a revision of its git repository.
//
// A declaration has changed if its tokens have, or if it is new. What depends on a changed declaration can behave
// otherwise, too: what mentions it, what calls an interface method of the name of one, and so on upwards. That is
// more than what a change on the same lines finds, and it may be much: all callers of what everything calls.
package since

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"dsd/internal/fingerprint"
	"dsd/internal/git"
	"dsd/internal/source"
)

// Changes are the declarations that can behave otherwise.
type Changes struct {
	// All is set if the requirements of the module changed: then everything can.
	All bool
	// Declarations counts those that have changed themselves.
	Declarations int

	prog  *source.Program
	decls []*decl // by position
}

// decl is a function, or a specification of types, variables or constants.
type decl struct {
	pos, end token.Pos
	name     string // unique in the package
	node     ast.Node
	changed  bool
	users    []*decl // that mention it
	distance int     // the least number of mentions that lead from it to what changed itself
}

// Read compares prog with a revision. The error says why git cannot tell.
func Read(ctx context.Context, prog *source.Program, rev string) (*Changes, error) {
	c := &Changes{prog: prog}
	if _, err := git.Commit(ctx, prog.Dir, rev); err != nil {
		return nil, err
	}
	git := func(args ...string) (string, error) { return git.Run(ctx, prog.Dir, args...) }
	// Paths are relative to the folder that git runs in. Files that git does not know yet are new.
	list, err := git("diff", "--name-only", "--relative", "-z", rev, "--")
	if err != nil {
		return nil, err
	}
	other, err := git("ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	changed := map[string]bool{}
	for _, name := range strings.Split(list+other, "\x00") {
		switch {
		case strings.HasSuffix(name, "go.mod") || strings.HasSuffix(name, "go.sum") || strings.HasSuffix(name, "go.work"):
			c.All = true
		case strings.HasSuffix(name, ".go"):
			changed[name] = true
		}
	}
	c.findDecls()
	// What a package declared at the revision; a declaration may have moved to another of its files.
	for _, pkg := range prog.All {
		var files []string
		for _, name := range pkg.Filenames {
			files = append(files, prog.Rel(name))
		}
		if !slices.ContainsFunc(files, func(f string) bool { return changed[f] }) && !anyIn(changed, prog.Rel(pkg.Dir)) {
			continue
		}
		old, err := c.declaredAt(git, rev, prog.Rel(pkg.Dir))
		if err != nil {
			return nil, err
		}
		c.compare(pkg, old)
	}
	c.spread()
	return c, nil
}

// anyIn reports whether a changed file is in a folder.
func anyIn(changed map[string]bool, dir string) bool {
	for name := range changed {
		if filepath.ToSlash(filepath.Dir(name)) == dir {
			return true
		}
	}
	return false
}

// findDecls finds the declarations of the program, and who mentions whom.
func (c *Changes) findDecls() {
	methods := map[string][]*decl{} // by name
	for _, pkg := range c.prog.All {
		for _, f := range pkg.Files {
			for _, d := range declarations(f) {
				c.decls = append(c.decls, d)
				if fd, ok := d.node.(*ast.FuncDecl); ok && fd.Recv != nil {
					methods[fd.Name.Name] = append(methods[fd.Name.Name], d)
				}
			}
		}
	}
	sort.Slice(c.decls, func(i, j int) bool { return c.decls[i].pos < c.decls[j].pos })
	for _, pkg := range c.prog.All {
		for _, f := range pkg.Files {
			for _, d := range f.Decls {
				c.link(pkg, d, methods)
			}
		}
	}
}

// link adds what a declaration of a file mentions.
func (c *Changes) link(pkg *source.Package, node ast.Node, methods map[string][]*decl) {
	ast.Inspect(node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		user, obj := c.at(id.Pos()), pkg.Info.Uses[id]
		if user == nil || obj == nil {
			return true
		}
		if f, ok := obj.(*types.Func); ok {
			if recv := f.Type().(*types.Signature).Recv(); recv != nil && types.IsInterface(recv.Type()) {
				for _, m := range methods[f.Name()] {
					m.users = append(m.users, user)
				}
			}
			obj = f.Origin()
		}
		if used := c.at(obj.Pos()); used != nil && used != user {
			used.users = append(used.users, user)
		}
		return true
	})
}

// at returns the declaration around a position, nil if there is none.
func (c *Changes) at(pos token.Pos) *decl {
	i := sort.Search(len(c.decls), func(i int) bool { return c.decls[i].pos > pos }) - 1
	if i < 0 || pos >= c.decls[i].end {
		return nil
	}
	return c.decls[i]
}

// declarations returns those of a file.
func declarations(f *ast.File) (out []*decl) {
	inits := 0
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				name = types.ExprString(d.Recv.List[0].Type) + "." + name
			} else if name == "init" || name == "_" {
				name = fmt.Sprintf("%s#%d", name, inits)
				inits++
			}
			out = append(out, &decl{pos: d.Pos(), end: d.End(), name: name, node: d})
		case *ast.GenDecl:
			for i, s := range d.Specs {
				x := &decl{pos: s.Pos(), end: s.End(), node: s}
				switch s := s.(type) {
				case *ast.ValueSpec:
					x.name = s.Names[0].Name
					if d.Tok == token.CONST { // iota, and values that are repeated
						x.name += fmt.Sprintf("#%d", i)
					}
				case *ast.TypeSpec:
					x.name = s.Name.Name
				default:
					continue
				}
				out = append(out, x)
			}
		}
	}
	return out
}

// declaredAt returns the texts of the declarations that the Go files in a folder had at a revision, by name. Test
// files are left out.
func (c *Changes) declaredAt(git func(...string) (string, error), rev, dir string) (map[string]string, error) {
	names, err := git("ls-tree", "--name-only", "-z", rev, "./"+dir+"/")
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range strings.Split(names, "\x00") {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") && !c.prog.Tests {
			continue
		}
		text, err := git("show", rev+":./"+name)
		if err != nil {
			return nil, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			continue // it did not compile
		}
		for _, d := range declarations(f) {
			out[d.name] = fingerprint.Normalize([]byte(text)[fset.Position(d.pos).Offset:fset.Position(d.end).Offset])
		}
	}
	return out, nil
}

// compare marks the declarations of a package that are not as they were.
func (c *Changes) compare(pkg *source.Package, old map[string]string) {
	now := map[string]bool{}
	for i, f := range pkg.Files {
		file := c.prog.Fset.File(f.Pos())
		for _, d := range declarations(f) {
			now[d.name] = true
			from, to := file.Offset(d.pos), min(file.Offset(d.end), len(pkg.Sources[i]))
			if text, ok := old[d.name]; !ok || text != fingerprint.Normalize(pkg.Sources[i][from:to]) {
				if x := c.at(d.pos); x != nil && !x.changed {
					x.changed = true
					c.Declarations++
				}
			}
		}
	}
	// A method that is gone may have made its type implement an interface.
	for name := range old {
		recv, _, isMethod := strings.Cut(name, ".")
		if now[name] || !isMethod {
			continue
		}
		for _, d := range c.decls {
			if d.name == strings.TrimPrefix(recv, "*") && c.prog.Rel(filepath.Dir(c.prog.Fset.Position(d.pos).Filename)) == c.prog.Rel(pkg.Dir) {
				d.changed = true
			}
		}
	}
}

// spread marks what depends on changed declarations, the nearest first.
func (c *Changes) spread() {
	var work []*decl
	for _, d := range c.decls {
		if d.changed {
			work = append(work, d)
		}
	}
	for len(work) > 0 {
		d := work[0]
		work = work[1:]
		for _, u := range d.users {
			if !u.changed {
				u.changed, u.distance = true, d.distance+1
				work = append(work, u)
			}
		}
	}
}

// Has reports whether a function of the program can behave otherwise.
func (c *Changes) Has(f *source.Func) bool {
	if c.All {
		return true
	}
	d := c.of(f)
	return d == nil || d.changed
}

// of returns the declaration that a function is in, nil if there is none. The position is that of the name, since
// the functions that stand for initializers have no other.
func (c *Changes) of(f *source.Func) *decl { return c.at(f.Decl.Name.Pos()) }

// Distance returns how far a function that Has reports is from a change: 0 if it changed itself, 1 if it
// mentions what changed, and so on.
func (c *Changes) Distance(f *source.Func) int {
	if d := c.of(f); d != nil {
		return d.distance
	}
	return 0
}
