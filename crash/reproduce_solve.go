package crash

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"dsd/crash/compose"
	"dsd/crash/stack"
	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// Along asks for inputs of the functions on a stack, crash first, that lead along it to a panic of a kind; values are those that
// its message holds. prog is loaded for it alone.
type Along func(ctx context.Context, prog *source.Program, kind schemas.Kind, frames []stacktrace.Located, values map[string]int64) (*schemas.Warnings, error)

// solve asks the solver for inputs of each function on the stack, writes them as tests, and runs those [STAR]. Values of the
// counterexamples are handed to the searches, too, and what these come near with is solved, until done is closed.
func (r *reproduction) solve(ctx context.Context, done <-chan struct{}) {
	start := time.Now()
	prog, err := source.Load(ctx, r.prog.Dir, r.patterns)
	if err != nil {
		return // said where it was loaded first
	}
	frames := append([]stacktrace.Located(nil), r.want.Frames...)
	funcs := map[string]*source.Func{}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			funcs[f.Name] = f
		}
	}
	for i, f := range frames {
		if f.Fn != nil {
			frames[i].Fn = funcs[f.Fn.Name]
		}
		if f.Literal {
			frames[i].Fn = nil
		}
	}
	values := map[string]int64{}
	for _, v := range r.panic.Values() {
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			values[v.Name] = n
		}
	}
	doc, err := r.opt.Along(ctx, prog, r.want.Kind, frames, values)
	if doc == nil {
		if ctx.Err() == nil {
			fmt.Fprintf(r.opt.Log, "the solver is not asked: %s\n", firstLine(err.Error()))
		}
		return
	}
	for i := len(doc.Warnings) - 1; i >= 0 && ctx.Err() == nil; i-- {
		w := &doc.Warnings[i]
		r.suggest(w.Counterexample)
		if level, _ := strconv.Atoi(w.ID[1:]); level <= r.level() {
			continue
		}
		if err := r.solved(ctx, w); err != nil && ctx.Err() == nil {
			fmt.Fprintf(r.opt.Log, "%s: %s\n", w.Func, firstLine(err.Error()))
		}
	}
	r.mu.Lock()
	r.solving = &schemas.Search{Package: r.patterns[0], Strategy: schemas.StrategySolve, Candidates: len(doc.Warnings), Queries: doc.Stats.Queries, Seconds: time.Since(start).Seconds(), Fitness: 6, Level: r.solvedLevel}
	r.mu.Unlock()
	r.paths(ctx, done, prog, values)
}

// solved writes the inputs that the solver found for one function as a test, and runs it.
func (r *reproduction) solved(ctx context.Context, w *schemas.Warning) error {
	var f *source.Func
	for _, wf := range r.want.Frames {
		if wf.Fn != nil && wf.Fn.Name == w.Func {
			f = wf.Fn
		}
	}
	if f == nil {
		return nil
	}
	name, file := names{}.next(f.Name, f.Pkg, w.Kind)
	comment := fmt.Sprintf("%s panics at %s: %s.", name, w.Pos, w.Message)
	cand, err := compose.Compose(r.prog, f, w.Counterexample, name, file, comment)
	if err != nil {
		return err
	}
	return r.run(ctx, f.Pkg, &schemas.Crash{Func: f.Name, Inputs: cand.Inputs, BuiltBy: cand.BuiltBy, UnexportedCalls: !f.Obj.Exported(), Strategy: schemas.StrategySolve,
		Candidates: 1, Test: schemas.Test{Package: f.Pkg.Path, File: file, Name: name, Source: cand.Source}})
}

