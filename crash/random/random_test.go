package random

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/report"
	"dsd/crash/search/feedback"
	"dsd/internal/confine"
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

// TestGoroutine: the test of a panic in a goroutine waits for it.
func TestGoroutine(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "goroutine"), nil)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(context.Background(), prog, Options{Time: time.Second, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const want = "\tStart(0)\n\t// A goroutine panics.\n\ttime.Sleep(100 * time.Millisecond)"
	if len(doc.Crashes) != 1 || doc.Crashes[0].Inputs != want {
		t.Errorf("got %+v, want one crash by\n%s", doc.Crashes, want)
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

// TestSuppressed: inputs that users cannot write are suppressed, and so are panics by which a
// function may refuse inputs, unless preconditions speak against that or the policy is relaxed.
func TestSuppressed(t *testing.T) {
	nilArgument := feedback.Crash{Kind: "nil-deref", Called: 1}
	nilArgument.NilArgument = true
	fabricated := feedback.Crash{Kind: "index", Called: 1}
	fabricated.Fabricated = true
	for _, tt := range []struct {
		name             string
		crash            feedback.Crash
		classic, relaxed bool
	}{
		{"nothing known", feedback.Crash{Kind: "index", Called: 2}, false, false},
		{"violated", feedback.Crash{Kind: "index", Called: 2, PreChecked: 2, PreHeld: 1, ArgsHeld: 1},
			false, false},
		{"a state that calls made",
			feedback.Crash{Kind: "index", Called: 2, PreChecked: 2, PreHeld: 1, ArgsHeld: 2},
			false, false},
		{"refused, nothing known", feedback.Crash{Kind: "explicit-panic", Called: 1}, true, false},
		{"refused, violated",
			feedback.Crash{Kind: "explicit-panic", Called: 1, PreChecked: 1}, true, true},
		{"refused, satisfied",
			feedback.Crash{Kind: "explicit-panic", Called: 1, PreChecked: 1, PreHeld: 1, ArgsHeld: 1},
			false, false},
		{"a library panics",
			feedback.Crash{Kind: "explicit-panic", Called: 1, RaisedOutside: true}, false, false},
		{"nil argument", nilArgument, true, false},
		{"nil inside", feedback.Crash{Kind: "nil-deref", Called: 1}, false, false},
		{"fabricated", fabricated, true, true},
	} {
		for policy, want := range map[report.Policy]bool{
			report.Classic: tt.classic, report.Relaxed: tt.relaxed, report.All: false,
		} {
			if got := suppressed(&tt.crash, policy); got != want {
				t.Errorf("%s, %s: got %v, want %v", tt.name, policy, got, want)
			}
		}
	}
}

// TestShares: each package gets an equal part of what is left, whichever asks first.
func TestShares(t *testing.T) {
	s := &shares{left: 6 * time.Second, packages: 3}
	var got []time.Duration
	for _, used := range []time.Duration{2 * time.Second, time.Second, 4 * time.Second} {
		share := s.take()
		got = append(got, share)
		s.giveBack(share - used)
	}
	if want := []time.Duration{2 * time.Second, 2 * time.Second, 3 * time.Second}; !slices.Equal(got, want) {
		t.Errorf("got shares %v, want %v", got, want)
	}
	if s.left != -time.Second {
		t.Errorf("%v are left, want -1s: the last package took longer than its share", s.left)
	}
}

// TestNoTime: functions of a package that there was no time for are listed as skipped.
func TestNoTime(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(context.Background(), prog, Options{Time: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Stats.Candidates > 0 {
		t.Fatalf("got %d candidates in a nanosecond", doc.Stats.Candidates)
	}
	if !slices.ContainsFunc(doc.Skipped, func(s schemas.Skipped) bool { return s.Reason == reasonNoTime }) {
		t.Errorf("got skipped %v, want functions with the reason %q", doc.Skipped, reasonNoTime)
	}
}
