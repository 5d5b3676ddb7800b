package replay

import (
	"context"
	"fmt"
	"io"
	"time"

	"dsd/crash/origin"
	"dsd/crash/stack"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/internal/text"
	"dsd/schemas"
)

// Options configure Run. The zero value works.
type Options struct {
	// Tests is the directory for the tests, in the module's layout; "" writes none.
	Tests string
	// Minimize leaves out of the recorded values what the tests crash without, within Budget; 0 is DefaultBudget.
	Minimize bool
	Budget   time.Duration
	// Unconfined lets tests do whatever the user may do; otherwise they are confined.
	Unconfined bool
	// Log receives one line per problem; nil discards them.
	Log io.Writer
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(Progress)
}

// DefaultBudget is how long tests are minimized if Options.Budget is 0.
const DefaultBudget = time.Minute

// Progress is the state of a run.
type Progress struct {
	// Func is the function whose test is minimized, of which Parts of the All recorded values are left.
	Func       string
	Parts, All int
	Left       time.Duration
}

// reasonNoPanic is the reason for which a crash with an unreadable text is unreplayed.
const reasonNoPanic = "its text is not that of a panic"

// Run makes a test for each frame of a recording that has its arguments, in the build around dir.
// It returns the tests that crash like the original: with a panic of the same kind at the same line
// [REC 2.2]. The other frames are listed under Unreplayed with a reason.
//
// When ctx ends, Run returns the finished crashes in a document marked incomplete, together with
// ctx's error. Other errors are those of source.Load, of running the tests and of writing them.
func Run(
	ctx context.Context, dir string, doc *schemas.Recording, opt Options,
) (*schemas.Crashes, error) {
	opt.Log = verify.Log(opt.Log)
	if opt.Budget == 0 {
		opt.Budget = DefaultBudget
	}
	build, err := source.Modules(ctx, dir)
	if err != nil {
		return nil, err
	}
	r := &replayer{dir: dir, build: build, opt: opt}
	r.out.Header = schemas.Header{Module: doc.Module, Incomplete: doc.Incomplete}
	r.out.Crashes, r.out.Unconfirmed = []schemas.Crash{}, []schemas.Unconfirmed{}
	for i := range doc.Crashes {
		if err := r.crash(ctx, &doc.Crashes[i]); err != nil {
			if ctx.Err() != nil {
				r.out.Incomplete = true
				return &r.out, ctx.Err()
			}
			return nil, err
		}
	}
	if r.cut > 0 {
		fmt.Fprintf(opt.Log, "%s may hold more than they need: minimising them takes more than --budget %s\n",
			text.Count(r.cut, "test"), opt.Budget)
	}
	r.out.Incomplete = r.out.Incomplete || ctx.Err() != nil
	return &r.out, ctx.Err()
}

// replayer is the state of one run.
type replayer struct {
	dir   string
	build []*source.Module
	opt   Options
	namer verify.Namer
	out   schemas.Crashes
	spent time.Duration // for minimizing
	cut   int           // the number of tests that there was no time for
}

// crash replays the frames of one crash, module by module.
func (r *replayer) crash(ctx context.Context, c *schemas.RecordedCrash) error {
	panicked := stack.Parse(c.Panic)
	if panicked == nil {
		r.addUnreplayed(c, 0, reasonNoPanic)
		return nil
	}
	trace := origin.Locate(ctx, r.build, panicked)
	modules := trace.Modules()
	if len(modules) == 0 {
		r.addUnreplayed(c, 0, origin.ErrNotInBuild.Error())
	}
	for _, m := range modules {
		module, err := trace.Open(ctx, r.dir, m, origin.Options{
			Tests: r.opt.Tests, Unconfined: r.opt.Unconfined, Start: time.Now(),
			Log: r.opt.Log,
		})
		if err != nil {
			return err
		}
		err = r.module(ctx, module, c)
		module.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// module replays the frames of one module.
func (r *replayer) module(ctx context.Context, m *origin.Module, c *schemas.RecordedCrash) error {
	funcs := verify.Funcs(m.Prog)
	var packages []*source.Package // in the order of the frames
	byPackage := map[*source.Package][]*frame{}
	for i := range c.Frames {
		fn := funcs[c.Frames[i].Func]
		if fn == nil {
			continue
		}
		f := &frame{module: m, fn: fn, index: i}
		f.name, f.file = r.namer.Name(fn.Name, fn.Pkg, m.Panic.Kind)
		if f.compose(c); len(f.variants) == 0 {
			r.addUnreplayed(c, i, f.err.Error())
			continue
		}
		if byPackage[fn.Pkg] == nil {
			packages = append(packages, fn.Pkg)
		}
		byPackage[fn.Pkg] = append(byPackage[fn.Pkg], f)
	}
	for _, pkg := range packages {
		if err := r.run(ctx, m, c, pkg, byPackage[pkg]); err != nil {
			return err
		}
	}
	return nil
}

// run runs the variants of the frames of one package, and keeps for each frame the plainest one
// that crashes like the original.
func (r *replayer) run(
	ctx context.Context, m *origin.Module, c *schemas.RecordedCrash, pkg *source.Package,
	frames []*frame,
) error {
	var list []*schemas.Crash
	for _, f := range frames {
		for _, v := range f.variants {
			list = append(list, v.crash)
		}
	}
	mismatches, err := m.Verify(ctx, pkg, list)
	if err != nil {
		return err
	}
	for _, f := range frames {
		r.out.Stats.Candidates++
		own := mismatches[:len(f.variants)]
		mismatches = mismatches[len(f.variants):]
		best := plainest(f.variants, own)
		if best == nil {
			own[0].Test = f.name
			r.addUnreplayed(c, f.index, own[0].String())
			continue
		}
		r.out.Stats.Confirmed++
		crash := best.crash
		if r.opt.Minimize {
			if crash, err = r.minimize(ctx, f, best); err != nil {
				return err
			}
		}
		rename(crash, f.name, f.file)
		crash.ID = fmt.Sprintf("C%d", len(r.out.Crashes)+1)
		r.out.Crashes = append(r.out.Crashes, *crash)
		if err := m.WriteTest(&crash.Test); err != nil {
			return err
		}
	}
	return nil
}

// minimize minimizes the test of a frame within what is left of the budget. When ctx ends, it returns what it has.
func (r *replayer) minimize(ctx context.Context, f *frame, v *variant) (*schemas.Crash, error) {
	start, left := time.Now(), r.opt.Budget-r.spent
	if left <= 0 || ctx.Err() != nil {
		r.cut++
		return v.crash, nil
	}
	bounded, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	crash, err := f.minimize(bounded, v, func(parts, of int) {
		if r.opt.Progress != nil {
			r.opt.Progress(Progress{f.fn.Name, parts, of, left - time.Since(start)})
		}
	})
	r.spent += time.Since(start)
	if bounded.Err() != nil && ctx.Err() == nil {
		r.cut++
	}
	return crash, err
}

// plainest returns the first variant without a mismatch; nil if there is none.
func plainest(variants []*variant, mismatches []*origin.Mismatch) *variant {
	for i, m := range mismatches {
		if m == nil {
			return variants[i]
		}
	}
	return nil
}

// addUnreplayed records why the frame with an index is not replayed.
func (r *replayer) addUnreplayed(c *schemas.RecordedCrash, index int, reason string) {
	fn := ""
	if index < len(c.Frames) {
		fn = c.Frames[index].Func
	}
	r.out.Unreplayed = append(r.out.Unreplayed,
		schemas.Unreplayed{Crash: c.ID, Func: fn, Reason: reason})
}
