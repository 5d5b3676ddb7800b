package candidate

import (
	"os/exec"
	"testing"
	"time"
)

// TestQueueClock: of two processes that want the same processor, each waits about half of the time; one that sleeps
// does not wait for a processor; and what a process waited is not taken back when it becomes another program.
func TestQueueClock(t *testing.T) {
	start := func(command ...string) int {
		cmd := exec.Command("taskset", append([]string{"-c", "0"}, command...)...)
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd.Process.Pid
	}
	const busy = "while :; do :; done"
	first, _ := start("sh", "-c", busy), start("sh", "-c", busy)
	asleep := start("sleep", "60")
	clock := newQueueClock(first)
	clock.read()
	time.Sleep(time.Second)
	got := clock.read()
	if got < 100*time.Millisecond || got > 2*time.Second {
		t.Errorf("the busy one waited %v", got)
	}
	clock.pid = asleep // fewer threads, or younger ones
	if again := clock.read(); again < got {
		t.Errorf("it waited %v, then %v", got, again)
	}
	if got := newQueueClock(asleep).read(); got > 300*time.Millisecond {
		t.Errorf("the sleeping one waited %v", got)
	}
	if got := newQueueClock(1 << 30).read(); got != 0 {
		t.Errorf("no process waited %v", got)
	}
}
