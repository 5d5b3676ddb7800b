package run

import (
	"encoding/binary"
	"math"
	"reflect"
	"testing"
	"unsafe"
)

// changesOffset is the offset of Progress.Changes.
const changesOffset = unsafe.Offsetof(Progress{}.Changes)

// TestPublish checks that ReadChanges returns what publish wrote, and no more of a truncated text.
func TestPublish(t *testing.T) {
	w := &worker{shared: make([]byte, SharedSize)}
	w.progress = ProgressOf(w.shared)
	w.candidate.stmts = make([]statement, 5)
	w.candidate.lits = []literal{{stmt: 0, bits: math.MaxUint64}, {stmt: 2, text: "new"},
		{stmt: 3, text: "same"}}
	w.climb.own = []literal{{stmt: 0}, {stmt: 2, text: "old"}, {stmt: 3, text: "same"}}
	w.candidate.stmts[4].dropped = true
	w.listDropped()
	w.publish()
	want := []Change{{Stmt: 0, Bits: math.MaxUint64}, {Stmt: 2, Text: []byte("new")},
		{Stmt: 4, Dropped: true}}
	got := ReadChanges(w.shared)
	for i := range got {
		if len(got[i].Text) == 0 {
			got[i].Text = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for n := w.progress.Changes; n > 0; n-- {
		binary.NativeEndian.PutUint64(w.shared[changesOffset:], n-1)
		if list := ReadChanges(w.shared); len(list) > len(want) {
			t.Errorf("%d bytes hold %+v", n-1, list)
		}
	}
}

// FuzzReadChanges checks that ReadChanges terminates on whatever a process left behind.
func FuzzReadChanges(f *testing.F) {
	f.Add(uint64(3), []byte{1, 2, 3})
	f.Add(uint64(1), []byte{0x80})
	f.Add(uint64(12), []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, n uint64, text []byte) {
		shared := make([]byte, sharedHead+len(text))
		copy(shared[sharedHead:], text)
		binary.NativeEndian.PutUint64(shared[changesOffset:], n)
		if list := ReadChanges(shared); len(list) > len(text) {
			t.Errorf("%d changes in %d bytes", len(list), len(text))
		}
	})
}

// TestHead checks that a head survives encoding.
func TestHead(t *testing.T) {
	want := Head{Size: 1, Count: 2, First: 1 << 40, Variants: 3, Bound: 1.5, VocabularySize: 4,
		Time: 5000, Target: 7, All: true}
	var b [HeadSize]byte
	want.Put(b[:])
	var got Head
	if got.get(b[:]); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
