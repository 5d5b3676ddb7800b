package source

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"syscall"

	"dsd/internal/cache"
	"dsd/internal/symbol"
)

// Program is a loaded module.
type Program struct {
	// Dir is the testee's root directory, absolute: that of the main module, or, if the packages that
	// the patterns match belong to several modules of a workspace, the one with go.work.
	Dir string
	// Module is the module's path, the first one of several, and GoVersion the language version in its
	// go.mod, "" if it has none.
	Module, GoVersion string
	// Modules are the modules that All belong to, sorted by path. Workspace are the paths of those
	// whose packages the patterns match if they are several; otherwise it is empty.
	Modules   []*Module
	Workspace []string
	Fset      *token.FileSet
	// Packages are the packages that the patterns match, sorted by path.
	Packages []*Package
	// All are Packages and the packages of the main module that they import, in dependency
	// order.
	All []*Package
	// Broken are the packages that the patterns match and that do not compile, sorted by path. They are
	// not among Packages.
	Broken []Broken
	// Tests reports whether Packages have their test files; see Options.
	Tests bool
	// Platform is what the go command builds for, such as "linux/amd64", and Sizes are the sizes of
	// types there.
	Platform string
	Sizes    types.Sizes

	anchors     anchors
	anchorsOnce sync.Once

	places  []place
	byPath  map[string]*Package
	exports map[string]string // the files with export data, by import path
	listing *listing
	users   map[string]*user // see user
	imports func(path string) (*types.Package, error)
}

// Broken is a package that does not compile, with the compiler's text.
type Broken struct {
	Path, Text string
}

// Reason returns the first complaint about the package.
func (b *Broken) Reason() string { return "it does not compile: " + FirstComplaint(b.Text) }

// Package is a package of the main module.
type Package struct {
	Path, Name, Dir string
	// Files are the compiled Go files. Filenames[i] is the absolute name, and Sources[i] the
	// content, of Files[i]. Directives //line in it are turned into other comments of that length.
	Files     []*ast.File
	Filenames []string
	Sources   [][]byte
	Types     *types.Package
	Info      *types.Info
	// TestFiles are the absolute names of the package's own and external test files.
	TestFiles []string
	// Cgo reports whether files import "C". If cgo could not process them, CgoError says why: then what
	// they use of C has no types.
	Cgo      bool
	CgoError string

	broken string // the compiler's text, if it does not compile
	// testNames are what TestNames returns.
	testNames     map[string]bool
	testNamesOnce sync.Once
	declared      *ast.File       // cgo's declarations
	declaredText  []byte          // their text
	lines         map[string]bool // the names of the files that have //line directives
}

// ErrNoPackages is the error of Load and Modules if the patterns match no package, or dir is in no
// module.
var ErrNoPackages = errors.New("no package matches")

// CompileError is the error of Load if the module does not compile. Text is what the compiler
// reports.
type CompileError struct{ Text string }

func (e *CompileError) Error() string { return strings.TrimSpace(e.Text) }

// Load loads the packages of the module around dir that match the patterns (default ./...), without
// test files.
//
// Errors: ErrNoPackages (wrapped) if nothing matches; a *CompileError if the module does not
// compile; ctx's error; others if the go command cannot be run.
//
// Cost: `go list -export` for the packages of other modules, which compiles those that the build
// cache lacks, and linear time for parsing and type checking.
func Load(ctx context.Context, dir string, patterns []string) (*Program, error) {
	return load(ctx, dir, patterns, Options{}, inMainModule)
}

// Options say what LoadWith loads from source beside the packages of the main module.
type Options struct {
	// Tests adds test files to the packages that the patterns match: the files of a package's own tests to
	// its Files, and those of its external tests as a package of their own, whose path ends in _test.
	Tests bool
	// Deps adds the packages of other modules that the main module needs to All.
	Deps bool
	// Store, if not nil, keeps what the go command answers of packages that do not change.
	Store *cache.Cache
}

