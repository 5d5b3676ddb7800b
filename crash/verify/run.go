package verify

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

const (
	// Repeats is the number of times that a test must crash before its crash is reported as
	// stable.
	Repeats = 3
	// Timeout bounds one run of a test whose inputs already ran as a candidate: that took a
	// second at most.
	Timeout = 5 * time.Second
)

// Run compiles tests into package pkg of prog and runs each in processes of its own; results[i]
// belongs to tests[i]. It sets opt.OwnTests; see testrun.Run for the other options and for errors. Results that
// opt.Memo has are taken from there.
func Run(
	ctx context.Context, prog *source.Program, pkg *source.Package, tests []schemas.Test,
	opt testrun.Options,
) ([]testrun.Result, error) {
	opt.OwnTests = pkg.TestFiles
	opt.Overlay = Overlay(prog, opt.Overlay)
	if opt.Log == nil {
		opt.Log = io.Discard
	}
	if opt.Ended != nil || opt.Enough != nil { // its caller wants to see the tests run
		return run(ctx, prog, pkg, tests, opt)
	}
	return runKept(ctx, prog, pkg, tests, opt)
}

// Overlay returns the files of an overlay and those that all tests need.
func Overlay(prog *source.Program, overlay map[string][]byte) map[string][]byte {
	files := prog.WithoutLines()
	maps.Copy(files, overlay)
	return files
}

// run is Run with all options set, and without the results of earlier runs.
func run(
	ctx context.Context, prog *source.Program, pkg *source.Package, tests []schemas.Test, opt testrun.Options,
) ([]testrun.Result, error) {
	dir, err := filepath.Rel(prog.Dir, pkg.Dir)
	if err != nil {
		return nil, err
	}
	list := make([]testrun.Test, len(tests))
	for i, t := range tests {
		list[i] = testrun.Test{
			Name: t.Name, File: t.File, Source: t.Source, Files: map[string]string{},
		}
		for _, f := range t.Files {
			list[i].Files[f.File] = f.Content
		}
	}
	return testrun.Run(ctx, prog.Dir, pkg.Path, dir, list, opt)
}

// Enclosing returns the declared function of that name, or the one around a function literal of that
// name; nil if funcs, as Funcs returns them, has none. literal reports whether it is a literal.
func Enclosing(funcs map[string]*source.Func, name string) (fn *source.Func, literal bool) {
	for {
		if fn = funcs[name]; fn != nil {
			return fn, literal
		}
		i := max(strings.LastIndex(name, ".func"), strings.LastIndex(name, "-range"))
		if i < 0 {
			return nil, false
		}
		name, literal = name[:i], true
	}
}

// Func returns the function that a document names, with or without type arguments; nil if funcs, as
// Funcs returns them, has none.
func Func(funcs map[string]*source.Func, name string) *source.Func {
	if f := funcs[symbol.Plain(name)]; f != nil {
		return f
	}
	return funcs[name]
}

// Funcs returns the functions and methods of all packages of prog by name, as stack traces call
// them.
func Funcs(prog *source.Program) map[string]*source.Func {
	funcs := map[string]*source.Func{}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			funcs[f.Name] = f
		}
	}
	return funcs
}
