package main

import (
	"encoding/json"
	"os"
	"sync"
	"time"

	"dsd/check"
	"dsd/internal/cmdline"
)

// timeLog writes what --times asks for, a JSON object a line: the seconds for loading and lowering functions
// before the first of them is analyzed, then a line for each.
type timeLog struct {
	mu   sync.Mutex
	last time.Time // when the last line was written
	file *os.File
	err  error
}

func newTimeLog(name string) (*timeLog, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, cmdline.Usagef("--times: %v", err)
	}
	return &timeLog{last: time.Now(), file: f}, nil
}

// begin records that functions are lowered.
func (l *timeLog) begin() {
	if l == nil {
		return
	}
	l.mu.Lock()
	d := time.Since(l.last)
	l.mu.Unlock()
	l.write(map[string]float64{"loaded": d.Seconds()})
}

func (l *timeLog) took(t check.Timing) { l.write(t) }

func (l *timeLog) write(line any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := json.NewEncoder(l.file).Encode(line); l.err == nil {
		l.err = err
	}
	l.last = time.Now()
}

// close ends the log, and reports what went wrong while it was written.
func (l *timeLog) close() error {
	if l == nil {
		return nil
	}
	if err := l.file.Close(); l.err == nil {
		l.err = err
	}
	return l.err
}
