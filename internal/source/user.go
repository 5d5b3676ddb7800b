package source

import (
	"errors"
	"go/types"
	"slices"
	"sync"
)

// user is a package of another module that imports packages which are analyzed, as a plugin imports what it extends.
// Its declarations are checked from source: in its export data, the types of those packages would be other types than
// the checked ones, and the go command would have to compile them all.
type user struct {
	listed *listedPackage
	once   sync.Once
	pkg    *Package // its files; nil before it is checked
	types  *types.Package
	err    error
}

// users returns, by import path, the packages that are not mine but import some that are, or other users.
// Packages come after those that they import.
func users(pkgs []*listedPackage, isMine func(*listedPackage) bool) map[string]*user {
	mine, out := map[string]bool{}, map[string]*user{}
	for _, l := range pkgs {
		switch {
		case isMine(l):
			mine[l.ImportPath] = true
		case slices.ContainsFunc(l.Imports, func(path string) bool { return mine[path] || out[path] != nil }):
			out[l.ImportPath] = &user{listed: l}
		}
	}
	return out
}

// check returns the package, checked without the bodies of its functions. The analyzed packages that it imports have
// to be checked.
func (u *user) check(p *Program) (*types.Package, error) {
	u.once.Do(func() {
		l := u.listed
		pkg := &Package{Path: l.ImportPath, Name: l.Name, Dir: l.Dir}
		u.pkg = pkg
		if _, u.err = p.parseFiles(pkg, l.Dir, slices.Concat(l.GoFiles, l.CgoFiles)); u.err != nil {
			return
		}
		c := p.newChecking(l, pkg)
		c.conf.IgnoreFuncBodies, c.conf.FakeImportC = true, true
		c.files(pkg.Files)
		if u.types = pkg.Types; len(c.found) > 0 {
			u.err = errors.New("it does not compile: " + c.found[0])
		}
	})
	return u.types, u.err
}
