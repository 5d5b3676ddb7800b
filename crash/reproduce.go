package crash

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"dsd/crash/compose"
	"dsd/crash/locate"
	"dsd/crash/search/evolve"
	"dsd/crash/stack"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// ReproduceOptions say how to reproduce a crash.
type ReproduceOptions struct {
	// Timeout is how long it may take in all; 0 is a minute.
	Timeout time.Duration
	// Seed makes runs repeatable, as far as time does not matter.
	Seed int64
	// Tests is the directory for the test; "" writes none.
	Tests string
	// Jobs is how many searches run at a time; 0 is one a processor.
	Jobs int
	// Open lets candidates do all that the user may; else they are confined.
	Open bool
	// Strategies are what is tried, nil for all, and Seeding what the search begins with, "" for all.
	Strategies Strategies
	Seeding    Seeding
	// Models says how objects of a loaded module are used; nil if nothing is known.
	Models func(ctx context.Context, prog *source.Program) (*schemas.Models, error)
	// Recorded, if not nil, is the panic as it was recorded: its values are used.
	Recorded *schemas.RecordedCrash
	// Along, if not nil, is asked for inputs that lead along the stack.
	Along Along
	// Log receives what a person should know. Not nil.
	Log io.Writer
	// Progress, if not nil, is told now and then how far it is.
	Progress func(ReproduceProgress)
}

// ReproduceProgress is how far a reproduction is.
type ReproduceProgress struct {
	Candidates int64
	// Level is how many of Levels frames the best crash has in common.
	Level, Levels int
	Elapsed, Left time.Duration
}

// Strategies are ways to look for a crash: values (those of tests, the stack's, small ones), search and solve.
type Strategies []schemas.Strategy

// AllStrategies are those that there are.
var AllStrategies = Strategies{schemas.StrategyValues, schemas.StrategySearch, schemas.StrategySolve}

func (s Strategies) has(name schemas.Strategy) bool { return s == nil || slices.Contains(s, name) }

// Seeding is what a search begins with besides values: candidates carved from tests, behaviours of usage models, both, or
// nothing [SEED].
type Seeding string

// The ways of Seeding.
const (
	SeedAll    Seeding = "all"
	SeedTests  Seeding = "tests"
	SeedModels Seeding = "models"
	SeedNone   Seeding = "none"
)

func (s Seeding) tests() bool  { return s == "" || s == SeedAll || s == SeedTests }
func (s Seeding) models() bool { return s == "" || s == SeedAll || s == SeedModels }

// ErrElsewhere says that no function on the stack is of a module of the build.
var ErrElsewhere = errors.New("no function on the stack is of a module of the build")

// Reproduce looks for the smallest Go test that crashes as a panic's text says, in the build around dir: with a panic of the
// same kind, at the same line, and with as many frames of the stack in common as can be had [STAR, EVO].
//
// The functions that are called are those of the innermost module on the stack that is in the build, the main one or a
// dependency, which is copied. Frames of other modules and of programs that are not there are context.
//
// When ctx ends, what is found is returned, marked incomplete, with ctx's error. Other errors: ErrElsewhere, and what
// source.Load returns.
func Reproduce(ctx context.Context, dir string, p *stack.Panic, opt ReproduceOptions) (*schemas.Crashes, error) {
	begin := time.Now()
	if opt.Timeout == 0 {
		opt.Timeout = time.Minute
	}
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	opt.Log = &locked{w: opt.Log}
	// What is still running when the time is over is of no use any more.
	within, cancel := context.WithDeadline(ctx, begin.Add(opt.Timeout-opt.Timeout/20))
	defer cancel()
	build, err := source.Modules(within, dir)
	if err != nil {
		return nil, err
	}
	frames := locate.Frames(build, p)
	r := &reproduction{opt: opt, begin: begin, build: build, panic: p, frames: frames}
	defer r.close()
	if err := r.load(within, dir); err != nil {
		return nil, err
	}
	if c := opt.Recorded; c != nil {
		for i := range c.Frames {
			if c.Frames[i].Func != "" {
				r.suggest(compose.Prune(c.Call(i)))
			}
		}
	}
	searching, stop := context.WithCancel(within)
	defer stop()
	defer r.tell()()
	r.stop = stop
	r.search(searching)
	return r.document(ctx)
}

