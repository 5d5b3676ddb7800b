package schemas

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// A TraceWriter writes a trace: the header, then a line for each sample.
type TraceWriter struct {
	out    *bufio.Writer
	enc    *json.Encoder // into out
	header TraceHeader
}

// NewTraceWriter writes the header line. An empty h.Schema is filled in, and so are nil lists. Compressing is the
// caller's: give it a gzip.Writer, and close that after the TraceWriter.
func NewTraceWriter(w io.Writer, h TraceHeader) (*TraceWriter, error) {
	line, err := encode(TraceName, &h.Header, &h, "")
	if err != nil {
		return nil, err
	}
	t := &TraceWriter{out: bufio.NewWriter(w), header: h}
	t.enc = json.NewEncoder(t.out)
	t.enc.SetEscapeHTML(false)
	_, err = t.out.Write(line)
	return t, err
}

// WriteSample writes a line. A sample that TraceReader would refuse is an error, and nothing is written.
func (t *TraceWriter) WriteSample(s Sample) error {
	bad := s.fits(&t.header)
	if bad == nil && s.Count < 1 {
		bad = violated("%d is less than 1", s.Count).in(".n")
	}
	if bad != nil {
		return fmt.Errorf("writing %s: %w", fullName(TraceName), bad)
	}
	if s.Values == nil {
		s.Values = []string{}
	}
	return t.enc.Encode(s)
}

// Close writes what is buffered. It does not close the writer below.
func (t *TraceWriter) Close() error { return t.out.Flush() }

// fits checks a sample against what the header declares.
func (s *Sample) fits(h *TraceHeader) *violation {
	if s.Point < 0 || s.Point >= len(h.Points) {
		return violated("%d is not a point (the header declares %d)", s.Point, len(h.Points)).in(".p")
	}
	if p := h.Points[s.Point]; len(s.Values) != len(p.Vars) {
		return violated("%d values for the %d variables of %s at %s", len(s.Values), len(p.Vars), p.Func, p.At).in(".v")
	}
	if s.Test < 0 || s.Test > len(h.Witnesses) {
		return violated("%d is not a test (the header has %d)", s.Test, len(h.Witnesses)).in(".t")
	}
	return nil
}
