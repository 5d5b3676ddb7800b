package replay

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"dsd/crash/origin"
	"dsd/crash/stack"
	"dsd/crash/verify"
	"dsd/internal/cache"
	"dsd/internal/source"
	"dsd/internal/symbol"
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
	// Store, if not nil, keeps what the go command says of packages that do not change.
	Store *cache.Cache
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
	defer r.close()
	r.out.Header = schemas.Header{Module: doc.Module, Incomplete: doc.Incomplete}
	r.out.Crashes, r.out.Unconfirmed = []schemas.Crash{}, []schemas.Unconfirmed{}
	err = r.run(ctx, doc.Crashes)
	if err != nil && ctx.Err() == nil {
		return nil, err
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
	dir    string
	build  []*source.Module
	opt    Options
	opened []*origin.Module
	namer  verify.Namer
	out    schemas.Crashes
	spent  time.Duration // for minimizing
	cut    int           // the number of tests that there was no time for
}

func (r *replayer) close() {
	for _, m := range r.opened {
		m.Close()
	}
}

// framesPerBuild bounds the number of frames whose tests are built together: when ctx ends, what was built before is
// kept.
const framesPerBuild = 100

// run composes the tests of all frames, runs those of a package together, and adds what they show to the document, in
// the order of the frames.
func (r *replayer) run(ctx context.Context, crashes []schemas.RecordedCrash) error {
	var frames []*frame
	for i := range crashes {
		more, err := r.crash(ctx, &crashes[i])
		if err != nil {
			return err
		}
		frames = append(frames, more...)
	}
	for begin := 0; begin < len(frames); begin += framesPerBuild {
		some := frames[begin:min(begin+framesPerBuild, len(frames))]
		if err := verifyFrames(ctx, some); err != nil {
			return err
		}
		for _, f := range some {
			if err := r.add(ctx, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// crash composes the tests of the frames of one crash, module by module.
func (r *replayer) crash(ctx context.Context, c *schemas.RecordedCrash) (frames []*frame, err error) {
	panicked := stack.Parse(c.Panic)
	if panicked == nil {
		return []*frame{{crash: c, unreplayed: reasonNoPanic}}, nil
	}
	trace := origin.Locate(ctx, r.build, panicked)
	modules := trace.Modules()
	if len(modules) == 0 {
		frames = append(frames, &frame{crash: c, unreplayed: origin.ErrNotInBuild.Error()})
	}
	var searched []*source.Program // for the functions of the frames
	found := map[int]bool{}        // by index into c.Frames
	for _, from := range modules {
		m, err := r.open(ctx, trace, from)
		if err != nil {
			return nil, err
		}
		if name, ok := strings.CutPrefix(m.Panic.Message, schemas.CalledHere); ok && c.Ended == "at "+name && !m.StopIn(name) {
			frames = append(frames, &frame{crash: c, unreplayed: m.Source.Name() + " has no function " + name})
			continue
		}
		searched = append(searched, m.Prog)
		funcs := verify.Funcs(m.Prog)
		for i := range c.Frames {
			if fn := funcs[c.Frames[i].Func]; fn != nil {
				found[i] = true
				f := &frame{crash: c, module: m, fn: fn, index: i}
				kind := m.Panic.Kind
				if m.Stops() {
					kind = "recorded"
				}
				f.name, f.file = r.namer.Name(fn.Name, fn.Pkg, kind)
				f.compose()
				frames = append(frames, f)
			}
		}
	}
	for i := range c.Frames {
		if name := c.Frames[i].Func; name != "" && !found[i] && len(searched) > 0 {
			frames = append(frames, &frame{crash: c, index: i, unreplayed: missingReason(searched, name)})
		}
	}
	return frames, nil
}

// missingReason returns why none of the programs has the function called name.
func missingReason(programs []*source.Program, name string) string {
	pkg := symbol.Parse(name).Package
	for _, p := range programs {
		for _, b := range p.Broken {
			if b.Path == pkg {
				return "package " + pkg + ": " + b.Reason()
			}
		}
	}
	return "the build has no such function"
}

// open opens a module on the stack of a panic, unless one that was opened for another panic will do.
func (r *replayer) open(ctx context.Context, trace *origin.Trace, m *source.Module) (*origin.Module, error) {
	for _, o := range r.opened {
		if o.Source == m {
			if again := o.For(trace); again != nil {
				return again, nil
			}
		}
	}
	o, err := trace.Open(ctx, r.dir, m, origin.Options{
		Tests: r.opt.Tests, Unconfined: r.opt.Unconfined, Start: time.Now(), Log: r.opt.Log, Store: r.opt.Store,
	})
	if err == nil {
		r.opened = append(r.opened, o)
	}
	return o, err
}

// built are the frames whose tests are built together: those of a package and, where no panic was recorded, of one
// function that was called.
type built struct {
	pkg  *source.Package
	here string
}

// verifyFrames runs the variants of frames, those that are built together at a time.
func verifyFrames(ctx context.Context, frames []*frame) error {
	var order []built // that of the frames
	together := map[built][]*frame{}
	for _, f := range frames {
		if f.unreplayed != "" {
			continue
		}
		b := built{pkg: f.fn.Pkg}
		if f.module.Stops() {
			b.here = f.module.Panic.Message
		}
		if together[b] == nil {
			order = append(order, b)
		}
		together[b] = append(together[b], f)
	}
	for _, b := range order {
		var list []origin.Expected
		for _, f := range together[b] {
			for _, v := range f.variants {
				list = append(list, origin.Expected{Module: f.module, Crash: v.crash})
			}
		}
		mismatches, err := origin.VerifyEach(ctx, b.pkg, list)
		if err != nil {
			return err
		}
		for _, f := range together[b] {
			f.mismatches = mismatches[:len(f.variants)]
			mismatches = mismatches[len(f.variants):]
		}
	}
	return nil
}

// add adds a frame to the document: the plainest variant that crashes like the original, or why there is none.
func (r *replayer) add(ctx context.Context, f *frame) error {
	if f.unreplayed != "" {
		r.addUnreplayed(f, f.unreplayed)
		return nil
	}
	r.out.Stats.Candidates++
	best := plainest(f.variants, f.mismatches)
	if best == nil {
		f.mismatches[0].Test = f.name
		reason := f.mismatches[0].String()
		if lost := f.variants[0].lost; len(lost) > 0 {
			reason += "; not as recorded: " + strings.Join(lost, "; ")
		}
		r.addUnreplayed(f, reason)
		return nil
	}
	r.out.Stats.Confirmed++
	crash := best.crash
	if r.opt.Minimize {
		var err error
		if crash, err = r.minimize(ctx, f, best); err != nil {
			return err
		}
	}
	rename(crash, f.name, f.file)
	crash.ID = fmt.Sprintf("C%d", len(r.out.Crashes)+1)
	r.out.Crashes = append(r.out.Crashes, *crash)
	return f.module.WriteTest(&crash.Test)
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

// addUnreplayed records why a frame is not replayed.
func (r *replayer) addUnreplayed(f *frame, reason string) {
	fn := ""
	if f.index < len(f.crash.Frames) {
		fn = f.crash.Frames[f.index].Func
	}
	r.out.Unreplayed = append(r.out.Unreplayed, schemas.Unreplayed{Crash: f.crash.ID, Func: fn, Reason: reason})
}
