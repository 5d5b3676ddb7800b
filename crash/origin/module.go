package origin

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"dsd/crash/search/evolve"
	"dsd/crash/stack"
	"dsd/crash/verify"
	"dsd/internal/cache"
	"dsd/internal/overlay"
	"dsd/internal/scratch"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Options configure the tests that a Module runs.
type Options struct {
	// Tests is the directory for the tests that are kept; "" writes none.
	Tests string
	// Unconfined lets tests do whatever the user may do; otherwise they are confined.
	Unconfined bool
	// Start is the time from which Crash.FoundAfter counts.
	Start time.Time
	// Store, if not nil, keeps what the go command says of packages that do not change.
	Store *cache.Cache
	// Log receives one line per problem; several goroutines write to it.
	Log io.Writer
}

// Module is a module on the stack of a panic, loaded.
type Module struct {
	*Trace
	// Source is the module as the build has it.
	Source *source.Module
	// Prog holds the packages of the module that are on the stack, whose import paths are
	// Packages. For a dependency it is loaded from a copy.
	Prog     *source.Program
	Packages []string
	// Target is the crash that tests should show: the frames of the panic that lie in the
	// module.
	Target *evolve.StackTrace

	opt     Options
	overlay map[string][]byte // see StopIn
	scratch string            // directory with the copy; "" for the main module
}

// Open loads the packages of module m that are on the stack. dir is the directory around which the
// build is. Close the module after use. Errors are those of source.Load and of copying.
func (t *Trace) Open(
	ctx context.Context, dir string, m *source.Module, opt Options,
) (*Module, error) {
	out := &Module{Trace: t, Source: m, opt: opt}
	if err := out.load(ctx, dir); err != nil {
		out.Close()
		return nil, err
	}
	out.Target = out.target()
	return out, nil
}

// For returns m as Open would for another panic in the same build, if its stack needs the same packages; nil
// otherwise. Close m, not what is returned.
func (m *Module) For(t *Trace) *Module {
	if !slices.Equal(t.packages(m.Source), m.Packages) {
		return nil
	}
	out := *m
	out.Trace, out.scratch, out.overlay = t, "", nil
	out.Target = out.target()
	return &out
}

// StopIn makes the tests that m runs panic when a function is called, named as in stack traces, with the message of m's
// panic. It reports whether the module has that function.
func (m *Module) StopIn(name string) bool {
	for _, pkg := range m.Prog.All {
		for _, f := range pkg.Funcs() {
			if symbol.Plain(f.Name) != name && !(pkg.Name == "main" && "main."+symbol.Parse(f.Name).Local() == name) {
				continue
			}
			file := m.Prog.Fset.PositionFor(f.Decl.Pos(), false).Filename
			i := slices.Index(pkg.Filenames, file)
			rel, err := filepath.Rel(m.Prog.Dir, file)
			if i < 0 || err != nil {
				return false
			}
			rel = filepath.ToSlash(rel)
			brace := m.Prog.Fset.PositionFor(f.Decl.Body.Lbrace, false)
			var e overlay.Edits
			e.Insert(brace.Offset+1, fmt.Sprintf(" panic(%q); ", m.Panic.Message))
			m.overlay = map[string][]byte{rel: e.Apply(pkg.Sources[i])}
			// Nothing in the source can panic there, so the frame of the text has no position.
			m.Target.Frames[0].Pos = symbol.Pos{File: rel, Line: brace.Line}
			return true
		}
	}
	return false
}

// Stops reports whether StopIn is in force.
func (m *Module) Stops() bool { return m.overlay != nil }

// Close removes the copy of a dependency.
func (m *Module) Close() {
	if m.scratch != "" {
		scratch.Remove(m.scratch)
	}
}

// load loads the packages on the stack.
func (m *Module) load(ctx context.Context, dir string) error {
	m.Packages = m.packages(m.Source)
	var err error
	if m.Source.Main {
		m.Prog, err = source.LoadWith(ctx, dir, m.Packages, source.Options{Store: m.opt.Store})
	} else {
		m.Prog, err = m.copy(ctx, dir)
	}
	return err
}

