package main

import (
	"encoding/json"
	"os"
	"sync"
	"time"

	"dsd/check"
	"dsd/internal/cmdline"
)

// timeLog writes what --times asks for, a JSON object a line: first the seconds before the first function is
// analyzed, for loading and lowering all of them, then a line per function.
type timeLog struct {
	start time.Time
	mu    sync.Mutex
	file  *os.File
	err   error
}

func newTimeLog(name string) (*timeLog, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, cmdline.Usagef("--times: %v", err)
	}
	return &timeLog{start: time.Now(), file: f}, nil
}

// begin records that all functions are lowered.
func (l *timeLog) begin() {
	l.write(map[string]float64{"loaded": time.Since(l.start).Seconds()})
}

func (l *timeLog) took(t check.Timing) { l.write(t) }

func (l *timeLog) write(line any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := json.NewEncoder(l.file).Encode(line); l.err == nil {
		l.err = err
	}
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
