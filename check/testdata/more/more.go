package more

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// What functions without a body write through their arguments may be anything: bytes that are read,
// and what pointers in interfaces point to.

func FirstRead(r io.Reader) byte {
	b := make([]byte, 4)
	if r != nil {
		r.Read(b)
	}
	return b[b[0]] // want index
}

func AllRead(r io.Reader) []byte {
	b := make([]byte, 4)
	if r == nil {
		return nil
	}
	if _, err := io.ReadFull(r, b); err != nil {
		return nil
	}
	return make([]byte, int32(binary.BigEndian.Uint32(b))) // want makeslice
}

func FileRead(f *os.File) byte {
	b := make([]byte, 4)
	f.Read(b)
	return b[b[1]] // want index
}

// PastRead looks at a byte that was not read.
func PastRead(r io.Reader) byte {
	b := make([]byte, 4)
	if r == nil {
		return 0
	}
	if n, _ := r.Read(b[:2]); n > 2 {
		return b[9]
	}
	return b[b[3]]
}

func SizeRead(r io.Reader) []byte {
	var n int32
	binary.Read(r, binary.BigEndian, &n)
	return make([]byte, n) // want makeslice
}

func Scanned(s string) byte {
	var n int
	fmt.Sscan(s, &n)
	return make([]byte, 3)[n] // want index
}

type decoded struct {
	A    int
	Next *decoded
}

func Unmarshaled(b []byte) int {
	var d decoded
	if json.Unmarshal(b, &d) != nil {
		return 0
	}
	return d.Next.A // want nil-deref
}

// Formatted passes a pointer to a function that only reads.
func Formatted() (byte, string) {
	n := 1
	s := fmt.Sprint(&n)
	return make([]byte, 3)[n], s
}

// AnyKeys visits the keys that the map has, which are comparable.
func AnyKeys(m map[any]int) (list []any) {
	for k := range m {
		list = append(list, k)
	}
	return list
}

// CopyKeys stores keys of one map in another.
func CopyKeys(m map[any]int) map[any]bool {
	out := map[any]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

func HasKey(m map[any]int, k any) bool {
	_, ok := m[k] // want uncomparable
	return ok
}

// ownReader is a reader, but not the only one.
type ownReader struct{ left int }

func (r *ownReader) Read(b []byte) (int, error) { return 1, nil }

func Before(r io.Reader) byte {
	b := make([]byte, 2)
	if r == nil {
		return 0
	}
	n, _ := r.Read(b)
	return b[n-1] // want index
}

// Nested goes on to the next byte each time, until there is none.
func Nested(data []byte, i int) bool {
	if 0 <= i && i < len(data) && data[i] == '[' {
		return Nested(data, i+1)
	}
	return false
}

// Upwards and Downwards end at a limit, or not.
func Upwards(n, limit int) int {
	if n >= limit {
		return 0
	}
	return 1 + Upwards(n+1, limit)
}

func Downwards(n, limit int) int {
	if n > limit {
		return 0
	}
	return 1 + Downwards(n-1, limit) // want stack-overflow
}