// LoadWith loads as Load does, with options.
func LoadWith(ctx context.Context, dir string, patterns []string, opt Options) (*Program, error) {
	if opt.Deps {
		return load(ctx, dir, patterns, opt, func(l *listedPackage) bool {
			return inMainModule(l) || l.Module != nil && l.DepOnly
		})
	}
	return load(ctx, dir, patterns, opt, inMainModule)
}

func inMainModule(l *listedPackage) bool { return l.Module != nil && l.Module.Main }

// LoadStandard loads a package of the standard library, as Load loads those of a module. The module
// of the program is "std", and its other packages are outside. It finds the standard library of the
// go command in dir.
func LoadStandard(ctx context.Context, dir, path string) (*Program, error) {
	return load(ctx, dir, []string{path}, Options{}, func(l *listedPackage) bool {
		return l.Standard && !l.DepOnly
	})
}

// listing is what the go command says of a program.
type listing struct {
	dir      string // where it ran
	patterns []string
	tests    bool
	store    *cache.Cache
	pkgs     []*listedPackage // in the order of dependency
	isMine   func(*listedPackage) bool
	compile  *CompileError // if not all packages compile
	platform string
	exports  map[string]string // the files with export data, by import path; nil if not asked for yet
}

// load loads the packages that match the patterns and those that they depend on. isMine reports which of these
// are analyzed; it decides in place of opt.Deps.
func load(
	ctx context.Context, dir string, patterns []string, opt Options, isMine func(*listedPackage) bool,
) (*Program, error) {
	l := &listing{dir: dir, patterns: patterns, tests: opt.Tests, store: opt.Store, isMine: isMine}
	if err := l.list(ctx); err != nil {
		return nil, err
	}
	return l.load(ctx)
}

// list asks the go command for the packages.
func (l *listing) list(ctx context.Context) error {
	// Without -export, the packages of the module are not compiled. Their order is that of
	// dependency.
	const fields = "Dir,ImportPath,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles," +
		"Imports,ImportMap,Standard,DepOnly,Module,ForTest,Error"
	args := []string{"-deps", "-json=" + fields, "--"}
	if l.tests {
		args = append([]string{"-test"}, args...)
	}
	if len(l.patterns) == 0 {
		l.patterns = []string{"./..."}
	}
	pkgs, err := list(ctx, l.dir, append(args, l.patterns...))
	if err != nil && errors.Is(err, ErrNoPackages) {
		if all := workspacePatterns(ctx, l.dir, l.patterns); all != nil {
			l.patterns = all
			pkgs, err = list(ctx, l.dir, append(args, l.patterns...))
		}
	}
	if errors.As(err, &l.compile) { // of some packages, perhaps; -e lists the others, too
		all, allErr := list(ctx, l.dir, append(append([]string{"-e"}, args...), l.patterns...))
		if allErr == nil {
			pkgs, err = all, nil
		}
	}
	if err != nil {
		return err
	}
	l.pkgs = withoutVariants(pkgs)
	if len(l.pkgs) == 0 {
		return fmt.Errorf("%w: %s", ErrNoPackages, strings.Join(l.patterns, " "))
	}
	l.platform, err = platform(ctx, l.dir)
	return err
}

