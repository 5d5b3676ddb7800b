//go:build !linux

package candidate

import "time"

// cpuTime returns 0: the processor time of another process is not known.
func cpuTime(int) time.Duration { return 0 }

// queueTime returns 0: how long another process waits for a processor is not known.
func queueTime(int) time.Duration { return 0 }
