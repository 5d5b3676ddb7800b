package source

// WithImports returns packages and those of All that they import, however indirectly, in the order of All:
// each package comes after those that it imports.
func (p *Program) WithImports(pkgs ...*Package) []*Package {
	needed := map[*Package]bool{}
	var visit func(pkg *Package)
	visit = func(pkg *Package) {
		if pkg == nil || needed[pkg] {
			return
		}
		needed[pkg] = true
		for _, imported := range pkg.Types.Imports() {
			visit(p.Package(imported.Path()))
		}
	}
	for _, pkg := range pkgs {
		visit(pkg)
	}
	var out []*Package
	for _, pkg := range p.All {
		if needed[pkg] {
			out = append(out, pkg)
		}
	}
	return out
}
