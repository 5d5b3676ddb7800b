package verify

import (
	"bytes"
	"context"
	"go/parser"
	"go/token"
	"io"
	"slices"
	"strings"
	"time"

	"dsd/crash/testrun"
	"dsd/internal/memo"
	"dsd/internal/source"
	"dsd/schemas"
)

// kept is what is kept of a test: its result, and what was written to the log when it ran.
type kept struct {
	testrun.Result
	Log string
}

// how is what the result of a test depends on besides what is built.
type how struct {
	Test                    schemas.Test
	Timeout                 time.Duration
	Repeat                  int
	HideOwnTests, FullStack bool
	Env                     []string
	CompilerFlags           string
}

// Kept returns the keys under which the results of tests of package pkg are kept; ok is false if they are not, since
// they may depend on anything else. opt is that of Run, with all files in its overlay.
func Kept(pkg *source.Package, tests []schemas.Test, opt testrun.Options) (keys []memo.Key, ok bool) {
	if opt.Memo == nil || opt.Unconfined || opt.Time != 0 {
		return nil, false
	}
	builds := map[string]memo.Key{} // by the imports of tests
	for _, t := range tests {
		imports := importsOf(t.Source)
		build, known := builds[imports]
		if !known {
			if build, known = opt.Memo.Build(pkg, opt.Overlay, t.Source); !known {
				return nil, false
			}
			builds[imports] = build
		}
		if slices.ContainsFunc(t.Files, func(f schemas.TestFile) bool { return strings.HasSuffix(f.File, ".go") }) {
			return nil, false // they may import others
		}
		keys = append(keys, opt.Memo.Of(build, "test", how{
			t, opt.Timeout, opt.Repeat, opt.HideOwnTests, opt.FullStack, opt.Env, opt.CompilerFlags,
		}))
	}
	return keys, true
}

// importsOf returns what a test imports.
func importsOf(source string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
	if err != nil {
		return source
	}
	var paths []string
	for _, spec := range file.Imports {
		paths = append(paths, spec.Path.Value)
	}
	return strings.Join(paths, " ")
}

// runKept is Run, with the results of earlier runs.
func runKept(
	ctx context.Context, prog *source.Program, pkg *source.Package, tests []schemas.Test, opt testrun.Options,
) ([]testrun.Result, error) {
	keys, ok := Kept(pkg, tests, opt)
	if !ok {
		return run(ctx, prog, pkg, tests, opt)
	}
	results := make([]testrun.Result, len(tests))
	var left []schemas.Test
	var places []int // in results
	var said []string
	for i, key := range keys {
		var k kept
		if !opt.Memo.Get(key, &k) {
			left, places = append(left, tests[i]), append(places, i)
			continue
		}
		results[i] = k.Result
		if k.Log != "" && !slices.Contains(said, k.Log) {
			said = append(said, k.Log)
		}
	}
	if len(left) == 0 {
		io.WriteString(opt.Log, strings.Join(said, ""))
		return results, ctx.Err()
	}
	var log bytes.Buffer
	to := opt.Log
	opt.Log = &log
	found, err := run(ctx, prog, pkg, left, opt)
	io.WriteString(to, log.String())
	for i, r := range found {
		results[places[i]] = r
		if err == nil && !r.Late && !r.NotRun {
			opt.Memo.Put(keys[places[i]], kept{r, log.String()})
		}
	}
	return results, err
}
