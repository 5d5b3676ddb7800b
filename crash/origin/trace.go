package origin

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"dsd/crash/locate"
	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// ErrNotInBuild is returned if no function on the stack belongs to a module of the build.
var ErrNotInBuild = errors.New("no function on the stack belongs to a module of the build")

// Trace is a panic whose frames are located in a build.
type Trace struct {
	Panic *stack.Panic
	// Build holds the modules of the build; empty if there is none.
	Build []*source.Module
	// Frames are the frames of Panic, the panicking one first.
	Frames []stacktrace.Located
}

// Locate locates the frames of a panic in a build. Lines of another version, whose source is on this machine, are
// looked for by that source.
func Locate(ctx context.Context, build []*source.Module, p *stack.Panic) *Trace {
	t := &Trace{Panic: p, Build: build, Frames: locate.Frames(build, p, oldSource(ctx, p))}
	named := *p
	named.Frames = nil
	for _, f := range t.Frames { // the text may name functions without their packages
		named.Frames = append(named.Frames, f.Frame)
	}
	t.Panic = &named
	return t
}

// Describe returns the document of a panic, located in the build around dir. Without a build, the
// document says nothing about where the frames are. The only error is ctx's.
func Describe(ctx context.Context, dir string, p *stack.Panic) (*schemas.Panic, error) {
	build, err := source.Modules(ctx, dir)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	t := Locate(ctx, build, p)
	out := &schemas.Panic{
		Header: schemas.Header{Module: t.MainModule()},
		Kind:   p.Kind, Message: p.Message, Later: p.Later,
		CreatedBy: p.CreatedBy, Elided: p.Elided,
		Frames: t.FrameDocuments(),
	}
	for _, v := range p.Values() {
		out.Values = append(out.Values, schemas.PanicValue{Name: v.Name, Text: v.Text})
	}
	return out, nil
}

// FrameDocuments returns the frames as documents write them.
func (t *Trace) FrameDocuments() []schemas.PanicFrame {
	var out []schemas.PanicFrame
	for _, f := range t.Frames {
		d := schemas.PanicFrame{
			Func: f.Func, File: f.File, Line: f.Line, Offset: f.Offset, Args: f.Args,
		}
		if len(t.Build) > 0 {
			d.Pos, d.Source, d.Misfit, d.Assumed = f.Pos.String(), f.Source, f.Misfit, f.Assumed
			if f.Module != nil {
				d.Module = f.Module.Name()
			}
		}
		out = append(out, d)
	}
	return out
}

// Modules returns the modules of the build with a function on the stack, the one nearest to the
// panic first.
func (t *Trace) Modules() []*source.Module {
	var out []*source.Module
	for _, f := range t.Frames {
		if f.Module != nil && f.Decl != "" && !slices.Contains(out, f.Module) {
			out = append(out, f.Module)
		}
	}
	return out
}

// Innermost returns the first of Modules. The error wraps ErrNotInBuild and, if a frame does not
// fit the source of the build, says why.
func (t *Trace) Innermost() (*source.Module, error) {
	if list := t.Modules(); len(list) > 0 {
		return list[0], nil
	}
	for _, f := range t.Frames {
		if f.Misfit != "" {
			return nil, fmt.Errorf("%w: %s: %s", ErrNotInBuild, f.Func, f.Misfit)
		}
	}
	return nil, ErrNotInBuild
}

// TextVersion returns the version of a dependency that the text of the panic names, in the paths of its files; "" if it
// names none.
func (t *Trace) TextVersion(m *source.Module) string {
	for _, f := range t.Frames {
		if f.Module != m {
			continue
		}
		if v := versionIn(f.File, m); v != "" {
			return v
		}
	}
	return ""
}

// MainModule returns the main module of the build as documents write it; zero if there is none.
func (t *Trace) MainModule() schemas.Module {
	if m := t.main(); m != nil {
		return schemas.Module{Path: m.Path, Go: m.GoVersion}
	}
	return schemas.Module{}
}

func (t *Trace) main() *source.Module {
	for _, m := range t.Build {
		if m.Main {
			return m
		}
	}
	return nil
}
