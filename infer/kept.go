package infer

import (
	"time"

	"dsd/infer/instrument/observe"
	"dsd/internal/cache"
	"dsd/internal/gotest"
	"dsd/internal/memo"
	"dsd/internal/source"
)

// What the tests of a package show depends on what is built of it, on the files in its folder, and on the environment
// variables and the other files that they look at, which the testing package logs. It is kept, as the go command keeps
// that tests pass.

// FailedFor is how long what tests showed is kept if some were left out: they may have needed something that was not
// there.
const FailedFor = time.Hour

// kept is what the tests of a package showed, and what that depends on besides its key.
type kept struct {
	Runs []testRun
	Left []gotest.LeftOut
	// Variables are the digests of environment variables, and Module is that of all files of the module, zero if that
	// does not matter.
	Variables map[string]cache.ID
	Module    memo.ID
	// Until is when it is forgotten; zero for never.
	Until time.Time

	size int // of the samples
}

// testRun is a run of a test binary.
type testRun struct {
	// Passed reports whether what it showed counts: the names of Tests, and what Processes reported.
	Passed    bool
	Tests     []string
	Processes []observe.Process
	// Variables and Outside are those of gotest.Result. Open reports whether what it looked at is not known.
	Variables     []string
	Outside, Open bool
}

// maxKept is the size in bytes of the samples of a package that are kept.
const maxKept = 64 << 20

// add adds a run. Of more than maxKept, nothing will be kept.
func (k *kept) add(r testRun) {
	for _, p := range r.Processes {
		k.size += len(p.Samples) + len(p.Counts) + len(p.Witnesses) + len(p.Calls)
	}
	if k.size > maxKept {
		k.Runs = nil
		return
	}
	k.Runs = append(k.Runs, r)
}

// key returns the key of what the tests of a package show; ok is false if nothing of it is kept.
func (t *tracer) key(pkg *source.Package) (key memo.Key, ok bool) {
	if t.memo == nil {
		return key, false
	}
	build, ok := t.memo.Build(pkg, t.rewritten)
	if !ok {
		return key, false
	}
	folder, err := gotest.Folder(pkg.Dir)
	if err != nil {
		return key, false
	}
	opt := t.options()
	return t.memo.Of(build, "trace", folder, len(t.points), opt.Run, opt.Skip, opt.Timeout, opt.Bench, opt.Confined), true
}

// kept returns what the tests of a package showed in an earlier run, nil if there was none, or if it may be otherwise now.
func (t *tracer) kept(key memo.Key) *kept {
	k := new(kept)
	if !t.memo.Get(key, k) || !k.Until.IsZero() && time.Now().After(k.Until) {
		return nil
	}
	for name, sum := range k.Variables {
		if cache.EnvironmentVariable(name) != sum {
			return nil
		}
	}
	if k.Module != (memo.ID{}) {
		if now, err := t.memo.Module(); err != nil || now != k.Module {
			return nil
		}
	}
	return k
}

// keep keeps what the tests of a package showed.
func (t *tracer) keep(key memo.Key, k *kept) {
	if len(k.Runs) == 0 {
		return
	}
	k.Variables = map[string]cache.ID{}
	outside := false
	for _, r := range k.Runs {
		if r.Open {
			return
		}
		outside = outside || r.Outside
		for _, name := range r.Variables {
			k.Variables[name] = cache.EnvironmentVariable(name)
		}
	}
	if outside {
		var err error
		if k.Module, err = t.memo.Module(); err != nil {
			return
		}
	}
	if len(k.Left) > 0 {
		k.Until = time.Now().Add(FailedFor)
	}
	t.memo.Put(key, k)
}
