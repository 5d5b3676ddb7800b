package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"dsd/internal/subprocess"
	"dsd/internal/text"
)

// The memory that an analysis takes is not known before, and the solver's is no part of Go's heap. So the memory of
// the process is looked at. While it is near the limit, no analysis begins; beyond the limit, the one that
// has run longest is given up, and its function is listed as skipped.

// Parts of the limit: from nearLimit on no analysis begins.
const (
	nearLimit   = 0.85
	memoryPause = 50 * time.Millisecond
)

// errMemory is why an analysis was given up.
var errMemory = errors.New("memory")

// resident returns the memory of the process; a test replaces it.
var resident = func() int64 { return subprocess.Resident(os.Getpid()) }

// governor keeps the memory of the process within a limit. A nil governor does nothing.
type governor struct {
	limit int64

	mu      sync.Mutex
	changed *sync.Cond
	near    bool
	running []*governed // in the order of their beginning
}

// governed is an analysis that runs.
type governed struct {
	giveUp  context.CancelCauseFunc
	givenUp bool
}

// govern returns a governor, and a function that ends it; nil without a limit. The error says that the limit
// is too low for what is lowered.
func govern(limit int64) (g *governor, stop func(), err error) {
	if limit == 0 {
		return nil, func() {}, nil
	}
	g = &governor{limit: limit}
	g.changed = sync.NewCond(&g.mu)
	if used := resident(); float64(used) > nearLimit*float64(limit) {
		debug.FreeOSMemory()
		if used = resident(); float64(used) > nearLimit*float64(limit) {
			return nil, nil, fmt.Errorf("--max-memory %s is too low: the module alone takes %s", text.Size(limit),
				text.Size(used))
		}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		ticker := time.NewTicker(memoryPause)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				g.look()
			}
		}
	})
	return g, func() { close(done); wg.Wait() }, nil
}

// look compares the memory of the process with the limit.
func (g *governor) look() {
	used := resident()
	if used > g.limit {
		debug.FreeOSMemory()
		used = resident()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.near = float64(used) > nearLimit*float64(g.limit)
	if !g.near {
		g.changed.Broadcast()
	}
	if used <= g.limit || len(g.running) == 0 || g.running[0].givenUp {
		return // at most one is given up at a time
	}
	g.running[0].givenUp = true
	g.running[0].giveUp(errMemory)
}

// begin waits until there is memory, or nothing else runs, and returns a context for an analysis, which ends
// when it is given up, and a function that ends it.
func (g *governor) begin(ctx context.Context) (context.Context, func()) {
	if g == nil {
		return ctx, func() {}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.near && len(g.running) > 0 {
		g.changed.Wait()
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	a := &governed{giveUp: giveUp}
	g.running = append(g.running, a)
	return ctx, func() {
		giveUp(nil)
		g.mu.Lock()
		defer g.mu.Unlock()
		for i, other := range g.running {
			if other == a {
				g.running = append(g.running[:i], g.running[i+1:]...)
				break
			}
		}
		g.changed.Broadcast()
	}
}