// Located are the frames of a panic as documents have them.
func Located(ctx context.Context, dir string, p *stack.Panic) (*schemas.Panic, error) {
	build, err := source.Modules(ctx, dir)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	out := &schemas.Panic{Kind: p.Kind, Message: p.Message, Later: p.Later, CreatedBy: p.CreatedBy, Elided: p.Elided}
	for _, m := range build {
		if m.Main && out.Module.Path == "" {
			out.Module = schemas.Module{Path: m.Path, Go: m.GoVersion}
		}
	}
	for _, v := range p.Values() {
		out.Values = append(out.Values, schemas.PanicValue{Name: v.Name, Text: v.Text})
	}
	out.Frames = frameDocuments(locate.Frames(build, p), len(build) > 0)
	return out, nil
}

// frameDocuments are frames as documents have them; without a build nothing is said of where they are.
func frameDocuments(frames []stacktrace.Located, located bool) []schemas.PanicFrame {
	var out []schemas.PanicFrame
	for _, f := range frames {
		d := schemas.PanicFrame{Func: f.Func, File: f.File, Line: f.Line, Offset: f.Offset, Args: f.Args}
		if located {
			d.Pos, d.Source, d.Misfit = f.Pos.String(), f.Source, f.Misfit
			if f.Module != nil {
				d.Module = f.Module.Name()
			}
		}
		out = append(out, d)
	}
	return out
}

// reproduction is the work on one panic.
type reproduction struct {
	opt    ReproduceOptions
	begin  time.Time
	build  []*source.Module
	panic  *stack.Panic
	frames []stacktrace.Located
	// module is the one whose functions are called, prog it, or its copy in scratch.
	module  *source.Module
	prog    *source.Program
	scratch string
	want    *evolve.StackTrace

	mu    sync.Mutex
	tries []try
	best  *schemas.Crash // verified
	// searchers are those of the packages.
	searchers map[*source.Package]*searcher
	// stop ends all searches.
	stop  func()
	count atomic.Int64 // of candidates
	// suggested are literals that the solver's counterexamples hold; solving is what it came to, and solvedLevel how many frames
	// its crashes have in common.
	suggested   []string
	solving     *schemas.Search
	solvedLevel int
	models      *schemas.Models
	// nearest are the nearest candidates that the solver has not looked at, by package.
	nearest map[*source.Package]*near
	// patterns are the packages that were loaded.
	patterns []string
}

// verifyTime is how much of the time is kept for the test of what is found.
const verifyTime = 8 * time.Second

func (r *reproduction) deadline() time.Time {
	return r.begin.Add(r.opt.Timeout - min(verifyTime, r.opt.Timeout/4))
}

func (r *reproduction) close() {
	if r.scratch != "" {
		os.RemoveAll(r.scratch)
	}
}

// load loads the module that the crash is in, the innermost of the build that has a function of the stack.
func (r *reproduction) load(ctx context.Context, dir string) error {
	for _, f := range r.frames {
		if f.Module != nil && f.Decl != "" {
			r.module = f.Module
			break
		}
	}
	if r.module == nil {
		for _, f := range r.frames {
			if f.Misfit != "" {
				return fmt.Errorf("%w: %s: %s", ErrElsewhere, f.Func, f.Misfit)
			}
		}
		return ErrElsewhere
	}
	for _, f := range r.frames {
		if f.Misfit != "" && f.Module == r.module {
			fmt.Fprintf(r.opt.Log, "%s: %s\n", f.Func, f.Misfit)
		}
	}
	if err := r.loadModule(ctx, dir); err != nil {
		return err
	}
	if r.opt.Models != nil && r.opt.Seeding.models() {
		models, err := r.opt.Models(ctx, r.prog)
		if err != nil {
			return err
		}
		r.models = models
	}
	return nil
}

// loadModule loads the packages on the stack of the module that is chosen.
func (r *reproduction) loadModule(ctx context.Context, dir string) error {
	var patterns []string
	for _, f := range r.frames {
		if f.Module == r.module && f.Decl != "" && !slices.Contains(patterns, f.Package) {
			patterns = append(patterns, f.Package)
		}
	}
	root := dir
	if !r.module.Main {
		scratch, err := os.MkdirTemp("", "dsd-")
		if err != nil {
			return err
		}
		r.scratch = scratch
		root = filepath.Join(scratch, "module")
		around, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		if main := r.main(); main != nil {
			around = main.Dir
		}
		if err := overlay.Detach(r.build, around, r.module, root); err != nil {
			return err
		}
	}
	prog, err := source.Load(ctx, root, patterns)
	if err != nil {
		return err
	}
	r.prog, r.patterns = prog, patterns
	r.wanted()
	return nil
}

