package check

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMemoryLimiter: near the limit nothing begins while something runs, and beyond it what runs longest is given up.
func TestMemoryLimiter(t *testing.T) {
	used := int64(10)
	m, stop, err := limitMemory(1 << 40)
	if err != nil {
		t.Fatal(err)
	}
	stop() // the test looks itself
	before := resident
	defer func() { resident = before }()
	m.limit, resident = 100, func() int64 { return used }

	first, endFirst := m.begin(context.Background())
	second, endSecond := m.begin(context.Background())
	used = 90
	m.poll()
	begun := make(chan func())
	go func() {
		_, end := m.begin(context.Background())
		begun <- end
	}()
	select {
	case <-begun:
		t.Fatal("an analysis began near the limit")
	case <-time.After(20 * time.Millisecond):
	}
	if first.Err() != nil {
		t.Error("given up before the limit")
	}
	used = 101
	m.poll()
	m.poll()
	if context.Cause(first) != errMemory || second.Err() != nil {
		t.Errorf("causes %v, %v: want the first one given up", context.Cause(first), context.Cause(second))
	}
	endFirst()
	m.poll()
	if context.Cause(second) != errMemory {
		t.Error("the second is not given up")
	}
	used = 10
	endSecond()
	(<-begun)()
	if len(m.running) != 0 {
		t.Errorf("%d run", len(m.running))
	}
}

// TestMaxMemory: what takes too much is skipped with the reason; a limit below what the module takes is an error.
func TestMaxMemory(t *testing.T) {
	prog := load(t, filepath.Join("testdata", "panics"))
	_, err := Run(context.Background(), prog, Options{MaxMemory: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "--max-memory 1 MiB is too low: the module alone takes ") {
		t.Errorf("with 1 MiB: %v", err)
	}
	doc, err := Run(context.Background(), prog, Options{MaxMemory: 1 << 40})
	if err != nil || len(doc.Warnings) == 0 {
		t.Errorf("with 1 TiB: %v", err)
	}
	c, b := lowered(t, prog, Options{Jobs: 1, MaxMemory: 1 << 40})
	before := resident
	defer func() { resident = before }()
	calls := 0
	resident = func() int64 { // too much for a while
		if calls++; calls > 1 && calls < 8 {
			return 1 << 41
		}
		return 1
	}
	if err := c.analyze(context.Background(), b, 0); err != nil {
		t.Fatal(err)
	}
	given := 0
	for _, s := range c.document("").Skipped {
		if strings.HasPrefix(s.Reason, "given up: it takes more memory than --max-memory 1024 GiB allows") {
			given++
		}
	}
	if given == 0 || given > 4 {
		t.Errorf("%d functions given up", given)
	}
}
