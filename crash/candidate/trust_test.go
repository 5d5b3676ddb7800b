package candidate

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"
	"time"
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
		"ends before it runs anything",
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
		found := want == ""
		for _, w := range strings.Split(want, "|") {
			found = found || strings.Contains(said, w)
		}
		if !found || want == "" && err != nil {
			t.Errorf("lie %d: got %v, %.300q; want %q", how, err, said, want)
		}
	}
}

// TestReadReport: no more is read, or kept, than is announced and arrives.
func TestReadReport(t *testing.T) {
	for text, want := range map[string]string{
		"\x02\x00\x00\x00{}x": "", "": "EOF", "\x02": "unexpected EOF", "\x03\x00\x00\x00{}": "unexpected EOF",
		"\xff\xff\xff\xff{}": "a report of 4294967295 bytes", "\xff\xff\xff\x0f{}": "unexpected EOF",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, err := readReport(bytes.NewReader([]byte(text)))
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