// main is the main module of the build.
func (r *reproduction) main() *source.Module {
	for _, m := range r.build {
		if m.Main {
			return m
		}
	}
	return nil
}

// wanted makes of the frames of the module what is searched for.
func (r *reproduction) wanted() {
	w := &evolve.StackTrace{Kind: r.panic.Kind}
	funcs := map[string]*source.Func{}
	for _, pkg := range r.prog.All {
		for _, f := range pkg.Funcs() {
			funcs[pkg.Path+" "+symbol.Parse(f.Name).Decl()] = f
		}
	}
	for _, f := range r.frames {
		if f.Module != r.module {
			continue
		}
		if f.Fn = funcs[f.Package+" "+f.Decl]; f.Fn != nil {
			f.Known = stack.Arguments(stack.Words(f.Args), f.Fn.Obj)
		}
		w.Frames = append(w.Frames, f)
	}
	for _, v := range r.panic.Values() {
		if _, err := strconv.ParseInt(v.Text, 10, 64); err == nil && v.Name != "offset" {
			w.Literals = append(w.Literals, v.Text)
		}
	}
	r.want = w
}

// place is a position as documents have it: in a dependency it begins with the module and its version.
func (r *reproduction) place(pos string) string {
	if r.module.Main {
		return pos
	}
	return r.module.Name() + "/" + pos
}

// document is what is reported.
func (r *reproduction) document(ctx context.Context) (*schemas.Crashes, error) {
	out := &schemas.Crashes{Crashes: []schemas.Crash{}, Unconfirmed: []schemas.Unconfirmed{}}
	if m := r.main(); m != nil {
		out.Module = schemas.Module{Path: m.Path, Go: m.GoVersion}
	}
	out.Incomplete = ctx.Err() != nil
	about := &schemas.Reproduction{Kind: r.panic.Kind, Message: r.panic.Message, Frames: frameDocuments(r.frames, true), Module: r.module.Name(), Levels: len(r.want.Frames), Searches: []schemas.Search{}}
	out.Reproduction = about
	var nearest *try
	for i, t := range r.tries {
		out.Stats.Candidates += t.found.Stats.Candidates
		about.Searches = append(about.Searches, schemas.Search{Package: t.pkg.Path, Strategy: schemas.StrategySearch, Candidates: t.found.Stats.Candidates, Seconds: t.took.Seconds(), Fitness: t.found.Fitness, Level: t.found.Level})
		if t.found.Best != nil && (nearest == nil || t.found.Fitness < nearest.found.Fitness) {
			nearest = &r.tries[i]
		}
	}
	if r.solving != nil {
		about.Searches = append(about.Searches, *r.solving)
	}
	if r.best == nil && nearest != nil {
		about.Partial = r.partial(nearest)
	}
	if r.best != nil {
		out.Crashes = append(out.Crashes, *r.best)
		out.Stats.Confirmed = 1
		if r.opt.Tests != "" {
			if err := r.writeTest(&out.Crashes[0].Test); err != nil {
				return nil, err
			}
		}
	}
	return out, ctx.Err()
}

// writeTest writes the test: of the main module where its package is, of a dependency below the import path.
func (r *reproduction) writeTest(t *schemas.Test) error {
	dir := filepath.FromSlash(t.Package)
	if r.module.Main {
		rel, err := filepath.Rel(r.prog.Dir, r.prog.Package(t.Package).Dir)
		if err != nil {
			return err
		}
		dir = rel
	}
	return writeTest(filepath.Join(r.opt.Tests, dir), t)
}

// partial is the best candidate of a search, in Go.
func (r *reproduction) partial(t *try) *schemas.Partial {
	frame, missing, ok := t.searcher.Unmet(t.found.Distance)
	if !ok {
		return nil
	}
	test, err := t.found.Best.WriteTest(t.pkg.Types, t.searcher.Graph().Table, "TestPartial", "")
	if err != nil {
		return nil
	}
	return &schemas.Partial{Package: t.pkg.Path, Fitness: t.found.Fitness, Func: frame.Func, Reached: len(missing) == 0 && frame.Pos.IsValid(), Missing: missing, Inputs: test.Body, Panic: t.found.Panic}
}
