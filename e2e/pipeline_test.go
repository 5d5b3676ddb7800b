package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dsd/crash/report"
	"dsd/internal/expr"
	"dsd/internal/expr/graph"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// TestReadme runs the README's first command. Every bug that the BUGS.md of the example lists must
// be reported, the false positive must not, and the README must show the output as it is.
func TestReadme(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	cmd := exec.Command("./pipeline.sh", "-C", "examples/parcel", "-o", out)
	cmd.Dir = ".."
	text, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Fatalf("exit %d, %v:\n%s", code, err, text)
	}
	file, err := os.ReadFile(filepath.Join(out, "crashes.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc schemas.Crashes
	if err := json.Unmarshal(file, &doc); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, c := range doc.Crashes {
		got[symbol.Line(c.Pos)+" "+string(c.Kind)] = true
		_, err := os.Stat(filepath.Join(out, "tests", c.Test.File))
		if err != nil && !strings.Contains(c.Test.Package, "route") {
			t.Error(err)
		}
		if c.Rank == schemas.LikelyBug && !strings.Contains(string(text), c.Message) {
			t.Errorf("the summary does not mention %s at %s", c.Message, c.Pos)
		}
	}
	checkAssumed(t, out)
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(readme), "A few seconds later:\n")
	shown, _, _ = strings.Cut(shown, "\nTo run dsd's own tests")
	if len(shown) < 200 {
		t.Error("the README shows no output")
	}
	for _, line := range strings.Split(shown, "\n") {
		line = strings.ReplaceAll(strings.TrimSpace(line), ".dsd/", out+"/")
		if line != "..." && !strings.Contains(string(text), line) {
			t.Errorf("the README shows a line that is not printed: %s", line)
		}
	}
	for _, want := range []string{
		"parcel.go:45 index", "parcel.go:136 type-assert",
		"tariff.go:14 div-zero", "depot.go:31 nil-map",
	} {
		if !got[want] {
			t.Errorf("%s is not reported; reported are %v", want, got)
		}
	}
	if got["route/route.go:111 div-zero"] {
		t.Error("the false positive is reported")
	}
}

// checkAssumed checks that the counterexamples of a run of pipeline.sh satisfy all invariants that
// were assumed at the entry of the function with the warning, by the evaluator of the invariants'
// own language: check has them as terms.
func checkAssumed(t *testing.T, out string) {
	t.Helper()
	read := func(name string) *os.File {
		f, err := os.Open(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	invariants, err := schemas.ReadInvariants(read("invariants.json"), "invariants.json")
	if err != nil {
		t.Fatal(err)
	}
	warnings, err := schemas.ReadWarnings(read("warnings.json"), "warnings.json")
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, w := range warnings.Warnings {
		for _, p := range invariants.Points {
			if p.Func != w.Func || p.At != schemas.AtEntry || w.Counterexample == nil {
				continue
			}
			for _, inv := range p.Invariants {
				e, err := expr.Parse(inv.Expr)
				if err != nil || !inv.Assumed {
					continue
				}
				holds, err := graph.Holds(expr.NewCondition(e), w.Counterexample)
				if err == nil && !holds {
					t.Errorf("%s: the counterexample violates %s", w.ID, inv.Expr)
				}
				if err == nil {
					judged++
				}
			}
		}
	}
	if judged == 0 {
		t.Error("no counterexample was judged by an invariant")
	}
}

// TestMissingLibrary checks the message for a user without libz3 who cannot install it, on several
// systems. Here the compiler that would find the library is missing.
func TestMissingLibrary(t *testing.T) {
	bin := t.TempDir()
	for _, tool := range []string{"sh", "go", "id", "sed", "dirname", "sort", "head", "cut", "uname"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
			t.Fatal(err)
		}
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	for system, want := range map[string]string{
		"ID=debian":                        "apt-get install libz3-dev",
		"ID=linuxmint\nID_LIKE=\"ubuntu\"": "apt-get install libz3-dev",
		"ID=fedora":                        "dnf install z3-devel gcc glibc-devel",
		"ID=alpine":                        "apk add z3-dev gcc musl-dev",
		"ID=arch":                          "pacman -S z3 gcc",
		"ID=other":                         "your package manager",
	} {
		release := filepath.Join(t.TempDir(), "os-release")
		if err := os.WriteFile(release, []byte(system+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		home, err := os.MkdirTemp("", "e2e-home-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(home) // what the go command left running may still write there
		cmd := exec.Command(sh, filepath.Join("..", "scripts", "deps.sh"))
		cmd.Env = []string{"PATH=" + bin, "CC=no-compiler", "HOME=" + home, "OS_RELEASE=" + release}
		text, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 3 {
			t.Errorf("%s: exit %d, want 3", system, code)
		}
		for _, part := range []string{"missing: libz3-dev", want} {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s: %q is not in the output:\n%s", system, part, text)
			}
		}
	}
}

// TestCounterexamples checks, for the modules that check is tested on, that every counterexample
// crashes with the kind and at the line of its warning. The policy may still hide the crash.
func TestCounterexamples(t *testing.T) {
	for _, name := range []string{"panics", "lines"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "panics" && !slow {
				t.Skip("slow: set DSD_SLOW=1")
			}
			dir := filepath.Join("..", "check", "testdata", name)
			out := t.TempDir()
			warnings, crashes := filepath.Join(out, "w.json"), filepath.Join(out, "c.json")
			for _, args := range [][]string{
				{"check", "-C", dir, "-o", warnings},
				{"crash", "confirm", "-C", dir, "-o", crashes, warnings},
			} {
				cmd := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
				if text, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 {
					t.Fatalf("%v: exit %d:\n%s", args, cmd.ProcessState.ExitCode(), text)
				}
			}
			file, err := os.Open(crashes)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			doc, err := schemas.ReadCrashes(file, crashes)
			if err != nil {
				t.Fatal(err)
			}
			if doc.Stats.Candidates == 0 || doc.Stats.Confirmed != doc.Stats.Candidates {
				t.Errorf("%d of %d candidates confirmed", doc.Stats.Confirmed, doc.Stats.Candidates)
			}
			for _, u := range doc.Unconfirmed {
				if !strings.HasPrefix(u.Reason, report.PolicyReason) {
					t.Errorf("%s: %s", u.Warning, u.Reason)
				}
			}
		})
	}
}
