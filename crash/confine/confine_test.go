package confine

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("SECRET", "hunter2")
	run := func(rules Rules) map[string]string {
		rules.Dir = inside
		cmd, err := Command(context.Background(), rules, bin, outside,
			fmt.Sprint(os.Getpid()), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.CombinedOutput()
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
		"write inside": true, "write to nowhere": true, "read outside": true, "signal itself": true,
	}
	// What the runtime reserves, more than 1 GiB, does not count.
	outcome := run(Rules{MemoryKB: 128 << 10, FileBytes: 64 << 20})
	if len(outcome) < 20 {
		t.Errorf("it tried only %v", outcome)
	}
	for what, how := range outcome {
		want := "refused"
		if allowed[what] {
			want = "done"
		}
		if how != want {
			t.Errorf("%s: got %s, want %s", what, how, want)
		}
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
