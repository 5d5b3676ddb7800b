//go:build !linux

package candidate

import "time"

// cpuTime returns 0: the processor time of another process is not known.
func cpuTime(int) time.Duration { return 0 }

// A queueClock measures nothing: how long another process waits for a processor is not known.
type queueClock struct{}

func newQueueClock(int) *queueClock { return &queueClock{} }

func (*queueClock) read() time.Duration { return 0 }