// run runs a test by itself, and keeps its crash if it is the best so far.
func (r *reproduction) run(ctx context.Context, pkg *source.Package, c *schemas.Crash) error {
	why, err := r.runTests(ctx, pkg, []*schemas.Crash{c})
	if err != nil {
		return err
	}
	if why[0] != "" {
		if c.Strategy != schemas.StrategySolve { // a counterexample may well be wrong about calls that were not followed
			fmt.Fprintln(r.opt.Log, why[0])
		}
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.Strategy == schemas.StrategySolve {
		r.solvedLevel = max(r.solvedLevel, c.Level)
	}
	if r.best == nil || closer(c, r.best) {
		r.best = c
		if c.Level >= r.levels() && proper(c) {
			r.stop() // it cannot become better
		}
	}
	return nil
}

// runTests runs the tests of crashes, each by itself, and fills in what they come to. why says of each how it is not the crash that is
// wanted, "" if it is.
func (r *reproduction) runTests(ctx context.Context, pkg *source.Package, list []*schemas.Crash) (why []string, err error) {
	dir, err := filepath.Rel(r.prog.Dir, pkg.Dir)
	if err != nil {
		return nil, err
	}
	var tests []testrun.Test
	for _, c := range list {
		tests = append(tests, harnessTest(&c.Test))
	}
	results, err := testrun.Run(ctx, r.prog.Dir, pkg.Path, dir, tests, testrun.Options{Timeout: testTime, Jobs: 1, Repeat: repeats, Unconfined: r.opt.Open, OwnTests: pkg.TestFiles, HideOwnTests: !r.module.Main, Log: r.opt.Log})
	if err != nil {
		return nil, err
	}
	why = make([]string, len(list))
	for i, c := range list {
		why[i] = r.judge(c, results[i])
	}
	return why, nil
}

// judge fills in what the run of a crash's test came to, or says how it is not the crash that is wanted.
func (r *reproduction) judge(c *schemas.Crash, result testrun.Result) string {
	p := stack.Parse(result.Output)
	if p == nil {
		why := "%s does not crash when it is run by itself"
		if result.Err != "" {
			why += ": " + result.Err
		}
		return fmt.Sprintf(why, c.Test.Name)
	}
	frames, _ := testeeFrames(r.prog, c.Test.File, p)
	level := r.want.MatchedFrames(p.Kind, frames)
	if level == 0 {
		return fmt.Sprintf("%s crashes otherwise when it is run by itself: %s", c.Test.Name, p.Message)
	}
	if p.Kind == schemas.StackOverflow {
		frames = shorten(frames)
	}
	c.ID, c.Kind, c.Message, c.Level, c.GroupSize, c.FoundAfter = "C1", p.Kind, p.Message, level, 1, time.Since(r.begin).Seconds()
	for _, f := range frames {
		f.Pos = r.place(f.Pos)
		c.Stack = append(c.Stack, f)
	}
	c.Pos = c.Stack[0].Pos
	c.Flaky = result.Crashes < repeats
	return ""
}

// proper says that a test crashes each time, and is what users could write.
func proper(c *schemas.Crash) bool { return c.BuiltBy == schemas.BySequence && !c.Flaky }

// closer says that one crash is better than another: it has more frames in common, or is proper.
func closer(c, than *schemas.Crash) bool {
	return c.Level > than.Level || c.Level == than.Level && proper(c) && !proper(than)
}

// suggest hands the numbers and strings of a counterexample to the searches.
func (r *reproduction) suggest(ce *schemas.Counterexample) {
	if ce == nil {
		return
	}
	var list []string
	ce.Walk(func(n *schemas.Node) {
		if n.Lit != "" {
			list = append(list, n.Lit)
		}
		var bytes []byte
		for i := range n.Elems {
			if b, err := strconv.ParseUint(n.Elems[i].Value.Lit, 10, 8); err == nil && n.Elems[i].Value.Type == "uint8" && n.Elems[i].Index == int64(len(bytes)) {
				bytes = append(bytes, byte(b))
			}
		}
		if len(bytes) > 0 {
			list = append(list, strconv.Quote(string(bytes)))
		}
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.suggested = append(r.suggested, list...)
}
