package crash

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"dsd/crash/compose"
	"dsd/crash/locate"
	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/schemas"
)

// ReplayOptions say how to replay a recording.
type ReplayOptions struct {
	// Tests is the directory for the tests, in the module's layout; "" writes none.
	Tests string
	// Minimise leaves out of the tests what they crash without.
	Minimise bool
	// Open lets tests do all that the user may; else they are confined.
	Open bool
	// Log receives what a person should know. Not nil.
	Log io.Writer
}

// Replay makes a test of each frame of a recording that has its arguments, in the build around dir, runs them, and returns those that
// crash as what was recorded did: with a panic of the same kind, at the same place [REC 2.2]. The others are listed under
// Unreplayed, with the reason.
//
// When ctx ends, what is finished is returned, marked incomplete, with ctx's error. Other errors: what source.Load returns.
func Replay(ctx context.Context, dir string, doc *schemas.Recording, opt ReplayOptions) (*schemas.Crashes, error) {
	opt.Log = &locked{w: opt.Log}
	build, err := source.Modules(ctx, dir)
	if err != nil {
		return nil, err
	}
	p := &replay{dir: dir, build: build, opt: opt, names: names{}}
	p.out.Header = schemas.Header{Module: doc.Module, Incomplete: doc.Incomplete}
	p.out.Crashes, p.out.Unconfirmed = []schemas.Crash{}, []schemas.Unconfirmed{}
	for i := range doc.Crashes {
		if err := p.crash(ctx, &doc.Crashes[i]); err != nil {
			if ctx.Err() != nil {
				p.out.Incomplete = true
				return &p.out, ctx.Err()
			}
			return nil, err
		}
	}
	return &p.out, nil
}

// replay is the work on one recording.
type replay struct {
	dir   string
	build []*source.Module
	opt   ReplayOptions
	names names
	out   schemas.Crashes
}

