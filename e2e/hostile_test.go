//go:build linux && amd64

package e2e_test

import (
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/internal/confine"
	"dsd/internal/confine/attacktest"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// hostileLimit is how long a command may take on the packages that try to do harm.
const hostileLimit = 3 * time.Minute

// TestHostile runs more than a hundred attempts to do harm by all commands that run code of the testee. An attempt that gets through panics,
// which these commands report; with the build tag show all of them panic, so that it is seen that all are run.
func TestHostile(t *testing.T) {
	if why := confine.Unsupported(); why != "" {
		t.Skip(why)
	}
	field := attacktest.New(t)
	docs := t.TempDir()
	warnings, recording := filepath.Join(docs, "warnings.json"), filepath.Join(docs, "recording.json")
	hostile(t, field, "", "check", "-o", warnings, ".")
	hostile(t, field, "show", "crash", "record", "--at", "main.try", "-o", recording, "--", "go", "run", "./run", docs)
	var shown *schemas.Crashes
	for _, args := range [][]string{
		{"random", "--policy", "all", "--candidates", "2000", "."},
		{"confirm", "--policy", "all", warnings},
		{"replay", recording},
	} {
		t.Run(args[0], func(t *testing.T) {
			if args[0] != "random" && !slow {
				t.Skip("slow: set DSD_SLOW=1")
			}
			shown = hostile(t, field, "show", append([]string{"crash"}, args...)...)
			want := append([]string{"Control"}, field.Attacks...)
			if got := crashed(shown); !subset(want, got) {
				t.Errorf("of %d attempts only %d are made: %v", len(want), len(got), got)
			}
			doc := hostile(t, field, "", append([]string{"crash"}, args...)...)
			if got := crashed(doc); !slices.Equal(got, []string{"Control"}) {
				t.Errorf("got through: %v", got)
			}
			field.Check(t)
		})
	}
	t.Run("reproduce", func(t *testing.T) {
		if !slow {
			t.Skip("slow: set DSD_SLOW=1")
		}
		for _, c := range shown.Crashes {
			name := symbol.Parse(c.Func).Func
			text := filepath.Join(docs, "panic.txt")
			panicked := fmt.Sprintf("panic: got through\n\ngoroutine 1 [running]:\n%s(...)\n\t%s +0x1d\n",
				c.Func, filepath.Join(field.Dir, strings.Join(strings.Split(c.Pos, ":")[:2], ":")))
			if err := os.WriteFile(text, []byte(panicked), 0o600); err != nil {
				t.Fatal(err)
			}
			// What is reproduced when all of them panic is surely called within the time.
			if got := crashed(hostile(t, field, "show", "crash", "reproduce", "--timeout", "20s", text)); len(got) == 0 {
				t.Errorf("%s is not called", name)
			}
			doc := hostile(t, field, "", "crash", "reproduce", "--timeout", "4s", text)
			if got := crashed(doc); len(got) > 0 != (name == "Control") {
				t.Errorf("reproduced: %v of %s", got, name)
			}
		}
		field.Check(t)
	})
}

// TestExhaust: what uses up memory, files, processors and time, or confuses who runs it, costs its own run.
func TestExhaust(t *testing.T) {
	if why := confine.Unsupported(); why != "" {
		t.Skip(why)
	}
	if !slow {
		t.Skip("slow: set DSD_SLOW=1")
	}
	field := attacktest.New(t)
	warnings := filepath.Join(t.TempDir(), "warnings.json")
	hostile(t, field, "", "check", "-o", warnings, "./exhaust", "./testmain")
	for _, args := range [][]string{
		{"random", "--policy", "all", "--candidates", "40000", "./exhaust", "./testmain"},
		{"confirm", "--policy", "all", "--timeout", "2s", warnings},
	} {
		t.Run(args[0], func(t *testing.T) {
			doc := hostile(t, field, "", append([]string{"crash"}, args...)...)
			if got := crashed(doc); slices.ContainsFunc(got, func(name string) bool { return name != "Control" }) {
				t.Errorf("got through: %v", got)
			}
			field.Check(t)
		})
	}
}

// hostile runs a command in the field, with a build tag, and returns the document that it prints, if it is one of crashes.
func hostile(t *testing.T, field *attacktest.Field, tag string, args ...string) *schemas.Crashes {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
	cmd.Dir = field.Dir
	cmd.Env = append(os.Environ(), "DSDCACHE=off", "GOFLAGS=-tags="+tag)
	var problems strings.Builder
	cmd.Stderr = &problems
	begin := time.Now()
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Fatalf("%v: %v\n%s", args, err, problems.String())
	}
	if took := time.Since(begin); took > hostileLimit {
		t.Errorf("%v took %v", args, took)
	}
	if strings.Contains(problems.String(), "cannot test") {
		t.Errorf("%v: %s", args, problems.String())
	}
	var doc schemas.Crashes
	if json.Unmarshal(out, &doc) != nil {
		return nil
	}
	return &doc
}

// crashed returns the names of the exported functions that crash, sorted.
func crashed(doc *schemas.Crashes) (names []string) {
	for _, c := range doc.Crashes {
		if s := symbol.Parse(c.Func); token.IsExported(s.Func) {
			names = append(names, s.Func)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// subset reports whether all of a are in b.
func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}
