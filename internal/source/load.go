package source

import (
	"bytes"
	"context"
	"encoding/json"
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
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Program is a loaded testee.
type Program struct {
	// Dir is the root directory of the main module, absolute.
	Dir string
	// Module is the module's path, GoVersion the language version of its go.mod ("" if none is given).
	Module, GoVersion string
	Fset              *token.FileSet
	// Packages are those that the patterns matched, sorted by path.
	Packages []*Package
	// All are all packages of the main module that were loaded, in dependency order.
	All []*Package
	// Sizes are those of the platform that the go command builds for.
	Sizes types.Sizes

	byPath  map[string]*Package
	exports map[string]string // files of export data, by import path
	imports func(path string) (*types.Package, error)
}

// Package is a package of the main module.
type Package struct {
	Path, Name, Dir string
	// Files are the compiled Go files, and Filenames and Sources their absolute names and contents, in step.
	Files     []*ast.File
	Filenames []string
	Sources   [][]byte
	Types     *types.Package
	Info      *types.Info
	// TestFiles are the absolute names of the package's own and external test files.
	TestFiles []string
	// Cgo says that some files were left out because they import "C".
	Cgo bool
}

// ErrNoPackages says that the patterns matched nothing.
var ErrNoPackages = errors.New("no package matches")

// CompileError is a testee that the go command refuses; Text holds its own lines.
type CompileError struct{ Text string }

func (e *CompileError) Error() string { return strings.TrimSpace(e.Text) }

// listed is what `go list -json` says of a package.
type listed struct {
	Dir, ImportPath, Name, Export string
	GoFiles, CgoFiles             []string
	TestGoFiles, XTestGoFiles     []string
	ImportMap                     map[string]string
	Standard, DepOnly             bool
	Module                        *struct {
		Path, Dir, GoVersion string
		Main                 bool
	}
}

// Load loads the packages of the module around dir that match the patterns (default ./...), without test files.
//
// Errors: ErrNoPackages (wrapped) if nothing matches, a *CompileError if the go command refuses the testee, others if
// the go command cannot be run. Cost: `go list -export` of the packages of other modules, which compiles what the build cache does
// not have of them, and linear time for parsing and type checking.
func Load(ctx context.Context, dir string, patterns []string) (*Program, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	// The packages of the module itself are not compiled: they are checked from their source. In dependency order.
	pkgs, err := list(ctx, dir, append([]string{"-deps",
		"-json=Dir,ImportPath,Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,ImportMap,Standard,DepOnly,Module", "--"}, patterns...))
	if err != nil {
		return nil, err
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoPackages, strings.Join(patterns, " "))
	}
	p := &Program{Fset: token.NewFileSet(), byPath: map[string]*Package{}}
	p.Sizes = types.SizesFor("gc", goarch())
	var mine []*listed
	var others []string
	for _, l := range pkgs {
		if l.Module != nil && l.Module.Main {
			mine = append(mine, l)
			p.Dir, p.Module, p.GoVersion = l.Module.Dir, l.Module.Path, l.Module.GoVersion
		} else {
			others = append(others, l.ImportPath)
		}
	}
	if len(mine) == 0 {
		return nil, fmt.Errorf("%w: %s is not in a module of its own (no go.mod, or the pattern names other modules only)", ErrNoPackages, strings.Join(patterns, " "))
	}
	if err := p.parse(mine); err != nil {
		return nil, err
	}
	exports, err := exports(ctx, dir, others)
	if err != nil {
		return nil, err
	}
	if err := p.check(mine, exports); err != nil {
		return nil, err
	}
	sort.Slice(p.Packages, func(i, j int) bool { return p.Packages[i].Path < p.Packages[j].Path })
	if len(p.Packages) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoPackages, strings.Join(patterns, " "))
	}
	return p, nil
}

func goarch() string {
	if a := os.Getenv("GOARCH"); a != "" {
		return a
	}
	return runtime.GOARCH
}

// position begins a line that tells of an error in a file.
var position = regexp.MustCompile(`(?m)^\S+\.go:\d+:\d+: `)

// exports are the files of the packages' export data, by import path.
func exports(ctx context.Context, dir string, paths []string) (map[string]string, error) {
	out := map[string]string{}
	var args []string
	for _, p := range paths {
		if p != "unsafe" && !strings.HasPrefix(p, "vendor/") { // nobody else imports what the standard library has of others
			args = append(args, p)
		}
	}
	if len(args) == 0 {
		return out, nil
	}
	pkgs, err := list(ctx, dir, append([]string{"-export", "-json=ImportPath,Export", "--"}, args...))
	for _, l := range pkgs {
		out[l.ImportPath] = l.Export
	}
	return out, err
}

