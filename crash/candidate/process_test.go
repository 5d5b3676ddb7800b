package candidate

import (
	"testing"
	"time"
)

// TestExceeded: what ends a candidate is what it does, and not what else the machine does.
func TestExceeded(t *testing.T) {
	timed := Limits{Timeout: time.Second}
	counted := Limits{Timeout: time.Second, Processor: 5 * time.Second}
	for _, tt := range []struct {
		what             string
		l                Limits
		ago, cpu, queued float64 // in seconds
		want             bool
	}{
		{"it runs", timed, 0.9, 0.9, 0, false},
		{"it runs long", timed, 1, 1, 0, true},
		{"it runs long, beside others", timed, 8, 1, 7, true},
		{"it runs, beside others", timed, 8, 0.9, 7.1, false},
		{"it waits", timed, 2.9, 0, 0, false},
		{"it waits long", timed, 3, 0, 0, true},
		{"it gets no processor", timed, 8, 0, 8, false},
		{"it gets none for very long", timed, 30, 0, 30, true},
		{"it runs, counted", counted, 4.9, 4.9, 0, false},
		{"it runs long, counted", counted, 5, 5, 0, true},
		{"it waits long, counted", counted, 3.5, 0.5, 0, true},
	} {
		seconds := func(x float64) time.Duration { return time.Duration(x * float64(time.Second)) }
		if got := tt.l.exceeded(seconds(tt.ago), seconds(tt.cpu), seconds(tt.queued)); got != tt.want {
			t.Errorf("%s: exceeded is %v", tt.what, got)
		}
	}
}
