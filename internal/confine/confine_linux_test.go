package confine

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Init()
	os.Exit(m.Run())
}

// TestHostile checks that a program that tries to do harm fails to, and that it can do what tests
// need.
func TestHostile(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	bin := filepath.Join(t.TempDir(), "hostile")
	if out, err := exec.Command("go", "build", "-o", bin,
		"./testdata/hostile").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	outside, inside := t.TempDir(), t.TempDir()
	precious := filepath.Join(outside, "precious")
	if err := os.WriteFile(precious, []byte("gold"), 0o600); err != nil {
		t.Fatal(err)
	}
	module := filepath.Join(outside, "module", "file")
	if err := os.Mkdir(filepath.Dir(module), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(module, []byte("source"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("SECRET", "hunter2")
	// Files that this process has inherited are open in its children, too.
	file, err := os.OpenFile(precious, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	inherited, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	run := func(rules Rules, watched bool) map[string]string {
		rules.Dir, rules.Read = inside, []string{filepath.Dir(module)}
		cmd, err := Command(context.Background(), rules, bin, outside,
			fmt.Sprint(os.Getpid()), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		refused := func() []string { return nil }
		if watched {
			refused = Watch(cmd)
		}
		out, err := cmd.CombinedOutput()
		if got := refused(); watched && (!slices.Contains(got, "socket") || !slices.Contains(got, "kill") || len(got) < 20) {
			t.Errorf("refused: %q", got)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		outcome := map[string]string{}
		for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			what, how, _ := strings.Cut(line, ": ")
			outcome[what] = how
		}
		return outcome
	}
	allowed := map[string]bool{
		"write inside": true, "write to nowhere": true, "signal itself": true,
		"ask for its own limits": true, "lock a file": true,
		"read the module": true, "read hosts": true, "read its user": true, "read time zones": true,
	}
	// What the runtime reserves, more than 1 GiB, does not count.
	for _, watched := range []bool{false, true} {
		outcome := run(Rules{MemoryKB: 128 << 10, FileBytes: 64 << 20}, watched)
		if len(outcome) < 20 {
			t.Errorf("it tried only %v", outcome)
		}
		for what, how := range outcome {
			want := "refused"
			if allowed[what] {
				want = "done"
			}
			if how != want {
				t.Errorf("%s: got %s, want %s (watched: %v)", what, how, want, watched)
			}
		}
	}
	f, err := os.Open(module)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		t.Errorf("the module's file is locked: %v", err)
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "gold" {
		t.Errorf("the precious file holds %q, %v", text, err)
	}
	if st, err := os.Stat(precious); err != nil {
		t.Error(err)
	} else if st.Mode().Perm() != 0o600 {
		t.Errorf("the precious file has mode %v", st.Mode())
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
