package dtrace

import (
	"io"
	"testing"
)

func BenchmarkS(b *testing.B) {
	for range b.N {
		if _, err := Invariants([]string{"/tmp/schedule.decls", "/tmp/schedule.dtrace"}, 0.99, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
func BenchmarkT(b *testing.B) {
	for range b.N {
		if _, err := Invariants([]string{"/tmp/schedule2.decls", "/tmp/schedule2.dtrace"}, 0.99, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
