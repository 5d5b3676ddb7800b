package source

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dsd/internal/goenv"
	"dsd/schemas"
)

// Roots: of positions, of the go command's runs, and of generated packages.

// workspacePatterns returns patterns for all packages of the workspace's modules below dir if the patterns
// are "./..." alone, which matches nothing in a folder that only holds modules; nil if there are none.
func workspacePatterns(ctx context.Context, dir string, patterns []string) []string {
	if len(patterns) != 1 || patterns[0] != "./..." {
		return nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	var all []string
	for d := range strings.Lines(string(out)) {
		if rel, err := filepath.Rel(abs, strings.TrimSpace(d)); err == nil && filepath.IsLocal(rel) && rel != "." {
			all = append(all, "./"+filepath.ToSlash(rel)+"/...")
		}
	}
	return all
}

// setRoot sets Dir, Module, GoVersion, Modules and Workspace from the packages to analyze.
func (p *Program) setRoot(ctx context.Context, dir string, mine []*listedPackage) error {
	matched := map[string]bool{} // paths of modules
	for _, l := range mine {
		m := &Module{Path: "std", Dir: l.Dir, Main: true}
		if l.Module != nil {
			m = &Module{Path: l.Module.Path, Version: l.Module.Version, Dir: l.Module.Dir,
				GoVersion: l.Module.GoVersion, Main: l.Module.Main}
		}
		if !l.DepOnly {
			matched[m.Path] = true
		}
		if p.module(m.Path) == nil {
			p.Modules = append(p.Modules, m)
		}
	}
	slices.SortFunc(p.Modules, func(x, y *Module) int { return cmp.Compare(x.Path, y.Path) })
	for _, m := range p.Modules {
		if !matched[m.Path] {
			continue
		}
		if p.Module == "" {
			p.Dir, p.Module, p.GoVersion = m.Dir, m.Path, m.GoVersion
		}
		if len(matched) > 1 {
			p.Workspace = append(p.Workspace, m.Path)
		}
	}
	if len(p.Workspace) == 0 {
		return nil
	}
	env, err := goenv.Read(ctx, dir)
	file := env["GOWORK"]
	if err != nil || !filepath.IsAbs(file) {
		return fmt.Errorf("%s are modules of a workspace, but go env GOWORK names none (%v)",
			strings.Join(p.Workspace, " and "), err)
	}
	p.Dir = filepath.Dir(file)
	return nil
}

// Header returns what documents say of the testee.
func (p *Program) Header() schemas.Header {
	h := schemas.Header{Module: schemas.Module{Path: p.Module, Go: p.GoVersion}}
	for _, path := range p.Workspace {
		w := schemas.WorkspaceModule{Path: path}
		if rel, err := filepath.Rel(p.Dir, p.module(path).Dir); err == nil {
			w.Dir = filepath.ToSlash(rel)
		}
		h.Module.Workspace = append(h.Module.Workspace, w)
	}
	return h
}

// LoadModule loads, as LoadWith does, all packages of the module, or modules, that a document is about. If dir
// is about another module, so is the program.
func LoadModule(ctx context.Context, dir string, m *schemas.Module, opt Options) (*Program, error) {
	var patterns []string
	for _, w := range m.Workspace {
		patterns = append(patterns, w.Path+"/...")
	}
	p, err := LoadWith(ctx, dir, patterns, opt)
	if err == nil && len(p.Workspace) > 0 && len(patterns) == 0 {
		return LoadWith(ctx, dir, []string{m.Path + "/..."}, opt) // one module, seen from the workspace's root
	}
	return p, err
}

// Reload loads the program once more, from the same files.
func (p *Program) Reload(ctx context.Context) (*Program, error) { return p.listing.load(ctx) }

// place is a folder with the files of a module of the build.
type place struct {
	dir, name string // name is Module.Name
	loaded    bool   // the module is one of Program.Modules
}

// setPlaces sets the places of the build's modules, inner folders first.
func (p *Program) setPlaces(pkgs []*listedPackage) {
	known := map[string]bool{}
	for _, l := range pkgs {
		if l.Module == nil || l.Dir == "" || known[l.Module.Path] {
			continue
		}
		known[l.Module.Path] = true
		m := &Module{Path: l.Module.Path, Version: l.Module.Version, Main: l.Module.Main}
		// A vendor directory holds the packages of modules that have no folder of their own.
		inner := filepath.FromSlash(strings.TrimPrefix(l.ImportPath, m.Path))
		dir := strings.TrimSuffix(strings.TrimSuffix(l.Dir, inner), string(filepath.Separator))
		p.places = append(p.places, place{dir, m.Name(), p.module(m.Path) != nil})
	}
	slices.SortFunc(p.places, func(x, y place) int {
		return cmp.Or(cmp.Compare(len(y.dir), len(x.dir)), cmp.Compare(x.dir, y.dir))
	})
}

// module returns the module of Modules with that path, or nil.
func (p *Program) module(path string) *Module {
	i := slices.IndexFunc(p.Modules, func(m *Module) bool { return m.Path == path })
	if i < 0 {
		return nil
	}
	return p.Modules[i]
}

// Place returns a file's name as documents write it, with slashes: relative to the testee's root; in
// another module of the build below the module's name, such as "example.com/a@v1.2.0/b.go"; "" if the
// file is in no module of the build, such as one of the standard library. own reports whether it
// belongs to the testee: to a module that is loaded, or to another file below the root that is not in
// a vendor directory.
func (p *Program) Place(file string) (name string, own bool) {
	rel, inRoot := within(p.Dir, file)
	if inRoot && !strings.HasPrefix(rel, "vendor/") {
		return rel, true
	}
	for _, m := range p.places {
		if rel, ok := within(m.dir, file); ok {
			return m.name + "/" + rel, m.loaded && !inRoot
		}
	}
	return "", false
}

// within returns a file's name relative to a folder, with slashes, and reports whether it is in there.
func within(dir, file string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Rel returns Place's name of a file, or, without one, the file's own name with slashes.
func (p *Program) Rel(file string) string {
	if name, _ := p.Place(file); name != "" {
		return name
	}
	return filepath.ToSlash(file)
}

// Generated returns where a package that exists only in an overlay goes: its directory relative to Dir,
// and its import path. The name must be unusual. All modules of a workspace may import it.
func (p *Program) Generated(name string) (dir, importPath string) {
	if m := p.module(p.Module); m != nil {
		if rel, err := filepath.Rel(p.Dir, m.Dir); err == nil {
			dir = filepath.ToSlash(rel)
		}
	}
	return path.Join(dir, name), path.Join(p.Module, name)
}
