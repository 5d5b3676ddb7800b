package subprocess

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the command that TestParentKilled kills: it starts a process that runs for long, and
// prints its number.
func TestMain(m *testing.M) {
	if os.Getenv("DSD_START_CHILD") == "" {
		os.Exit(m.Run())
	}
	cmd := exec.CommandContext(context.Background(), "sleep", "60")
	KillGroup(cmd)
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(cmd.Process.Pid)
	cmd.Wait()
}

// TestParentKilled: a process ends when the one that started it is killed.
func TestParentKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can do that")
	}
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "DSD_START_CHILD=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	parent.Process.Kill()
	parent.Wait()
	ends(t, pid)
}

// TestKillGroup checks that processes that the command started end with the context.
func TestKillGroup(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 60 & echo $!; wait")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	KillGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Fscan(out, &child); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	cancel()
	if err := cmd.Wait(); err == nil {
		t.Errorf("the killed command reported no error")
	}
	if d := time.Since(start); d > time.Second {
		t.Errorf("killing the command took %v", d)
	}
	ends(t, child)
}

// ends checks that a process ends soon.
func ends(t *testing.T, pid int) {
	t.Helper()
	for until := time.Now().Add(5 * time.Second); running(pid); {
		if time.Now().After(until) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("the child goes on")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// running reports whether a process runs. One that ended may stay in the table of processes until its
// new parent asks for its status.
func running(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}
