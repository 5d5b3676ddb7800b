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

// TestHostile: a program that tries to do harm fails, and can still do what tests do.
func TestHostile(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	bin := filepath.Join(t.TempDir(), "hostile")
	if out, err := exec.Command("go", "build", "-o", bin, "./testdata/hostile").CombinedOutput(); err != nil {
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
		cmd, err := Command(context.Background(), rules, bin, outside, fmt.Sprint(os.Getpid()), l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		came := map[string]string{}
		for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
			what, how, _ := strings.Cut(line, ": ")
			came[what] = how
		}
		return came
	}
	may := map[string]bool{"write inside": true, "write to nowhere": true, "read outside": true, "signal itself": true}
	came := run(Rules{MemoryKB: 4 << 20, FileBytes: 64 << 20})
	if len(came) < 20 {
		t.Errorf("it did but %v", came)
	}
	for what, how := range came {
		if want := map[bool]string{true: "done", false: "refused"}[may[what]]; how != want {
			t.Errorf("%s: %s, want %s", what, how, want)
		}
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "gold" {
		t.Errorf("the precious file holds %q, %v", text, err)
	}
	if st, err := os.Stat(precious); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the precious file has mode %v, %v", st.Mode(), err)
	}
}

// TestMemory: a program that asks for more memory than it may have ends by itself.
func TestMemory(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	cmd, err := Command(context.Background(), Rules{Dir: t.TempDir(), MemoryKB: 1 << 20}, "/bin/sh", "-c", "ulimit -v; ulimit -c")
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "1048576\n0\n" {
		t.Errorf("limits are %q, %v", out, err)
	}
}
