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

// memoryLimiter keeps the memory of the process within a limit. A nil memoryLimiter does nothing.
type memoryLimiter struct {
	limit int64

	mu        sync.Mutex
	changed   *sync.Cond
	throttled bool       // whether no analysis may begin
	running   []*limited // in the order of their beginning
}

// limited is a running analysis.
type limited struct {
	giveUp  context.CancelCauseFunc
	givenUp bool
}

// limitMemory starts a memoryLimiter and returns it with a function that stops it. Without a limit, the limiter is nil.
// It returns an error if the lowered functions alone exceed the limit, in bytes.
func limitMemory(limit int64) (m *memoryLimiter, stop func(), err error) {
	if limit == 0 {
		return nil, func() {}, nil
	}
	m = &memoryLimiter{limit: limit}
	m.changed = sync.NewCond(&m.mu)
	if used := resident(); float64(used) > nearLimit*float64(limit) {
		debug.FreeOSMemory()
		if used = resident(); float64(used) > nearLimit*float64(limit) {
			return nil, nil, fmt.Errorf("--max-memory %s is too low: the module alone takes %s", text.Size(limit),
				text.Size(used))
		}
	}
	return m, every(memoryPause, m.poll), nil
}

// poll compares the memory of the process with the limit.
func (m *memoryLimiter) poll() {
	used := resident()
	if used > m.limit {
		debug.FreeOSMemory()
		used = resident()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.throttled = float64(used) > nearLimit*float64(m.limit)
	if !m.throttled {
		m.changed.Broadcast()
	}
	if used <= m.limit || len(m.running) == 0 || m.running[0].givenUp {
		return // at most one is given up at a time
	}
	m.running[0].givenUp = true
	m.running[0].giveUp(errMemory)
}

// begin waits until there is memory, or nothing else runs, and returns a context for an analysis, which ends
// when it is given up, and a function that ends it.
func (m *memoryLimiter) begin(ctx context.Context) (context.Context, func()) {
	if m == nil {
		return ctx, func() {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.throttled && len(m.running) > 0 {
		m.changed.Wait()
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	a := &limited{giveUp: giveUp}
	m.running = append(m.running, a)
	return ctx, func() {
		giveUp(nil)
		m.mu.Lock()
		defer m.mu.Unlock()
		for i, other := range m.running {
			if other == a {
				m.running = append(m.running[:i], m.running[i+1:]...)
				break
			}
		}
		m.changed.Broadcast()
	}
}
