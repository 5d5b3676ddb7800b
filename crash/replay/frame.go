package replay

import (
	"fmt"
	"slices"
	"strings"

	"dsd/crash/compose"
	"dsd/crash/origin"
	"dsd/internal/source"
	"dsd/schemas"
)

// A test has its values as literals up to these limits; larger values are loaded from a file.
const (
	maxReadableValues = 300
	maxReadableBytes  = 8000 // of the body of the test
)

// frame is a recorded frame that is replayed.
type frame struct {
	crash *schemas.RecordedCrash
	// unreplayed says why it cannot be replayed, if it is not "".
	unreplayed string
	module     *origin.Module
	fn         *source.Func
	index      int // in the recorded crash
	name, file string
	comment    string
	// variants are tests for the frame, the plainest first, with temporary names. mismatches are what they show.
	variants   []*variant
	mismatches []*origin.Mismatch
}

// variant is a way to repeat the call of a frame.
type variant struct {
	crash *schemas.Crash
	call  *schemas.Counterexample
	write writeFunc
	lost  []string // compose.Test.Lost
}

// writeFunc writes a recorded call as a test.
type writeFunc func(
	prog *source.Program, f *source.Func, call *schemas.Counterexample,
	name, file, comment string,
) (*compose.Test, error)

// compose writes the variants: package-level variables stay as they are, or are set as they were
// recorded; in each of these, locks that were held are free, or held; and for each, values are literals, or
// loaded from a file.
func (f *frame) compose() {
	f.comment = fmt.Sprintf("%s panics as it did when it was recorded: %s.", f.name,
		f.module.Panic.Message)
	if f.module.Stops() {
		f.comment = fmt.Sprintf("%s repeats a call that was on the stack, %s.", f.name, f.module.Panic.Message)
	}
	call := f.crash.Call(f.index)
	var failed error // of the last test that could not be written
	plain := *call
	plain.Globals = nil
	calls := []*schemas.Counterexample{&plain}
	if len(call.Globals) > 0 {
		calls = append(calls, call)
	}
	for i := 0; i < len(calls); i++ {
		if unlocked := free(calls[i]); unlocked != nil {
			calls = slices.Insert(calls, i, unlocked)
			i++
		}
	}
	for _, call := range calls {
		for _, write := range []writeFunc{compose.Recorded, compose.Loaded} {
			crash, lost, err := f.write(write, call, fmt.Sprintf("Zz%d", len(f.variants)))
			if err != nil {
				failed = err
				continue
			}
			if len(crash.Test.Files) == 0 && !readable(call, crash) {
				continue
			}
			f.variants = append(f.variants, &variant{crash, call, write, lost})
		}
	}
	if len(f.variants) == 0 {
		f.unreplayed = failed.Error()
	}
}

// lostLock says that a lock is free in the test. Nobody would release it there, so a function that acquires it would
// wait forever.
const lostLock = "a lock that was held, which is free here"

// free returns a copy of a call without the locks that are held in it, nil if there are none.
func free(call *schemas.Counterexample) *schemas.Counterexample {
	out, found := compose.Prune(call), false
	out.Walk(func(n *schemas.Node) {
		if (n.Type == "sync.Mutex" || n.Type == "sync.RWMutex") && len(n.Fields) > 0 {
			n.Fields, n.Lost, found = nil, lostLock, true
		}
	})
	if !found {
		return nil
	}
	return out
}

// readable reports whether a test with the values of a call as literals is short enough to be read.
func readable(call *schemas.Counterexample, c *schemas.Crash) bool {
	return compose.Size(call) <= maxReadableValues && len(c.Inputs) <= maxReadableBytes
}

// write writes a call of the frame's function as a test whose names end in suffix. lost is compose.Test.Lost.
func (f *frame) write(
	write writeFunc, call *schemas.Counterexample, suffix string,
) (crash *schemas.Crash, lost []string, err error) {
	file := strings.TrimSuffix(f.file, "_test.go") + strings.ToLower(suffix) + "_test.go"
	c, err := write(f.module.Prog, f.fn, call, f.name+suffix, file, f.comment)
	if err != nil {
		return nil, nil, err
	}
	return &schemas.Crash{
		Func: f.fn.Name, Inputs: c.Inputs, BuiltBy: c.BuiltBy,
		UnexportedCalls: !f.fn.Obj.Exported(),
		Strategy:        schemas.StrategyRecording, Candidates: 1,
		Test: schemas.Test{
			Package: f.fn.Pkg.Path, File: c.File, Name: c.Name, Source: c.Source,
			Files: c.Files,
		},
	}, c.Lost, nil
}

// rename gives a test and the file with its values their final names.
func rename(c *schemas.Crash, name, file string) {
	data := func(file string) string {
		return "testdata/" + strings.TrimSuffix(file, "_test.go") + ".json"
	}
	r := strings.NewReplacer(c.Test.Name, name, data(c.Test.File), data(file))
	c.Inputs, c.Test.Source = r.Replace(c.Inputs), r.Replace(c.Test.Source)
	for i := range c.Test.Files {
		c.Test.Files[i].File = r.Replace(c.Test.Files[i].File)
	}
	c.Test.Name, c.Test.File = name, file
}
