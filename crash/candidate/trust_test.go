package candidate

import (
	"bytes"
	"context"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate/run"
)

// TestLies checks that a process that sends false reports ends only its own search: the parent neither panics nor waits for
// data that never arrives.
func TestLies(t *testing.T) {
	f := build(t, ResetReinit)
	for how, want := range []string{
		"", // the size of the shared memory is sealed
		"exit status",
		"an event of candidate 1000000 of 2",
		"an event in statement -5 of ",
		"exit status 7|integer divide by zero",
	} {
		r := f.NewRunner(DefaultLimits)
		begin := time.Now()
		events, err := r.Run(context.Background(), []Program{f.call("Lie", how), f.call("Div", 1, 0)})
		r.Close()
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("lie %d took %v", how, took)
		}
		said := ""
		if err != nil {
			said = err.Error()
		}
		for _, e := range events {
			if e.Index > 1 {
				t.Errorf("lie %d: an event of candidate %d", how, e.Index)
			}
			said += " " + e.Text
		}
		found := true
		for _, w := range strings.Split(want, "|") {
			found = found && strings.Contains(said, w)
		}
		if !found || want == "" && err != nil {
			t.Errorf("lie %d: got %v, %.300q; want %q", how, err, said, want)
		}
	}
}

// TestReadText: no more is read, or kept, than is announced and arrives.
func TestReadText(t *testing.T) {
	for text, want := range map[string]string{
		"\x02\x00\x00\x00{}x": "", "": "EOF", "\x02": "unexpected EOF", "\x03\x00\x00\x00{}": "unexpected EOF",
		"\xff\xff\xff\xff{}": "a report of 4294967295 bytes", "\xff\xff\xff\x0f{}": "unexpected EOF",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := readText(bytes.NewReader([]byte(text)))
		runtime.ReadMemStats(&after)
		if said := ""; err != nil {
			if said = err.Error(); said != want {
				t.Errorf("%q: got %s, want %s", text, said, want)
			}
		} else if want != "" || string(got) != "{}" {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%q: took %d bytes of memory", text, n)
		}
	}
}

// FuzzReport: whatever a process reports, and leaves in the shared memory, is refused, or is about candidates that there
// are, which can be written as tests.
func FuzzReport(f *testing.F) {
	fx := build(f, ResetReinit)
	batch := []Program{fx.call("Div", 1, 0), fx.call("Div", 4, 2),
		{fx.int(9), fx.int(7), fx.int(1), fx.stmt("Div", 1, 2)}} // the first statement is not needed
	for _, report := range []string{
		`{"events": [{"i": 1, "kind": "panic", "stmt": 2, "text": "panic: x", "blocks": [0]}], "panics": 1, "goroutines": 1}`,
		`{"events": [{"i": 0, "kind": "panic", "stmt": 2, "changes": [{"stmt": 1, "bits": 5, "text": "YQ=="}, {"stmt": 0, "bits": 3}]}],
		"goroutines": 500, "distances": "AAAAAAAAgD8AAIA/", "stacks": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "evaluated": 9,
		"changed": [{"i": 2, "changes": [{"stmt": 1, "bits": 7}]}], "fault": "x"}`,
		`{"events": [{"i": 2, "stmt": 3, "changes": [` + strings.Repeat(`{"stmt": 0, "dropped": true}, `, 5) + `{"stmt": 0, "dropped": true}]}]}`,
		`{"events": [{"i": 2, "stmt": 3, "changes": [{"stmt": -1, "dropped": true}]}], "changed": [{"i": 0, "changes": [{"stmt": 9}]}]}`,
	} {
		f.Add(uint32(len(report)), []byte(report), []byte{5, 5, 5})
	}
	f.Fuzz(func(t *testing.T, size uint32, report, left []byte) {
		head := binary.LittleEndian.AppendUint32(nil, size)
		rep, err := readReport(bytes.NewReader(append(head, report...)))
		if err == nil {
			err = fx.check(rep, []int{0, 1, 2}, batch, 2)
		}
		var events []Event
		if err == nil {
			r := &Runner{h: fx.Harness, Distances: make([]float32, 3), Stacks: make([]uint64, 3), Best: make([]Program, 3)}
			events = r.record(rep, []int{0, 1, 2}, batch)
			for i, best := range r.Best {
				if best != nil {
					events = append(events, Event{Index: i, Variant: best})
				}
			}
		}
		shared := make([]byte, run.SharedSize)
		copy(shared, left)
		died := Event{Index: 1, Stmt: 2}
		died.setVariant(batch[1], run.ReadChanges(shared), fx.Table)
		for _, e := range append(events, died) {
			if e.Index < 0 || e.Index >= len(batch) {
				t.Fatalf("an event of candidate %d", e.Index)
			}
			program := e.Program(batch)
			if e.Stmt < 0 || e.Stmt > len(program) {
				t.Fatalf("an event in statement %d of %d", e.Stmt, len(program))
			}
			if _, err := program.WriteTest(fx.pkg, fx.Table, "TestX", "x", false); err != nil {
				t.Fatal(err)
			}
		}
	})
}
