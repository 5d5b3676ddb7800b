package observe

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// FuzzSamples: whatever a process leaves in its files, reading them ends with lines or with an error.
func FuzzSamples(f *testing.F) {
	f.Add([]byte("0\t1\n"), int64(4), []byte("0\t1\n"))
	f.Add([]byte{}, int64(-1), []byte{})
	f.Add([]byte{}, int64(1<<62), []byte("x\n"))
	f.Add(make([]byte, SizeOfTail), int64(SizeOfTail+2), []byte("x\n"))
	f.Fuzz(func(t *testing.T, samples []byte, end int64, tail []byte) {
		name := filepath.Join(t.TempDir(), "samples-1")
		if err := os.WriteFile(name, samples, 0o600); err != nil {
			t.Fatal(err)
		}
		counts := make([]byte, Counts)
		binary.NativeEndian.PutUint64(counts, uint64(end))
		copy(counts[Tail:], tail)
		text, err := Samples(name, counts)
		if err == nil && len(text) > len(samples)+SizeOfTail {
			t.Errorf("%d bytes of %d", len(text), len(samples))
		}
		if err == nil && len(text) > 0 && text[len(text)-1] != '\n' {
			t.Errorf("%q is no whole line", text)
		}
	})
}
