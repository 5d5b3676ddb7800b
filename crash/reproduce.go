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
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dsd/crash/locate"
	"dsd/crash/search"
	"dsd/crash/stack"
	"dsd/internal/overlay"
	"dsd/internal/source"
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
type Strategies []string

// AllStrategies are those that there are.
var AllStrategies = Strategies{"values", "search", "solve"}

func (s Strategies) has(name string) bool { return s == nil || slices.Contains(s, name) }

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
	searching, stop := context.WithCancel(within)
	defer stop()
	defer r.tell()()
	r.stop = stop
	r.search(searching)
	return r.document(ctx)
}

// tell tells now and then how far it is, until the function that it returns is called.
func (r *reproduction) tell() (stop func()) {
	if r.opt.Progress == nil {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				r.opt.Progress(ReproduceProgress{Candidates: r.count.Load(), Level: r.level(), Levels: r.levels(), Elapsed: time.Since(r.begin), Left: time.Until(r.deadline())})
			}
		}
	}()
	return func() { close(done); wg.Wait() }
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
func frameDocuments(frames []locate.Frame, located bool) []schemas.PanicFrame {
	var out []schemas.PanicFrame
	for _, f := range frames {
		d := schemas.PanicFrame{Func: f.Func, File: f.Frame.File, Line: f.Frame.Line, Offset: f.Offset, Args: f.Args}
		if located {
			d.Pos, d.Source, d.Misfit = f.Pos(), f.Source, f.Misfit
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
	frames []locate.Frame
	// module is the one whose functions are called, prog it, or its copy in scratch.
	module  *source.Module
	prog    *source.Program
	scratch string
	want    *search.Wanted

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
	// patterns are the packages that were loaded.
	patterns []string
}

// try is one search that was made.
type try struct {
	pkg      *source.Package
	searcher *search.Searcher
	found    *search.Found
	took     time.Duration
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
	var patterns []string
	for _, f := range r.frames {
		if f.Module == r.module && f.Decl != "" && !slices.Contains(patterns, f.Package) {
			patterns = append(patterns, f.Package)
		}
		if f.Misfit != "" && f.Module == r.module {
			fmt.Fprintf(r.opt.Log, "%s: %s\n", f.Func, f.Misfit)
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
	if r.opt.Models != nil && r.opt.Seeding.models() {
		if r.models, err = r.opt.Models(ctx, prog); err != nil {
			return err
		}
	}
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
	w := &search.Wanted{Kind: r.panic.Kind}
	funcs := map[string]*source.Func{}
	for _, pkg := range r.prog.All {
		for _, f := range pkg.Funcs() {
			funcs[pkg.Path+" "+localName(f.Name)] = f
		}
	}
	for _, f := range r.frames {
		if f.Module != r.module {
			continue
		}
		w.Frames = append(w.Frames, search.WantedFrame{Name: f.Func, Line: f.Pos(), Number: f.Line, Literal: f.Literal,
			Func: funcs[f.Package+" "+f.Decl], Words: stack.Words(f.Args)})
	}
	for _, v := range r.panic.Values() {
		if _, err := strconv.ParseInt(v.Text, 10, 64); err == nil && v.Name != "offset" {
			w.Literals = append(w.Literals, v.Text)
		}
	}
	r.want = w
}

// localName is a function's name without its package and type parameters.
func localName(name string) string {
	name = strings.ReplaceAll(name, "[...]", "")
	_, local, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	return local
}

// search searches the packages of the stack, with as many workers as there are jobs.
func (r *reproduction) search(ctx context.Context) {
	r.searchers = map[*source.Package]*searcher{}
	var packages []*source.Package // outermost first
	for i := len(r.want.Frames) - 1; i >= 0; i-- {
		if f := r.want.Frames[i].Func; f != nil && !slices.Contains(packages, f.Pkg) {
			packages = append(packages, f.Pkg)
			r.searchers[f.Pkg] = &searcher{}
		}
	}
	var wg sync.WaitGroup
	if r.opt.Along != nil && r.opt.Strategies.has("solve") && len(packages) > 0 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.solve(ctx)
		}()
	}
	for j := range r.opt.Jobs {
		if !r.opt.Strategies.has("search") && !r.opt.Strategies.has("values") {
			break
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n, s := range plan(packages, j, r.opt.Jobs) {
				r.step(ctx, s, int64(1000*j+100000*n))
			}
		}()
	}
	wg.Wait()
	for _, s := range r.searchers {
		if s.Searcher != nil {
			s.Close()
		}
	}
}

// step is a part of a worker's time: on a package, up to a share of the time in all, with the outermost function alone or all.
type step struct {
	pkg   *source.Package
	until float64
	outer bool
}

// plan is what a worker does. The first looks for a crash of the outermost function, which says most. The second begins where
// the crash is, which is where it is found first, and goes outwards.
func plan(packages []*source.Package, worker, workers int) []step {
	if len(packages) == 0 {
		return nil
	}
	outermost := packages[0]
	switch {
	case workers == 1:
		return []step{{packages[len(packages)-1], 0.2, false}, {outermost, 0.6, true}, {outermost, 1, false}}
	case worker == 0:
		return []step{{outermost, 0.5, true}, {outermost, 1, false}}
	}
	var out []step
	for i := len(packages) - 1; i > 0; i-- {
		share := 0.4
		if i < len(packages)-1 {
			share += 0.2 * float64(len(packages)-1-i) / float64(len(packages)-2)
		}
		out = append(out, step{packages[i], share, false})
	}
	return append(out, step{outermost, 1, false})
}

// searcher is that of a package, built when it is wanted first; nil inside if the package cannot be searched.
type searcher struct {
	once sync.Once
	*search.Searcher
}

// searcher returns that of a package, nil if it cannot be searched.
func (r *reproduction) searcher(ctx context.Context, pkg *source.Package) *search.Searcher {
	of := r.searchers[pkg]
	of.once.Do(func() {
		s, err := search.NewSearcher(ctx, r.prog, pkg, r.want, nil)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(r.opt.Log, "%s is not searched: %s\n", pkg.Path, err)
		}
		of.Searcher = s
	})
	return of.Searcher
}

// step searches until a crash with all frames that the package allows is verified, or the step's time is over.
func (r *reproduction) step(ctx context.Context, at step, seed int64) {
	until := r.begin.Add(time.Duration(at.until * float64(r.deadline().Sub(r.begin))))
	if time.Now().After(until) || ctx.Err() != nil {
		return
	}
	s := r.searcher(ctx, at.pkg)
	if s == nil {
		return
	}
	for n := int64(0); ctx.Err() == nil && time.Now().Before(until) && !r.enough(s.Levels()); n++ {
		start := time.Now()
		opt := search.SearchOptions{Until: until, Seed: r.opt.Seed + seed + 7*n, Open: r.opt.Open, Above: r.level(),
			Tests: r.opt.Seeding.tests(), Values: true, Literals: r.literals, Models: r.models, Count: &r.count, Evolve: r.opt.Strategies.has("search")}
		if at.outer {
			opt.Above = max(opt.Above, s.Levels()-1)
		}
		above := r.level()
		opt.Enough = func() bool { return r.enough(s.Levels()) || opt.Above < r.level() && r.level() > above }
		found, err := s.Search(ctx, opt)
		if found != nil {
			r.mu.Lock()
			r.tries = append(r.tries, try{at.pkg, s, found, time.Since(start)})
			r.mu.Unlock()
		}
		if err != nil {
			if ctx.Err() == nil {
				fmt.Fprintf(r.opt.Log, "%s: %s\n", at.pkg.Path, firstLine(err.Error()))
			}
			return
		}
		if found.Crash == nil || found.Crash.Target == nil {
			if found.Evaluated == 0 {
				return
			}
			continue
		}
		if err := r.verify(ctx, at.pkg, s, found); err != nil {
			if ctx.Err() == nil {
				fmt.Fprintln(r.opt.Log, err.Error())
			}
			return
		}
	}
}

// literals are those that the solver suggests, from number n on.
func (r *reproduction) literals(n int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.suggested[min(n, len(r.suggested)):])
}

