//go:build go1.21

package keep

import (
	"reflect"
	"sync"
	"unsafe"
)

// Ranging over a map while another goroutine writes to it ends the program, and no recover helps. So maps are read as they lie in
// memory, where the layout is as is thought, that of Go 1.24 and later; a test at the first use says so. What is read while it is being
// written may be half of it.

// table is a map of the runtime.
type table struct {
	used      uint64
	seed      uintptr
	dir       unsafe.Pointer
	dirLen    int
	depth     uint8
	shift     uint8
	writing   uint8
	tombstone bool
}

// part is one of the tables of a large map.
type part struct {
	used, capacity, left uint16
	depth                uint8
	index                int
	groups               unsafe.Pointer
	mask                 uint64
}

const (
	slots    = 8   // in a group
	maxPlain = 128 // bytes of a key or element that lies in its slot; larger ones are pointed to
)

// entries are copies of a map's entries, up to a number.
func entries(v reflect.Value, most int) []entry {
	if understood() {
		return read(v, most)
	}
	var out []entry
	for it := v.MapRange(); it.Next() && len(out) < most; {
		out = append(out, entry{boxed(it.Key()), boxed(it.Value())})
	}
	return out
}

// understood says that maps lie in memory as read thinks.
var understood = sync.OnceValue(func() (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	small := map[string]int{"a": 1, "b": 2}
	large, wide := map[int]string{}, map[[20]int]*[200]byte{}
	for i := 0; i < 5000; i++ {
		large[i] = "x"
		if i%3 == 0 {
			delete(large, i/2)
		}
		if i < 50 {
			wide[[20]int{i}] = new([200]byte)
		}
	}
	for _, m := range []any{small, large, wide, map[bool]struct{}{true: {}}, map[float64][300]byte{1: {7}}, map[int]int{}} {
		v := reflect.ValueOf(m)
		list := read(v, 1<<30)
		if len(list) != v.Len() {
			return false
		}
		for _, e := range list {
			if x := v.MapIndex(e.key); !x.IsValid() || !reflect.DeepEqual(x.Interface(), e.value.Interface()) {
				return false
			}
		}
	}
	return true
})

// read reads a map's entries from memory.
func read(v reflect.Value, most int) (out []entry) {
	m := (*table)(v.UnsafePointer())
	key, elem := v.Type().Key(), v.Type().Elem()
	inKey, inElem := key, elem
	if key.Size() > maxPlain {
		inKey = reflect.PointerTo(key)
	}
	if elem.Size() > maxPlain {
		inElem = reflect.PointerTo(elem)
	}
	slot := reflect.StructOf([]reflect.StructField{{Name: "K", Type: inKey}, {Name: "V", Type: inElem}})
	group := reflect.StructOf([]reflect.StructField{{Name: "Ctrl", Type: reflect.TypeOf(uint64(0))}, {Name: "Slots", Type: reflect.ArrayOf(slots, slot)}})
	first := group.Field(1).Offset
	each := func(g unsafe.Pointer) {
		ctrl := *(*[slots]uint8)(g)
		for i := 0; i < slots && len(out) < most; i++ {
			if ctrl[i]&0x80 != 0 { // empty, or deleted
				continue
			}
			at := unsafe.Add(g, first+uintptr(i)*slot.Size())
			k, x := reflect.NewAt(inKey, at).Elem(), reflect.NewAt(inElem, unsafe.Add(at, slot.Field(1).Offset)).Elem()
			if inKey != key {
				k = k.Elem()
			}
			if inElem != elem {
				x = x.Elem()
			}
			if k.IsValid() && x.IsValid() {
				out = append(out, entry{boxed(k), boxed(x)})
			}
		}
	}
	switch {
	case m.used == 0:
	case m.dirLen == 0:
		each(m.dir)
	default:
		var last *part
		for i := 0; i < m.dirLen; i++ {
			t := *(**part)(unsafe.Add(m.dir, uintptr(i)*unsafe.Sizeof(m.dir)))
			if t == nil || t == last { // one table may stand for several places
				continue
			}
			last = t
			for j := uint64(0); j <= t.mask && len(out) < most; j++ {
				each(unsafe.Add(t.groups, uintptr(j)*group.Size()))
			}
		}
	}
	return out
}
