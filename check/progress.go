package check

import (
	"sync"
	"time"
)

// Progress is the state of a run.
type Progress struct {
	Functions, Total, Warnings int
	// Left is the time that the rest may take, if it goes on as until now; 0 if that is not known yet.
	Left time.Duration
	// Busy is a function whose analysis takes long; "" if there is none.
	Busy string
}

// Times of reporting the progress.
const (
	progressPause = 200 * time.Millisecond
	longAnalysis  = 3 * time.Second
)

// tracker keeps track of the progress of a run.
type tracker struct {
	mu    sync.Mutex
	begun time.Time
	state Progress
	// deadline is when the budget is spent; zero if there is none.
	deadline time.Time
	// running are the functions being analyzed, with the time when that began.
	running map[string]time.Time
}

// track returns a tracker of a run of that many functions, and a function that ends it. Until then it
// reports from time to time, if report is not nil. deadline is zero if there is none.
func track(total int, deadline time.Time, report func(Progress)) (t *tracker, stop func()) {
	t = &tracker{
		begun: time.Now(), deadline: deadline, state: Progress{Total: total},
		running: map[string]time.Time{},
	}
	if report == nil {
		return t, func() {}
	}
	return t, every(progressPause, func() { report(t.progress(time.Now())) })
}

// every calls do after each pause, until stop is called and do has returned.
func every(pause time.Duration, do func()) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		ticker := time.NewTicker(pause)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				do()
			}
		}
	})
	return func() { close(done); wg.Wait() }
}

// expect adds to the number of functions of the run.
func (t *tracker) expect(more int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.state.Total += more
}

// begin records that the analysis of a function begins, end that it ended with so many warnings.
func (t *tracker) begin(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running[name] = time.Now()
}

func (t *tracker) end(name string, warnings int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.running, name)
	t.state.Functions++
	t.state.Warnings += warnings
}

// progress returns the state at a time.
func (t *tracker) progress(now time.Time) Progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.state
	if p.Functions > 0 {
		p.Left = now.Sub(t.begun) / time.Duration(p.Functions) * time.Duration(p.Total-p.Functions)
	}
	if !t.deadline.IsZero() {
		p.Left = min(p.Left, max(0, t.deadline.Sub(now)))
	}
	longest := longAnalysis
	for name, begun := range t.running {
		if d := now.Sub(begun); d > longest {
			p.Busy, longest = name, d
		}
	}
	return p
}