// list runs `go list`.
func list(ctx context.Context, dir string, args []string) ([]*listed, error) {
	if s, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !s.IsDir() {
		return nil, fmt.Errorf("%s is no directory", dir)
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	cmd.Dir = dir
	// Compilers that it started, and its work directory, go with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	tmp, err := os.MkdirTemp("", "dsd-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+tmp)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return nil, fmt.Errorf("go list: %w", err)
		}
		text := errs.String()
		if position.MatchString(text) { // go list names the line of an import that it does not find
			return nil, &CompileError{text}
		}
		for _, sign := range []string{"no Go files in", "directory not found", "cannot find module", "is not in std", "no required module provides", "does not contain package", "does not contain main module", "cannot find main module", "outside main module"} {
			if strings.Contains(text, sign) {
				return nil, fmt.Errorf("%w: %s", ErrNoPackages, strings.TrimSpace(strings.Split(text, "\n")[0]))
			}
		}
		return nil, &CompileError{text}
	}
	var pkgs []*listed
	for dec := json.NewDecoder(&out); ; {
		l := new(listed)
		if err := dec.Decode(l); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, l)
	}
	return pkgs, nil
}

// parse reads and parses all files of the main module's packages, a goroutine a package.
func (p *Program) parse(mine []*listed) error {
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
		// Positions must not depend on which goroutine adds its files first, so a set of files is not shared blindly:
		// names are registered by the parser under a lock, and nothing of ours orders by token.Pos across packages.
		wg.Add(1)
		go func() {
			defer wg.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			for _, f := range l.GoFiles {
				name := filepath.Join(l.Dir, f)
				src, err := os.ReadFile(name)
				if err == nil {
					var file *ast.File
					if file, err = parser.ParseFile(p.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution); err == nil {
						pkg.Files = append(pkg.Files, file)
						pkg.Filenames = append(pkg.Filenames, name)
						pkg.Sources = append(pkg.Sources, src)
						continue
					}
				}
				errs[i] = err
				return
			}
		}()
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return &CompileError{fmt.Sprintf("# %s\n%s", mine[i].ImportPath, p.complaint(err))}
		}
	}
	return nil
}

// check type-checks the parsed packages in dependency order; what lies outside the module comes from export data.
func (p *Program) check(mine []*listed, exports map[string]string) error {
	gc := importer.ForCompiler(p.Fset, "gc", func(path string) (io.ReadCloser, error) {
		file := exports[path]
		if file == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(file)
	})
	var mu sync.Mutex // the importer has a map
	p.imports = func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		mu.Lock()
		defer mu.Unlock()
		return gc.Import(path)
	}
	p.exports = exports
	for i, l := range mine {
		pkg := p.All[i]
		pkg.Info = NewInfo()
		var found []string
		conf := types.Config{
			Importer: importFunc(func(path string) (*types.Package, error) {
				if to := l.ImportMap[path]; to != "" {
					path = to
				}
				if q := p.byPath[path]; q != nil && q.Types != nil {
					return q.Types, nil
				}
				return p.imports(path)
			}),
			Sizes:       p.Sizes,
			FakeImportC: true,
			Error: func(err error) {
				// Files that import "C" are not among GoFiles, so what they declare is missing: that is known and not the
				// testee's fault.
				if !pkg.Cgo && len(found) < maxErrors {
					found = append(found, p.complaint(err))
				}
			},
		}
		if l.Module.GoVersion != "" {
			conf.GoVersion = "go" + l.Module.GoVersion
		}
		pkg.Types, _ = conf.Check(pkg.Path, p.Fset, pkg.Files, pkg.Info)
		if len(found) > 0 {
			return &CompileError{fmt.Sprintf("# %s\n%s", pkg.Path, strings.Join(found, "\n"))}
		}
	}
	return nil
}

// maxErrors is how many of a package's errors are told, as the compiler does.
const maxErrors = 10

// complaint is an error of the parser or the type checker as the compiler writes it.
func (p *Program) complaint(err error) string {
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
		at, text = fmt.Sprintf("%s:%d:%d", filepath.ToSlash(rel), first.Line, first.Column), "syntax error: "+parsing[0].Msg
	default:
		return text
	}
	if !strings.Contains(at, "/") {
		at = "./" + at
	}
	return at + ": " + text
}

// NewInfo returns the tables that a type check is to fill for the analyses.
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

// Imports says that the build contains the package of that path, which is not one of the main module.
func (p *Program) Imports(path string) bool { return p.exports[path] != "" }

// Import returns such a package, from its export data.
func (p *Program) Import(path string) (*types.Package, error) { return p.imports(path) }

type importFunc func(path string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// Package returns the loaded package of that import path, or nil.
func (p *Program) Package(path string) *Package { return p.byPath[path] }

// Pos writes a position as documents do: "file:line:col", the file relative to the module's root.
func (p *Program) Pos(pos token.Pos) string {
	at := p.Fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d:%d", p.rel(at.Filename), at.Line, at.Column)
}

func (p *Program) rel(name string) string {
	if r, err := filepath.Rel(p.Dir, name); err == nil && !strings.HasPrefix(r, "..") {
		return filepath.ToSlash(r)
	}
	return filepath.ToSlash(name)
}
