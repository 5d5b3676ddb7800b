package search

import (
	"context"
	"testing"
	"time"
)

// BenchmarkSearch measures fitness evaluations a second of one search, driver and harness together, of a crash that cannot be
// found.
func BenchmarkSearch(b *testing.B) {
	prog, _ := load(b)
	pkg := prog.Package("tested/carved")
	s, err := NewSearcher(context.Background(), prog, pkg, &StackTrace{Kind: "nil-map", Frames: cutFrames(pkg)}, nil)
	if err != nil || s == nil {
		b.Fatal(s, err)
	}
	defer s.Close()
	for b.Loop() {
		found, err := s.Search(context.Background(), EvolveOptions{Tests: true, Values: true, Evolve: true, Seed: 1, Until: time.Now().Add(3 * time.Second)})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(found.Evaluated)/3, "evaluations/s")
	}
}
