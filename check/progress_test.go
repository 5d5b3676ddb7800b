package check

import (
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	tr, stop := track(4, time.Time{}, nil)
	defer stop()
	tr.begun = time.Unix(100, 0)
	tr.begin("m.Slow")
	tr.begin("m.Quick")
	tr.end("m.Quick", 2)
	tr.running["m.Slow"] = time.Unix(100, 0)
	want := Progress{Functions: 1, Total: 4, Warnings: 2, Left: 30 * time.Second, Busy: "m.Slow"}
	if got := tr.progress(time.Unix(110, 0)); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	tr.running["m.Slow"] = time.Unix(109, 0)
	tr.expect(3)
	if got := tr.progress(time.Unix(110, 0)); got.Total != 7 || got.Left != time.Minute {
		t.Errorf("got %+v, want 6 more functions to take a minute", got)
	}
	tr.deadline = time.Unix(115, 0)
	if got := tr.progress(time.Unix(110, 0)); got.Busy != "" || got.Left != 5*time.Second {
		t.Errorf("got %+v; want nothing busy after a second, and 5 s left of the budget", got)
	}
}