// load loads what is listed.
func (l *listing) load(ctx context.Context) (*Program, error) {
	p := &Program{
		Fset: token.NewFileSet(), Tests: l.tests, Platform: l.platform, listing: l,
		byPath: map[string]*Package{}, users: users(l.pkgs, l.isMine),
	}
	_, goarch, _ := strings.Cut(p.Platform, "/")
	p.Sizes = types.SizesFor("gc", goarch)
	var mine []*listedPackage
	var others []*listedPackage
	for _, pkg := range l.pkgs {
		switch {
		case pkg.Error != nil && l.isMine(pkg) && !pkg.DepOnly:
			p.Broken = append(p.Broken, Broken{pkg.ImportPath, pkg.Error.text()})
		case pkg.Error != nil: // its importers do not compile
		case l.isMine(pkg):
			mine = append(mine, pkg)
		case p.users[pkg.ImportPath] == nil:
			others = append(others, pkg)
		}
	}
	if len(mine) == 0 && l.compile != nil {
		return nil, l.compile
	}
	if len(mine) == 0 {
		return nil, fmt.Errorf("%w: %s is not in the main module "+
			"(no go.mod, or the pattern names only other modules)",
			ErrNoPackages, strings.Join(l.patterns, " "))
	}
	if err := p.setRoot(ctx, l.dir, mine); err != nil {
		return nil, err
	}
	p.setPlaces(l.pkgs)
	if l.exports == nil { // the go command takes half a second, and so may parsing
		var wg sync.WaitGroup
		var err error
		wg.Go(func() { l.exports, err = exports(ctx, l.dir, others, p.Module == "std", l.store) })
		parseErr := p.parse(mine)
		wg.Wait()
		if err != nil {
			l.exports = nil
			return nil, err
		}
		if parseErr != nil {
			return nil, parseErr
		}
	} else if err := p.parse(mine); err != nil {
		return nil, err
	}
	if err := p.declarations(ctx, l.dir); err != nil {
		return nil, err
	}
	if err := p.check(mine, l.exports); err != nil {
		return nil, err
	}
	first := p.dropBroken(mine)
	if len(p.Packages) == 0 && l.compile != nil {
		return nil, l.compile
	}
	if len(p.Packages) == 0 && len(p.Broken) > 0 {
		return nil, &CompileError{first}
	}
	sort.Slice(p.Packages, func(i, j int) bool { return p.Packages[i].Path < p.Packages[j].Path })
	sort.Slice(p.Broken, func(i, j int) bool { return p.Broken[i].Path < p.Broken[j].Path })
	if len(p.Packages) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoPackages, strings.Join(l.patterns, " "))
	}
	return p, nil
}

// refused are the errors of a system that is short of a resource. They say nothing about the file that was read.
var refused = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO}

// parse reads and parses the files of the main module's packages, one goroutine per package. It returns an
// error only if that is one of refused; a package whose files are wrong is marked as broken.
func (p *Program) parse(mine []*listedPackage) error {
	p.All = make([]*Package, len(mine))
	errs := make([]error, len(mine))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, l := range mine {
		pkg := &Package{Path: l.ImportPath, Name: l.Name, Dir: l.Dir, Cgo: len(l.CgoFiles) > 0}
		p.All[i] = pkg
		p.byPath[pkg.Path] = pkg
		if !l.DepOnly {
			p.Packages = append(p.Packages, pkg)
		}
		for _, f := range append(append([]string{}, l.TestGoFiles...), l.XTestGoFiles...) {
			pkg.TestFiles = append(pkg.TestFiles, filepath.Join(l.Dir, f))
		}
		// The goroutines share Fset, which locks. The order in which they add their files
		// varies from run to run, so nothing may order by token.Pos across packages.
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			files := slices.Sorted(slices.Values(slices.Concat(l.GoFiles, l.CgoFiles)))
			_, errs[i] = p.parseFiles(pkg, l.Dir, files)
		}()
	}
	wg.Wait()
	for i, err := range errs {
		if slices.ContainsFunc(refused, func(r error) bool { return errors.Is(err, r) }) {
			return err
		}
		if err != nil {
			p.All[i].broken = fmt.Sprintf("# %s\n%s", mine[i].ImportPath, p.compilerText(err))
		}
	}
	return nil
}

// dropBroken moves the packages that do not compile from All and Packages to Broken, those that only
// others need but for the move. It returns the text about the first one, which imports none of the others.
func (p *Program) dropBroken(mine []*listedPackage) (first string) {
	for i, l := range mine {
		if first == "" {
			first = p.All[i].broken
		}
		if pkg := p.All[i]; pkg.broken != "" && !l.DepOnly {
			p.Broken = append(p.Broken, Broken{pkg.Path, pkg.broken})
		}
	}
	isBroken := func(pkg *Package) bool { return pkg.broken != "" }
	p.All, p.Packages = slices.DeleteFunc(p.All, isBroken), slices.DeleteFunc(p.Packages, isBroken)
	for path, pkg := range p.byPath {
		if pkg.broken != "" {
			delete(p.byPath, path)
		}
	}
	return first
}

