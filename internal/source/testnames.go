package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
)

// TestNames returns the names that the package's own test files declare at package level: a file
// that is added to the package cannot import another package under such a name. Files that cannot
// be parsed declare none. They are read once; the result is the caller's.
func (pkg *Package) TestNames() map[string]bool {
	pkg.testNamesOnce.Do(func() { pkg.testNames = pkg.declaredInTests() })
	return maps.Clone(pkg.testNames)
}

// Kept adds a test file that was written to the package since, with a test of that name.
func (pkg *Package) Kept(file, test string) {
	pkg.TestFiles = append(pkg.TestFiles, file)
	pkg.TestNames()
	pkg.testNames[test] = true
}

// declaredInTests reads the test files for TestNames.
func (pkg *Package) declaredInTests() map[string]bool {
	names := map[string]bool{}
	for _, name := range pkg.TestFiles {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil || file.Name.Name != pkg.Name { // an external test is a package of its own
			continue
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, id := range s.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}