// packages returns the import paths of the packages of a module that are on the stack.
func (t *Trace) packages(m *source.Module) (paths []string) {
	for _, f := range t.Frames {
		if f.Module == m && f.Decl != "" && !slices.Contains(paths, f.Package) {
			paths = append(paths, f.Package)
		}
	}
	return paths
}

// copy copies a dependency, as the main module builds it, and loads the packages on the stack from the copy.
func (m *Module) copy(ctx context.Context, dir string) (*source.Program, error) {
	temp, err := scratch.New()
	if err != nil {
		return nil, err
	}
	m.scratch = temp
	mainDir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if main := m.main(); main != nil {
		mainDir = main.Dir
	}
	return overlay.Detach(ctx, m.Build, mainDir, m.Source, filepath.Join(temp, "module"), m.Packages,
		m.opt.Store)
}

// target returns the crash that tests should show.
func (m *Module) target() *evolve.StackTrace {
	t := &evolve.StackTrace{Kind: m.Panic.Kind, Message: m.Panic.Message}
	funcs := map[string]*source.Func{} // by import path and declared name
	for _, pkg := range m.Prog.All {
		for _, f := range pkg.Funcs() {
			funcs[pkg.Path+" "+symbol.Parse(f.Name).Decl()] = f
		}
	}
	for _, f := range m.Frames {
		if f.Module != m.Source {
			if typ := stack.Receiver(f.Func); typ != "" {
				t.Receivers = append(t.Receivers, typ)
			}
			continue
		}
		f.Fn = funcs[f.Package+" "+f.Decl]
		if f.Fn == nil && f.Literal && f.Decl != "" {
			f.Fn = m.held(&f)
		}
		if f.Fn != nil {
			f.Known = stack.Arguments(stack.Words(f.Args), f.Fn.Obj)
		}
		t.Frames = append(t.Frames, f)
	}
	for _, v := range m.Panic.Values() {
		// The offset of a field is an address, not an input.
		if _, err := strconv.ParseInt(v.Text, 10, 64); err == nil && v.Name != "offset" {
			t.Literals = append(t.Literals, v.Text)
		}
	}
	return t
}

// held returns the function literal that a package-level variable holds and that a frame is of; nil if there is none.
func (m *Module) held(f *stacktrace.Located) *source.Func {
	pkg := m.Prog.Package(f.Package)
	if pkg == nil {
		return nil
	}
	literals, _ := pkg.Literals()
	for _, file := range pkg.Files {
		for _, h := range source.HeldIn(file) {
			first, last := m.Prog.Fset.PositionFor(h.Lit.Pos(), false), m.Prog.Fset.PositionFor(h.Lit.End(), false)
			if m.Prog.Rel(first.Filename) != f.Pos.File || f.Pos.Line < first.Line || last.Line < f.Pos.Line {
				continue
			}
			for _, fn := range literals {
				if fn.Obj.Pos() == h.Lit.Pos() {
					return fn
				}
			}
		}
	}
	return nil
}

// pos returns a position in the module as documents write it: in a dependency it begins with
// path@version.
func (m *Module) pos(pos string) string {
	if m.Source.Main {
		return pos
	}
	return m.Source.Name() + "/" + pos
}

// WriteTest writes a test below Options.Tests, if that is set: in the directory that its package
// has in the main module, or, for a dependency, in one named after the import path.
func (m *Module) WriteTest(t *schemas.Test) error {
	if m.opt.Tests == "" {
		return nil
	}
	dir := filepath.FromSlash(t.Package)
	if m.Source.Main {
		rel, err := filepath.Rel(m.Prog.Dir, m.Prog.Package(t.Package).Dir)
		if err != nil {
			return err
		}
		dir = rel
	}
	return verify.WriteTest(filepath.Join(m.opt.Tests, dir), t)
}
