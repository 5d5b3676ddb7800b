package confine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/internal/confine/attacktest"
)

func TestMain(m *testing.M) {
	Init()
	os.Exit(m.Run())
}

// TestHostile makes all attempts of package attacktest in one confined program, which also does what tests need. The same
// attempts as candidates and tests: see package e2e.
func TestHostile(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	field := attacktest.New(t)
	bin := filepath.Join(t.TempDir(), "run")
	build := func(args ...string) {
		t.Helper()
		cmd := exec.Command("go", append([]string{"build", "-o", bin}, args...)...)
		cmd.Dir = field.Dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	run := func(watched bool) []string {
		t.Helper()
		// What the runtime reserves, more than 1 GiB, does not count.
		rules := Rules{Dir: t.TempDir(), Read: []string{field.Dir, strings.TrimSpace(string(goroot))}, MemoryKB: 128 << 10, FileBytes: 64 << 20}
		cmd, err := Command(context.Background(), rules, bin, rules.Dir)
		if err != nil {
			t.Fatal(err)
		}
		refused := func() []string { return nil }
		if watched {
			refused = Watch(cmd)
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got := refused(); watched && (!slices.Contains(got, "socket") || !slices.Contains(got, "kill") || len(got) < 20) {
			t.Errorf("refused: %q", got)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	build("./run")
	for _, watched := range []bool{false, true} {
		if got := run(watched); !slices.Equal(got, []string{"Control"}) {
			t.Errorf("got through (watched: %v): %v", watched, got)
		}
	}
	field.Check(t)
	build("-tags", "show", "./run")
	if got := run(false); len(got) < 140 || len(got) != len(field.Attacks)+1 {
		t.Errorf("only %d of %d attempts are made", len(got), len(field.Attacks))
	}
}

// TestWatch checks that Watch returns the names of the system calls that a program was refused.
func TestWatch(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	for _, tt := range []struct{ script, want string }{
		{"cd . && echo x", "[]"},
		{"kill -0 $PPID; kill -0 $PPID; exit 3", "[kill]"},
		{"kill -0 $PPID; /bin/true; exit 3", "[kill clone]"},
	} {
		cmd, err := Command(context.Background(), Rules{Dir: t.TempDir(), MemoryKB: 1 << 20}, "/bin/sh", "-c", tt.script)
		if err != nil {
			t.Fatal(err)
		}
		refused := Watch(cmd)
		out, err := cmd.CombinedOutput()
		got := strings.NewReplacer("vfork", "clone", "fork", "clone").Replace(fmt.Sprint(refused())) // by the library of C
		if got != tt.want {
			t.Errorf("%s: refused %s, want %s; %v, %s", tt.script, got, tt.want, err, out)
		}
	}
	// A command that is not started.
	cmd, err := Command(context.Background(), Rules{Dir: t.TempDir()}, "/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	if got := Watch(cmd)(); len(got) > 0 {
		t.Errorf("a command that was not started was refused %v", got)
	}
}

// TestLimits checks the limits of memory and of core files, and the name of the program.
func TestLimits(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	cmd, err := Command(context.Background(), Rules{Dir: t.TempDir(), MemoryKB: 1 << 20},
		"/bin/sh", "-c", "ulimit -d; ulimit -c; echo $0")
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "1048576\n0\nsh\n" {
		t.Errorf("got limits %q, %v", out, err)
	}
}

// TestParentEnds: a confined program does not outlive the process that started it, even if that is killed.
func TestParentEnds(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	if os.Getenv("DSD_TEST_PARENT") != "" { // in the process that is killed below
		cmd, err := Command(context.Background(), Rules{Dir: os.Getenv("DSD_TEST_PARENT")}, "/bin/sleep", "60")
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("started", cmd.Process.Pid)
		cmd.Wait()
		return
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestParentEnds$")
	parent.Env = append(os.Environ(), "DSD_TEST_PARENT="+t.TempDir())
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscanf(out, "started %d\n", &pid); err != nil {
		t.Fatal(err)
	}
	parent.Process.Kill()
	parent.Wait()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(stat), ") Z ") { // ended, if perhaps not yet waited for
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the program runs on: %s", stat)
		}
	}
}
