package candidate

import (
	"os/exec"
	"testing"
	"time"
)

// TestQueueTime: of two processes that want the same processor, each waits about half of the time; one that sleeps
// does not wait for a processor.
func TestQueueTime(t *testing.T) {
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
	time.Sleep(time.Second)
	if got := queueTime(first); got < 100*time.Millisecond || got > 2*time.Second {
		t.Errorf("the busy one waited %v", got)
	}
	if got := queueTime(asleep); got > 300*time.Millisecond {
		t.Errorf("the sleeping one waited %v", got)
	}
	if got := queueTime(1 << 30); got != 0 {
		t.Errorf("no process waited %v", got)
	}
}
