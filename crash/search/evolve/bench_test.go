package evolve

import (
	"context"
	"testing"
	"time"
)

// BenchmarkSearch measures the fitness evaluations per second of one search, driver and harness
// together, for a crash that cannot be found.
func BenchmarkSearch(b *testing.B) {
	s, _ := newSearcher(b, "nil-map")
	for b.Loop() {
		result, err := s.Search(context.Background(), Options{
			Tests: true, Values: true, Evolve: true, Seed: 1,
			Until: time.Now().Add(3 * time.Second),
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(result.Evaluated)/3, "evaluations/s")
	}
}