// levels is how many frames a crash can have in common with the wanted one: up to the outermost function of the module.
func (r *reproduction) levels() int {
	for i := len(r.want.Frames) - 1; i >= 0; i-- {
		if r.want.Frames[i].Func != nil {
			return i + 1
		}
	}
	return 0
}

// level is how many frames of the best crash are verified, 0 without one; of one that sets unexported fields one less, as one of
// calls with as many is better.
func (r *reproduction) level() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.best == nil {
		return 0
	}
	if r.best.BuiltBy == "literal" {
		return r.best.Level - 1
	}
	return r.best.Level
}

// enough says that a crash with as many frames in common is verified.
func (r *reproduction) enough(levels int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.best != nil && r.best.Level >= levels && r.best.BuiltBy == "sequence"
}

// verify writes a crash as a test, runs that, and keeps it if it is the best so far.
func (r *reproduction) verify(ctx context.Context, pkg *source.Package, s *search.Searcher, found *search.Found) error {
	x := found.Crash
	name, file := names{}.next(source.FuncName(x.Target), pkg, x.Kind)
	comment := fmt.Sprintf("%s panics at %s: %s.", name, x.Frames[0].Pos, x.Message)
	test, err := x.Program.Write(pkg.Types, s.Graph().Table, name, comment)
	if err != nil {
		return err
	}
	builtBy := "sequence"
	if x.Fabricated {
		builtBy = "literal"
	}
	return r.run(ctx, pkg, &schemas.Crash{Func: source.FuncName(x.Target), Inputs: test.Body, BuiltBy: builtBy, UnexportedCalls: !x.Target.Exported(),
		Strategy: found.Strategy, Candidates: found.After, Test: schemas.Test{Package: pkg.Path, File: file, Name: name, Source: test.Source}})
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
		about.Searches = append(about.Searches, schemas.Search{Package: t.pkg.Path, Strategy: "search", Candidates: t.found.Stats.Candidates, Seconds: t.took.Seconds(), Fitness: t.found.Fitness, Level: t.found.Level})
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
	frame, missing, ok := t.searcher.Missing(t.found.Distance)
	if !ok {
		return nil
	}
	test, err := t.found.Best.Write(t.pkg.Types, t.searcher.Graph().Table, "TestPartial", "")
	if err != nil {
		return nil
	}
	return &schemas.Partial{Package: t.pkg.Path, Fitness: t.found.Fitness, Func: frame.Name, Reached: len(missing) == 0 && frame.Line != "", Missing: missing, Inputs: test.Body, Panic: t.found.Panic}
}
