package source

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path/filepath"
)

// Extend adds a file to a package of the program as if it were in the package's directory; nothing
// is written. The file may use what the package declares, and import what the package imports. The
// error is a *CompileError.
func (p *Program) Extend(pkg *Package, name string, src []byte) error {
	name = filepath.Join(pkg.Dir, name)
	file, err := parser.ParseFile(p.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return &CompileError{err.Error()}
	}
	conf := &types.Config{
		Importer: importFunc(func(path string) (*types.Package, error) {
			for _, imp := range pkg.Types.Imports() { // identical to those that the other files import
				if imp.Path() == path {
					return imp, nil
				}
			}
			return nil, fmt.Errorf("the package does not import %s", path)
		}),
		Sizes: p.Sizes,
	}
	if p.GoVersion != "" {
		conf.GoVersion = "go" + p.GoVersion
	}
	checker := types.NewChecker(conf, p.Fset, pkg.Types, pkg.Info)
	if err := checker.Files([]*ast.File{file}); err != nil {
		return &CompileError{err.Error()}
	}
	pkg.Files = append(pkg.Files, file)
	pkg.Filenames = append(pkg.Filenames, name)
	pkg.Sources = append(pkg.Sources, src)
	return nil
}
