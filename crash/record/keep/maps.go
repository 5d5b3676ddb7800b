//go:build go1.21

package keep

import (
	"reflect"
	"sync"
	"unsafe"
)

// To range over a map while another goroutine writes to it is a fatal error, which recover does not
// stop. So maps are read from memory, with the layout of Go 1.24 and later (Swiss tables). A test
// at the first use compares the result with that of package reflect; if they differ, as with other
// versions, package reflect is used. An entry that is being written may be read half written.

// swissMap mirrors internal/runtime/maps.Map of Go 1.24.
type swissMap struct {
	used   uint64
	_      uintptr        // seed
	dir    unsafe.Pointer // of tables, or the only group if dirLen is 0
	dirLen int
	_      [4]uint8 // globalDepth, globalShift, writing, tombstonePossible
}

// swissTable mirrors internal/runtime/maps.table of Go 1.24.
type swissTable struct {
	_      [3]uint16 // used, capacity, growthLeft
	_      uint8     // localDepth
	_      int       // index
	groups unsafe.Pointer
	mask   uint64 // number of groups - 1
}

const (
	groupSlots = 8   // slots in a group
	maxInline  = 128 // bytes; the slot of a larger key or element has a pointer to it
)

// entriesOf returns copies of a map's entries, at most so many.
func entriesOf(v reflect.Value, most int) []entry {
	if mapLayoutKnown() {
		return readMap(v, most)
	}
	var out []entry
	for it := v.MapRange(); it.Next() && len(out) < most; {
		out = append(out, entry{addressable(it.Key()), addressable(it.Value())})
	}
	return out
}

// mapLayoutKnown reports whether readMap reads maps of several sizes and types as reflect does.
var mapLayoutKnown = sync.OnceValue(func() (ok bool) {
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
	for _, m := range []any{
		small, large, wide,
		map[bool]struct{}{true: {}}, map[float64][300]byte{1: {7}}, map[int]int{},
	} {
		v := reflect.ValueOf(m)
		list := readMap(v, 1<<30)
		if len(list) != v.Len() {
			return false
		}
		for _, e := range list {
			x := v.MapIndex(e.key)
			if !x.IsValid() || !reflect.DeepEqual(x.Interface(), e.value.Interface()) {
				return false
			}
		}
	}
	return true
})

// readMap reads a map's entries from memory, at most so many.
func readMap(v reflect.Value, most int) (out []entry) {
	m := (*swissMap)(v.UnsafePointer())
	key, elem := v.Type().Key(), v.Type().Elem()
	inKey, inElem := key, elem // types in the slot
	if key.Size() > maxInline {
		inKey = reflect.PointerTo(key)
	}
	if elem.Size() > maxInline {
		inElem = reflect.PointerTo(elem)
	}
	slot := reflect.StructOf([]reflect.StructField{
		{Name: "K", Type: inKey}, {Name: "V", Type: inElem},
	})
	group := reflect.StructOf([]reflect.StructField{
		{Name: "Ctrl", Type: reflect.TypeOf(uint64(0))},
		{Name: "Slots", Type: reflect.ArrayOf(groupSlots, slot)},
	})
	first := group.Field(1).Offset
	readGroup := func(g unsafe.Pointer) {
		ctrl := *(*[groupSlots]uint8)(g)
		for i := 0; i < groupSlots && len(out) < most; i++ {
			if ctrl[i]&0x80 != 0 { // empty, or deleted
				continue
			}
			at := unsafe.Add(g, first+uintptr(i)*slot.Size())
			k := reflect.NewAt(inKey, at).Elem()
			x := reflect.NewAt(inElem, unsafe.Add(at, slot.Field(1).Offset)).Elem()
			if inKey != key {
				k = k.Elem()
			}
			if inElem != elem {
				x = x.Elem()
			}
			if k.IsValid() && x.IsValid() {
				out = append(out, entry{addressable(k), addressable(x)})
			}
		}
	}
	switch {
	case m.used == 0:
	case m.dirLen == 0:
		readGroup(m.dir)
	default:
		var last *swissTable
		for i := 0; i < m.dirLen; i++ {
			t := *(**swissTable)(unsafe.Add(m.dir, uintptr(i)*unsafe.Sizeof(m.dir)))
			if t == nil || t == last { // adjacent entries may share a table
				continue
			}
			last = t
			for j := uint64(0); j <= t.mask && len(out) < most; j++ {
				readGroup(unsafe.Add(t.groups, uintptr(j)*group.Size()))
			}
		}
	}
	return out
}
