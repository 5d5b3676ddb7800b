package random

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"dsd/crash/confine"
	"dsd/crash/report"
	"dsd/crash/search/feedback"
	"dsd/internal/source"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// TestRun: the default policy reports the index error and suppresses the explicit panic.
func TestRun(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		opt  Options
		want string // function and kind of each crash
	}{
		{"classic", Options{}, "(*Stack).Pop index"},
		{"relaxed, one function", Options{Policy: report.Relaxed, Only: regexp.MustCompile(`\.Must$`)},
			"Must explicit-panic"},
	} {
		dir := t.TempDir()
		calls := 0
		tt.opt.Time, tt.opt.Seed, tt.opt.Tests = 500*time.Millisecond, 1, dir
		tt.opt.Progress = func(Progress) { calls++ }
		doc, err := Run(context.Background(), prog, tt.opt)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range doc.Crashes {
			got = append(got,
				strings.TrimPrefix(c.Func, "example.com/m.")+" "+string(c.Kind))
			if _, err := os.Stat(filepath.Join(dir, c.Test.File)); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, s, tt.want)
		}
		if doc.Stats.Confirmed != 1 || doc.Stats.Candidates == 0 || calls == 0 {
			t.Errorf("%s: got stats %+v and %d progress calls", tt.name, doc.Stats,
				calls)
		}
	}
}

// TestRunCancelled: a run that is interrupted at once returns an incomplete document that names
// what was not tested.
func TestRunCancelled(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	doc, err := Run(ctx, prog, Options{Time: time.Second})
	if err != context.Canceled {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	if doc == nil || !doc.Incomplete {
		t.Fatalf("got %+v, want an incomplete document", doc)
	}
	want := schemas.Skipped{Func: "example.com/m.(*Stack).Pop", Reason: reasonNotTested}
	if len(doc.Skipped) != 3 || doc.Skipped[0] != want {
		t.Errorf("got skipped %v, want 3, first %v", doc.Skipped, want)
	}
}

func TestRank(t *testing.T) {
	for _, tt := range []struct {
		name             string
		crash            feedback.Crash
		classic, relaxed schemas.Rank
	}{
		{name: "nothing known", crash: feedback.Crash{Kind: "index", Called: 2},
			classic: schemas.Look, relaxed: schemas.Look},
		{name: "one of two known",
			crash:   feedback.Crash{Kind: "index", Called: 2, PreChecked: 1, PreHeld: 1, ArgsHeld: 1},
			classic: schemas.Look, relaxed: schemas.Look},
		{name: "satisfied",
			crash:   feedback.Crash{Kind: "index", Called: 2, PreChecked: 2, PreHeld: 2, ArgsHeld: 2},
			classic: schemas.LikelyBug, relaxed: schemas.LikelyBug},
		{name: "violated",
			crash:   feedback.Crash{Kind: "index", Called: 2, PreChecked: 2, PreHeld: 1, ArgsHeld: 1},
			classic: schemas.LikelyMisuse, relaxed: schemas.LikelyMisuse},
		{name: "a state that calls made",
			crash:   feedback.Crash{Kind: "index", Called: 2, PreChecked: 2, PreHeld: 1, ArgsHeld: 2},
			classic: schemas.Look, relaxed: schemas.Look},
		{name: "refused, nothing known", crash: feedback.Crash{Kind: "explicit-panic", Called: 1},
			classic: schemas.LikelyMisuse, relaxed: schemas.Look},
		{name: "a library panics",
			crash:   feedback.Crash{Kind: "explicit-panic", Called: 1, RaisedOutside: true},
			classic: schemas.Look, relaxed: schemas.Look},
		{name: "refused, satisfied",
			crash:   feedback.Crash{Kind: "explicit-panic", Called: 1, PreChecked: 1, PreHeld: 1, ArgsHeld: 1},
			classic: schemas.Look, relaxed: schemas.Look},
		{name: "uncomparable, satisfied",
			crash:   feedback.Crash{Kind: "uncomparable", Called: 1, PreChecked: 1, PreHeld: 1, ArgsHeld: 1},
			classic: schemas.Look, relaxed: schemas.Look},
		{name: "type assertion, satisfied",
			crash:   feedback.Crash{Kind: "type-assert", Called: 1, PreChecked: 1, PreHeld: 1, ArgsHeld: 1},
			classic: schemas.Look, relaxed: schemas.Look},
		{name: "nil inside", crash: feedback.Crash{Kind: "nil-deref", Called: 1},
			classic: schemas.Look, relaxed: schemas.Look},
	} {
		for policy, want := range map[report.Policy]schemas.Rank{
			report.Classic: tt.classic, report.All: tt.classic,
			report.Relaxed: tt.relaxed,
		} {
			if got := rank(&tt.crash, policy); got != want {
				t.Errorf("%s, %s: got %s, want %s", tt.name, policy, got, want)
			}
		}
	}
}

// TestRankInputs: inputs that users cannot write are likely misuse, and so are nil arguments unless
// the policy is relaxed.
func TestRankInputs(t *testing.T) {
	x := feedback.Crash{Kind: "nil-deref", Called: 1}
	x.NilArgument = true
	if got := rank(&x, report.Classic); got != schemas.LikelyMisuse {
		t.Errorf("nil argument, classic: got %s", got)
	}
	if got := rank(&x, report.Relaxed); got != schemas.Look {
		t.Errorf("nil argument, relaxed: got %s", got)
	}
	x.PreChecked, x.PreHeld, x.ArgsHeld = 1, 1, 1
	if got := rank(&x, report.Classic); got != schemas.Look {
		t.Errorf("nil argument, preconditions satisfied: got %s", got)
	}
	x.Fabricated = true
	if got := rank(&x, report.Relaxed); got != schemas.LikelyMisuse {
		t.Errorf("fabricated: got %s", got)
	}
}
