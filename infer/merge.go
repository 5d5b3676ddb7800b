package infer

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/schemas"
)

// comparePoints is the order in which a trace declares points: by function, entry before exit. An interface's method has several, if packages
// that name its types otherwise call it.
func comparePoints(a, b schemas.TracePoint) int {
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.At, b.At), slices.CompareFunc(a.Vars, b.Vars, func(x, y schemas.TraceVar) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Type, y.Type), cmp.Compare(x.Rep, y.Rep), cmp.Compare(x.Pointer, y.Pointer))
	}))
}

// canonical puts points in order, equal ones together. It returns them and, for each of the given, its place among them.
func canonical(points []schemas.TracePoint) (ordered []schemas.TracePoint, at []int) {
	ordered = slices.Clone(points)
	slices.SortStableFunc(ordered, comparePoints)
	ordered = slices.CompactFunc(ordered, func(a, b schemas.TracePoint) bool { return comparePoints(a, b) == 0 })
	for _, p := range points {
		i, _ := slices.BinarySearchFunc(ordered, p, comparePoints)
		at = append(at, i)
	}
	return ordered, at
}

// Merge writes one trace that has the samples of several of one module, as if one run had made them all: it does not matter which were merged
// first. It holds one sample of each in memory. Errors: those of reading, and traces that do not belong together.
func Merge(w io.Writer, traces []*schemas.TraceReader) error {
	var header schemas.TraceHeader
	var points []schemas.TracePoint
	for i, t := range traces {
		h := t.Header
		switch {
		case i == 0:
			header.Module = h.Module
		case h.Module.Path != header.Module.Path || h.Module.Go != header.Module.Go:
			return fmt.Errorf("%s: a trace of module %s cannot be merged with one of %s", t.Name(), describe(h.Module), describe(header.Module))
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
	out, err := schemas.NewTraceWriter(w, header)
	if err != nil {
		return err
	}
	var heads []*cursor
	for _, t := range traces {
		h := &cursor{trace: t}
		for _, p := range t.Header.Points {
			i, _ := slices.BinarySearchFunc(header.Points, p, comparePoints)
			h.at = append(h.at, i)
		}
		for _, test := range t.Header.Witnesses {
			i, _ := slices.BinarySearch(header.Witnesses, test)
			h.tests = append(h.tests, i+1)
		}
		if err := h.next(); err != nil {
			return err
		}
		heads = append(heads, h)
	}
	for {
		var least *cursor
		for _, h := range heads {
			if !h.done && (least == nil || compareSamples(&h.sample, &least.sample) < 0) {
				least = h
			}
		}
		if least == nil {
			return out.Close()
		}
		s := least.sample
		s.Count = 0
		for _, h := range heads {
			for !h.done && compareSamples(&h.sample, &s) == 0 {
				s.Count += h.sample.Count
				if s.Test == 0 || h.sample.Test > 0 && h.sample.Test < s.Test {
					s.Test = h.sample.Test
				}
				if err := h.next(); err != nil {
					return err
				}
			}
		}
		if err := out.WriteSample(s); err != nil {
			return err
		}
	}
}

// sum adds up what is said of the same function, and puts the functions in order.
func sumSampled(list []schemas.Sampled) []schemas.Sampled {
	slices.SortStableFunc(list, func(a, b schemas.Sampled) int { return cmp.Compare(a.Func, b.Func) })
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

func describe(m schemas.Module) string { return strings.TrimSpace(m.Path + " " + m.Go) }

// head is the first sample of a trace that is not written yet.
type cursor struct {
	trace  *schemas.TraceReader
	at     []int // of its points among those of the merged trace
	tests  []int // likewise, from 1
	sample schemas.Sample
	done   bool
}

func (h *cursor) next() error {
	s, err := h.trace.Next()
	if errors.Is(err, io.EOF) {
		h.done = true
		return nil
	}
	if err != nil {
		return err
	}
	s.Point = h.at[s.Point]
	if s.Test > 0 {
		s.Test = h.tests[s.Test-1]
	}
	if h.sample.Values != nil && compareSamples(&h.sample, &s) > 0 {
		return fmt.Errorf("%s: its samples are not in order: trace the tests again", h.trace.Name())
	}
	h.sample = s
	return nil
}

// compareSamples is the order of samples in a trace: by point, then by their values.
func compareSamples(a, b *schemas.Sample) int {
	return cmp.Or(cmp.Compare(a.Point, b.Point), cmp.Compare(strings.Join(a.Values, "\t"), strings.Join(b.Values, "\t")))
}