// parseFiles adds files of a directory to a package and returns their syntax.
func (p *Program) parseFiles(pkg *Package, dir string, names []string) ([]*ast.File, error) {
	first := len(pkg.Files)
	for _, f := range names {
		name := filepath.Join(dir, f)
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		src, has := withoutLines(src)
		if has {
			if pkg.lines == nil {
				pkg.lines = map[string]bool{}
			}
			pkg.lines[name] = true
		}
		file, err := parser.ParseFile(p.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		pkg.Files = append(pkg.Files, file)
		pkg.Filenames = append(pkg.Filenames, name)
		pkg.Sources = append(pkg.Sources, src)
	}
	return pkg.Files[first:], nil
}

// check type-checks the parsed packages in dependency order. The packages of other modules are read
// from export data, but for users of those parsed.
func (p *Program) check(mine []*listedPackage, exports map[string]string) error {
	gc := importer.ForCompiler(p.Fset, "gc", func(path string) (io.ReadCloser, error) {
		file := exports[path]
		if file == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(file)
	})
	var mu sync.Mutex // guards gc, which is not safe for concurrent use
	p.imports = func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		if u := p.users[path]; u != nil {
			return u.check(p)
		}
		mu.Lock()
		defer mu.Unlock()
		return gc.Import(path)
	}
	p.exports = exports
	var checked []*checking
	for i, l := range mine {
		c := p.newChecking(l, p.All[i])
		checked = append(checked, c)
		if c.pkg.broken != "" {
			continue
		}
		if err := c.all(); err != nil {
			c.pkg.broken, c.pkg.Types = err.Error(), nil
		}
	}
	if !p.Tests {
		return nil
	}
	for i, l := range mine {
		if !l.DepOnly && checked[i].pkg.broken == "" {
			if err := checked[i].tests(l); err != nil {
				return err
			}
		}
	}
	for _, l := range mine {
		if len(l.XTestGoFiles) > 0 && !l.DepOnly && p.byPath[l.ImportPath].broken == "" {
			if err := p.externalTests(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxErrors is the number of errors that are reported per package, the same as the compiler's.
const maxErrors = 10

// compilerText formats an error of the parser or the type checker as the compiler does.
func (p *Program) compilerText(err error) string {
	at, text := "", err.Error()
	var checking types.Error
	var parsing scanner.ErrorList
	switch {
	case errors.As(err, &checking):
		at, text = p.Pos(checking.Pos), checking.Msg
	case errors.As(err, &parsing):
		first := parsing[0].Pos
		rel, err := filepath.Rel(p.Dir, first.Filename)
		if err != nil {
			rel = first.Filename
		}
		at = symbol.Pos{File: filepath.ToSlash(rel), Line: first.Line, Col: first.Column}.String()
		text = "syntax error: " + parsing[0].Msg
	default:
		return text
	}
	if !strings.Contains(at, "/") {
		at = "./" + at
	}
	return at + ": " + text
}

// NewInfo returns a types.Info with all tables that the analyses read.
func NewInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Instances:    map[*ast.Ident]types.Instance{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}
}

// Imports reports whether the build contains a package of that path that is not in the main module.
func (p *Program) Imports(path string) bool { return p.exports[path] != "" || p.users[path] != nil }

// Import returns a package that is not in the main module.
func (p *Program) Import(path string) (*types.Package, error) { return p.imports(path) }

// importFunc implements types.Importer.
type importFunc func(path string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// Package returns the package of the main module with that import path, nil if it is not loaded.
func (p *Program) Package(path string) *Package { return p.byPath[path] }

// Pos returns a position as documents write it: "file:line:col", with the file relative to the
// testee's root; see Program.Rel. It ignores //line directives.
func (p *Program) Pos(pos token.Pos) string {
	at := p.Fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d:%d", p.Rel(at.Filename), at.Line, at.Column)
}
