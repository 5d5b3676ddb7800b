package record

import (
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// noteAt notes which functions of Options.At the packages of a program have. An error would be too much for a name that
// no package has: functions of tests are not among those that are looked at here.
func (s *Session) noteAt(prog *source.Program) {
	for _, name := range s.opt.At {
		n := symbol.Parse(name)
		for _, pkg := range prog.Packages {
			// In stack traces the package of a program is main, whatever its path.
			isMain, named := pkg.Name == "main", n.Package == pkg.Path
			if !named && !(isMain && n.Package == "main") {
				continue
			}
			has := n.Initializes()
			for _, f := range pkg.Funcs() {
				has = has || (n.Package == "main") == isMain && n.Inside(symbol.Parse(source.FuncName(f.Obj)).Decl())
			}
			s.at[name] = s.at[name] || has
		}
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
