package run

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"
	"unsafe"
)

// TestShow: what is shown of a variant is read as it was; what was cut off as the process died is left out.
func TestShow(t *testing.T) {
	w := &worker{shared: make([]byte, SharedSize)}
	w.at = (*[4]uint64)(unsafe.Pointer(&w.shared[0]))
	w.candidate.stmts = make([]statement, 5)
	w.candidate.lits = []slot{{stmt: 0, bits: math.MaxUint64}, {stmt: 2, text: "new"}, {stmt: 3, text: "same"}}
	w.climb.own = []slot{{stmt: 0}, {stmt: 2, text: "old"}, {stmt: 3, text: "same"}}
	w.candidate.stmts[4].left = true
	w.list()
	w.show()
	want := []Change{{Stmt: 0, Bits: math.MaxUint64}, {Stmt: 2, Text: []byte("new")}, {Stmt: 4, Dropped: true}}
	got := ReadChanges(w.shared)
	for i := range got {
		if len(got[i].Text) == 0 {
			got[i].Text = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it reads %+v, want %+v", got, want)
	}
	for n := w.at[3]; n > 0; n-- {
		binary.NativeEndian.PutUint64(w.shared[24:], n-1)
		if list := ReadChanges(w.shared); len(list) > len(want) {
			t.Errorf("of %d bytes %+v", n-1, list)
		}
	}
}

// FuzzShown: whatever a process left behind is read, and comes to an end.
func FuzzShown(f *testing.F) {
	f.Add(uint64(3), []byte{1, 2, 3})
	f.Add(uint64(1), []byte{0x80})
	f.Add(uint64(12), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, n uint64, text []byte) {
		shared := make([]byte, sharedHead+len(text))
		copy(shared[sharedHead:], text)
		binary.NativeEndian.PutUint64(shared[24:], n)
		if list := ReadChanges(shared); len(list) > len(text) {
			t.Errorf("%d changes of %d bytes", len(list), len(text))
		}
	})
}
