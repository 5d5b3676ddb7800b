package infer

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"dsd/schemas"
)

// comparePoints compares points in the order of a trace: by function, entry before exit, then by
// variables. An interface's method has several points if packages call it that name its types
// differently.
func comparePoints(a, b schemas.TracePoint) int {
	return cmp.Or(
		cmp.Compare(a.Func, b.Func),
		cmp.Compare(a.At, b.At),
		slices.CompareFunc(a.Vars, b.Vars, func(x, y schemas.TraceVar) int {
			return cmp.Or(
				cmp.Compare(x.Name, y.Name),
				cmp.Compare(x.Type, y.Type),
				cmp.Compare(x.Rep, y.Rep),
				cmp.Compare(x.Pointer, y.Pointer),
			)
		}),
	)
}

// canonical returns points sorted and without duplicates, and for each of the given points its
// index in the result.
func canonical(points []schemas.TracePoint) (ordered []schemas.TracePoint, at []int) {
	ordered = slices.Clone(points)
	slices.SortStableFunc(ordered, comparePoints)
	ordered = slices.CompactFunc(ordered, func(a, b schemas.TracePoint) bool {
		return comparePoints(a, b) == 0
	})
	for _, p := range points {
		i, _ := slices.BinarySearchFunc(ordered, p, comparePoints)
		at = append(at, i)
	}
	return ordered, at
}

// Merge writes one trace with the samples of several traces of one module, as if one run had made
// them all. The operation is associative and commutative. Merge keeps one sample of each trace in
// memory, and the merged ones in a temporary file, since the header counts them.
//
// Errors: those of reading and writing, and traces of different modules.
func Merge(w io.Writer, traces []*schemas.TraceReader) error {
	header, err := mergeHeaders(traces)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp("", "dsd-merge-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	samples, err := mergeSamples(tmp, header, traces)
	if err != nil {
		return err
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReader(tmp)
	if _, err := in.ReadBytes('\n'); err != nil { // a header without the count
		return err
	}
	header.Samples = samples
	out, err := schemas.NewTraceWriter(w, header)
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	_, err = io.Copy(w, in)
	return err
}

// mergeSamples writes a trace with the samples of several traces, and returns how many there are.
func mergeSamples(
	w io.Writer, header schemas.TraceHeader, traces []*schemas.TraceReader,
) (written int64, err error) {
	out, err := schemas.NewTraceWriter(w, header)
	if err != nil {
		return 0, err
	}
	var cursors []*cursor
	for _, t := range traces {
		c, err := newCursor(t, &header)
		if err != nil {
			return 0, err
		}
		cursors = append(cursors, c)
	}
	for {
		var least *cursor
		for _, c := range cursors {
			if !c.done && (least == nil || compareSamples(&c.sample, &least.sample) < 0) {
				least = c
			}
		}
		if least == nil {
			return written, out.Close()
		}
		s := least.sample
		s.Count = 0
		for _, c := range cursors {
			for !c.done && compareSamples(&c.sample, &s) == 0 {
				s.Count += c.sample.Count
				if s.Test == 0 || c.sample.Test > 0 && c.sample.Test < s.Test {
					s.Test = c.sample.Test
				}
				if err := c.next(); err != nil {
					return 0, err
				}
			}
		}
		if err := out.WriteSample(s); err != nil {
			return 0, err
		}
		written++
	}
}

// mergeHeaders returns the header of the merged trace.
func mergeHeaders(traces []*schemas.TraceReader) (header schemas.TraceHeader, err error) {
	var points []schemas.TracePoint
	for i, t := range traces {
		h := t.Header
		switch {
		case i == 0:
			header.Module = h.Module
		case h.Module.Path != header.Module.Path || h.Module.Go != header.Module.Go:
			return header, fmt.Errorf("%s: a trace of module %s cannot be merged with one of %s",
				t.Name(), describe(h.Module), describe(header.Module))
		}
		header.Incomplete = header.Incomplete || h.Incomplete
		header.Tests += h.Tests
		header.Packages = append(header.Packages, h.Packages...)
		header.LeftOut = append(header.LeftOut, h.LeftOut...)
		header.Witnesses = append(header.Witnesses, h.Witnesses...)
		header.Sampled = append(header.Sampled, h.Sampled...)
		header.Dropped += h.Dropped
		points = append(points, h.Points...)
	}
	slices.Sort(header.Witnesses)
	header.Witnesses = slices.Compact(header.Witnesses)
	header.Sampled = sumSampled(header.Sampled)
	slices.Sort(header.Packages)
	header.Packages = slices.Compact(header.Packages)
	slices.SortFunc(header.LeftOut, func(a, b schemas.LeftOut) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason))
	})
	header.LeftOut = slices.Compact(header.LeftOut)
	header.Points, _ = canonical(points)
	return header, nil
}

// sumSampled adds up the entries of each function and sorts them by function.
func sumSampled(list []schemas.Sampled) []schemas.Sampled {
	slices.SortStableFunc(list, func(a, b schemas.Sampled) int {
		return cmp.Compare(a.Func, b.Func)
	})
	var out []schemas.Sampled
	for _, s := range list {
		if n := len(out); n > 0 && out[n-1].Func == s.Func {
			out[n-1].Calls += s.Calls
			out[n-1].Observed += s.Observed
			continue
		}
		out = append(out, s)
	}
	return out
}

// describe returns the path of a module and its version of Go.
func describe(m schemas.Module) string { return strings.TrimSpace(m.Path + " " + m.Go) }

// cursor is a position in a trace: the first sample that is not written yet.
type cursor struct {
	trace  *schemas.TraceReader
	at     []int // by point of the trace: its index in the merged trace
	tests  []int // by test of the trace: its number in the merged trace, from 1
	sample schemas.Sample
	done   bool // there are no more samples
}

// newCursor returns a cursor at the first sample of t. header is the header of the merged trace.
func newCursor(t *schemas.TraceReader, header *schemas.TraceHeader) (*cursor, error) {
	c := &cursor{trace: t}
	for _, p := range t.Header.Points {
		i, _ := slices.BinarySearchFunc(header.Points, p, comparePoints)
		c.at = append(c.at, i)
	}
	for _, test := range t.Header.Witnesses {
		i, _ := slices.BinarySearch(header.Witnesses, test)
		c.tests = append(c.tests, i+1)
	}
	return c, c.next()
}

// next moves to the next sample. It checks that samples are in order.

func (c *cursor) next() error {
	s, err := c.trace.Next()
	if errors.Is(err, io.EOF) {
		c.done = true
		return nil
	}
	if err != nil {
		return err
	}
	s.Point = c.at[s.Point]
	if s.Test > 0 {
		s.Test = c.tests[s.Test-1]
	}
	if c.sample.Values != nil && compareSamples(&c.sample, &s) > 0 {
		return fmt.Errorf("%s: samples are not in order: trace the tests again", c.trace.Name())
	}
	c.sample = s
	return nil
}

// compareSamples compares samples in the order of a trace: by point, then by their values.
func compareSamples(a, b *schemas.Sample) int {
	return cmp.Or(
		cmp.Compare(a.Point, b.Point),
		cmp.Compare(strings.Join(a.Values, "\t"), strings.Join(b.Values, "\t")),
	)
}