// crash replays the frames of one crash, module by module.
func (p *replay) crash(ctx context.Context, c *schemas.RecordedCrash) error {
	panicked := stack.Parse(c.Panic)
	if panicked == nil {
		p.refuse(c, 0, "its text is that of no panic")
		return nil
	}
	frames := locate.Frames(p.build, panicked)
	var modules []*source.Module
	for _, f := range frames {
		if f.Module != nil && f.Decl != "" && !slices.Contains(modules, f.Module) {
			modules = append(modules, f.Module)
		}
	}
	if len(modules) == 0 {
		p.refuse(c, 0, ErrElsewhere.Error())
	}
	for _, m := range modules {
		r := &reproduction{opt: ReproduceOptions{Tests: p.opt.Tests, Open: p.opt.Open, Log: p.opt.Log}, begin: time.Now(), build: p.build, panic: panicked, frames: frames, module: m}
		err := r.loadModule(ctx, p.dir)
		if err == nil {
			err = p.module(ctx, r, c)
		}
		r.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// module replays the frames of one module.
func (p *replay) module(ctx context.Context, r *reproduction, c *schemas.RecordedCrash) error {
	funcs := map[string]*source.Func{}
	for _, pkg := range r.prog.All {
		for _, f := range pkg.Funcs() {
			funcs[f.Name] = f
		}
	}
	var order []*source.Package
	byPackage := map[*source.Package][]*frame{}
	for i := range c.Frames {
		f := funcs[c.Frames[i].Func]
		if f == nil {
			continue
		}
		at := &frame{fn: f, number: i}
		at.name, at.file = p.names.next(f.Name, f.Pkg, r.panic.Kind)
		if p.compose(r, c, at); len(at.tests) == 0 {
			p.refuse(c, i, at.why)
			continue
		}
		if byPackage[f.Pkg] == nil {
			order = append(order, f.Pkg)
		}
		byPackage[f.Pkg] = append(byPackage[f.Pkg], at)
	}
	for _, pkg := range order {
		if err := p.run(ctx, r, c, pkg, byPackage[pkg]); err != nil {
			return err
		}
	}
	return nil
}

// frame is one that is replayed.
type frame struct {
	fn         *source.Func
	number     int // in the recording
	name, file string
	// tests are ways to make the call again, the plainest first, with names of their own; why is why there is none plainer.
	tests []*schemas.Crash
	why   string
	// calls and writers are those of the tests, and comment is what they all say.
	calls   []*schemas.Counterexample
	writers []writer
	comment string
}

// crash is a test of the frame, as a document has it.
func (at *frame) crash(c *compose.Test) *schemas.Crash {
	return &schemas.Crash{Func: at.fn.Name, Inputs: c.Inputs, BuiltBy: c.BuiltBy, UnexportedCalls: !at.fn.Obj.Exported(), Strategy: schemas.StrategyRecording,
		Candidates: 1, Test: schemas.Test{Package: at.fn.Pkg.Path, File: c.File, Name: c.Name, Source: c.Source, Files: c.Files}}
}

// maxReadable is how many values a test has as literals at most, and maxText how much text.
const (
	maxReadable = 300
	maxText     = 8000
)

// compose writes the tests of a frame: with literals, loaded from a file, and the same with the package-level variables as they were.
func (p *replay) compose(r *reproduction, c *schemas.RecordedCrash, at *frame) {
	at.comment = fmt.Sprintf("%s panics as it did when it was recorded: %s.", at.name, r.panic.Message)
	call := c.Call(at.number)
	plain := *call
	plain.Globals = nil
	calls := []*schemas.Counterexample{&plain}
	if len(call.Globals) > 0 {
		calls = append(calls, call)
	}
	for _, call := range calls {
		for _, write := range []writer{compose.Recorded, compose.Loaded} {
			suffix := fmt.Sprintf("Zz%d", len(at.tests))
			cand, err := write(r.prog, at.fn, call, at.name+suffix, strings.TrimSuffix(at.file, "_test.go")+strings.ToLower(suffix)+"_test.go", at.comment)
			if err == nil && len(cand.Files) == 0 && (compose.Size(call) > maxReadable || len(cand.Inputs) > maxText) {
				continue
			}
			if err != nil {
				at.why = err.Error()
				continue
			}
			at.tests, at.calls, at.writers = append(at.tests, at.crash(cand)), append(at.calls, call), append(at.writers, write)
		}
	}
}

// run runs the tests of frames of one package, and keeps the plainest of each frame that crashes as it should.
func (p *replay) run(ctx context.Context, r *reproduction, c *schemas.RecordedCrash, pkg *source.Package, frames []*frame) error {
	var list []*schemas.Crash
	for _, at := range frames {
		list = append(list, at.tests...)
	}
	why, err := r.runTests(ctx, pkg, list)
	if err != nil {
		return err
	}
	next := 0
	for _, at := range frames {
		p.out.Stats.Candidates++
		reasons := why[next : next+len(at.tests)]
		next += len(at.tests)
		i := slices.Index(reasons, "")
		if i < 0 {
			p.refuse(c, at.number, strings.ReplaceAll(reasons[0], at.tests[0].Test.Name, at.name))
			continue
		}
		p.out.Stats.Confirmed++
		test := at.tests[i]
		if p.opt.Minimise {
			if test, err = p.minimise(ctx, r, at, test, at.calls[i], at.writers[i]); err != nil {
				return err
			}
		}
		rename(test, at.name, at.file)
		test.ID = fmt.Sprintf("C%d", len(p.out.Crashes)+1)
		p.out.Crashes = append(p.out.Crashes, *test)
		if p.opt.Tests != "" {
			if err := r.writeTest(&test.Test); err != nil {
				return err
			}
		}
	}
	return nil
}

// rename gives a test, and the file with its data, their names.
func rename(c *schemas.Crash, name, file string) {
	old := strings.TrimSuffix(c.Test.File, "_test.go")
	to := strings.TrimSuffix(file, "_test.go")
	in := strings.NewReplacer(c.Test.Name, name, "testdata/"+old+".json", "testdata/"+to+".json")
	c.Inputs, c.Test.Source = in.Replace(c.Inputs), in.Replace(c.Test.Source)
	for i := range c.Test.Files {
		c.Test.Files[i].File = in.Replace(c.Test.Files[i].File)
	}
	c.Test.Name, c.Test.File = name, file
}

// refuse notes that a frame is not replayed.
func (p *replay) refuse(c *schemas.RecordedCrash, frame int, reason string) {
	fn := ""
	if frame < len(c.Frames) {
		fn = c.Frames[frame].Func
	}
	p.out.Unreplayed = append(p.out.Unreplayed, schemas.Unreplayed{Crash: c.ID, Func: fn, Reason: reason})
}
