package record

import (
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// noteAt notes which functions of Options.At a package has: of those that name the package, as stack traces do.
func (s *Session) noteAt(pkg *source.Package) {
	for _, name := range s.opt.At {
		n := symbol.Parse(name)
		if n.Package != pkg.Path && (n.Package != "main" || pkg.Name != "main") {
			continue
		}
		// In stack traces the package of a program is main, whatever its path.
		has := n.Initializes()
		for _, f := range pkg.Funcs() {
			has = has || (n.Package == "main") == (pkg.Name == "main") && n.Inside(symbol.Parse(source.FuncName(f.Obj)).Decl())
		}
		s.at[name] = s.at[name] || has
	}
}

// UnknownAt returns the functions of Options.At that the package they name does not have; of packages that are not recorded,
// none.
func (s *Session) UnknownAt() (names []string) {
	for _, name := range s.opt.At {
		if has, asked := s.at[name]; asked && !has {
			names = append(names, name)
		}
	}
	return names
}
