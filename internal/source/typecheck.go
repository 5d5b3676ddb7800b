package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// checking is the type check of one package. Its checker is kept, because test files are added when all
// packages are checked: their imports may import the package.
type checking struct {
	prog    *Program
	pkg     *Package
	conf    *types.Config
	checker *types.Checker
	found   []string // errors
}

// newChecking prepares the check of a package.
func (p *Program) newChecking(l *listedPackage, pkg *Package) *checking {
	c := &checking{prog: p, pkg: pkg}
	c.conf = &types.Config{
		Importer: importFunc(func(path string) (*types.Package, error) {
			if to := l.ImportMap[path]; to != "" {
				path = to
			}
			if q := p.byPath[path]; q != nil && q.Types != nil {
				return q.Types, nil
			} else if q != nil && q.broken != "" {
				return nil, errors.New("it does not compile: " + FirstComplaint(q.broken))
			}
			return p.imports(path)
		}),
		Sizes: p.Sizes,
		Error: func(err error) {
			if len(c.found) < maxErrors {
				c.found = append(c.found, p.compilerText(err))
			}
		},
	}
	if l.Module != nil && l.Module.GoVersion != "" {
		c.conf.GoVersion = "go" + l.Module.GoVersion
	}
	return c
}

// files checks files as a new package.
func (c *checking) files(files []*ast.File) {
	c.found, c.pkg.Info = nil, NewInfo()
	c.pkg.Types = types.NewPackage(c.pkg.Path, c.pkg.Name)
	c.checker = types.NewChecker(c.conf, c.prog.Fset, c.pkg.Types, c.pkg.Info)
	c.checker.Files(files) // errors are in found
}

// err returns the errors that were found as one.
func (c *checking) err() error {
	if len(c.found) == 0 {
		return nil
	}
	return &CompileError{fmt.Sprintf("# %s\n%s", c.pkg.Path, strings.Join(c.found, "\n"))}
}

// all checks the package, with cgo's declarations if it uses C and they fit.
func (c *checking) all() error {
	if c.pkg.declared != nil && useCgo(c.conf) {
		c.files(append(slices.Clone(c.pkg.Files), c.pkg.declared))
		if len(c.found) == 0 {
			return nil
		}
		c.pkg.CgoError = c.found[0] // of the package, or of a use of C that the checker does not know
	}
	c.conf.FakeImportC = true
	c.files(c.pkg.Files)
	return c.err()
}

// tests adds the package's own test files.
func (c *checking) tests(l *listedPackage) error {
	files, err := c.prog.parseFiles(c.pkg, l.Dir, l.TestGoFiles)
	if err != nil {
		return &CompileError{fmt.Sprintf("# %s\n%s", c.pkg.Path, c.prog.compilerText(err))}
	}
	c.checker.Files(files)
	return c.err()
}

// externalTests adds the external test files of a package as a package of their own.
func (p *Program) externalTests(l *listedPackage) error {
	pkg := &Package{Path: l.ImportPath + "_test", Name: l.Name + "_test", Dir: l.Dir}
	for _, f := range slices.Concat(l.TestGoFiles, l.XTestGoFiles) {
		pkg.TestFiles = append(pkg.TestFiles, filepath.Join(l.Dir, f))
	}
	p.All = append(p.All, pkg)
	p.Packages = append(p.Packages, pkg)
	p.byPath[pkg.Path] = pkg
	c := p.newChecking(l, pkg)
	files, err := p.parseFiles(pkg, l.Dir, l.XTestGoFiles)
	if err != nil {
		return &CompileError{fmt.Sprintf("# %s\n%s", pkg.Path, p.compilerText(err))}
	}
	c.files(files)
	return c.err()
}
