package cmdline

import (
	"bytes"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &Progress{w: &out}
	p.Done() // nothing was shown
	p.Update("%d of %d", 1, 9)
	p.Update("%d of %d", 2, 9) // too soon
	p.last = time.Now().Add(-progressPause)
	p.Update("%d of %d", 3, 9)
	p.Done()
	p.Done()
	if want := "\r1 of 9\x1b[K\r3 of 9\x1b[K\r\x1b[K"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	var none *Progress
	none.Update("nothing")
	none.Done()
	if IsTerminal(&out) {
		t.Error("a buffer is a terminal")
	}
}
