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

// NewTraceWriter writes the header. It fills in an empty h.Schema and nil lists. For a compressed
// trace, the caller passes a gzip.Writer and closes it after the TraceWriter.
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

// WriteSample writes a line. A sample that TraceReader would refuse is an error and is not written.
func (t *TraceWriter) WriteSample(s Sample) error {
	bad := checkSample(&t.header, s.Point, len(s.Values), s.Test)
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

// Close flushes the buffer. It does not close the underlying writer.
func (t *TraceWriter) Close() error { return t.out.Flush() }

// checkSample checks the point, the number of values and the test of a sample against the header.
func checkSample(h *TraceHeader, point, values, test int) *violation {
	if point < 0 || point >= len(h.Points) {
		return violated("%d is not a point (the header declares %d)", point, len(h.Points)).in(".p")
	}
	if p := h.Points[point]; values != len(p.Vars) {
		bad := violated("%d values for the %d variables of %s at %s", values, len(p.Vars), p.Func, p.At)
		return bad.in(".v")
	}
	if test < 0 || test > len(h.Witnesses) {
		return violated("%d is not a test (the header has %d)", test, len(h.Witnesses)).in(".t")
	}
	return nil
}
