//go:build go1.21

package keep

import (
	"reflect"
	"unsafe"
)

// Depth is the number of references up to which arguments are copied on entry: 0 copies nothing, a
// negative number everything. It implements the modes reference, shallow, depth=N and deep; see
// [REC 2.3.1], where deep is called copy.
var Depth int

// Copy is called when a function is entered, with pointers to its receiver and arguments. It
// returns pointers to copies of them, which lead to copies of the memory that the arguments lead
// to, down to Depth. Aliasing survives: memory that two arguments lead to is copied once.
func Copy(args ...any) (copies []any) {
	copies = args
	defer func() { recover() }() // the function must run even if copying fails
	g := newGraph()
	g.maxDepth = Depth
	for _, a := range args {
		g.explore(pointee(a))
	}
	g.nest()
	c := &copier{
		g:      g,
		clones: map[*region]unsafe.Pointer{},
		maps:   map[unsafe.Pointer]reflect.Value{},
	}
	var out []any
	for _, a := range args {
		v := addressable(pointee(a))
		c.redirect(v)
		out = append(out, v.Addr().Interface())
	}
	for len(c.work) > 0 {
		v := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		c.redirect(v)
	}
	return out
}

// copier copies the regions of a graph.
type copier struct {
	g      *graph
	clones map[*region]unsafe.Pointer
	maps   map[unsafe.Pointer]reflect.Value // copies of maps, by address of the original
	work   []reflect.Value                  // copies that still refer to originals
}

// redirect changes the references in a copy, so that they refer to copies.
func (c *copier) redirect(v reflect.Value) {
	if !hasReferences(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			if p := c.clone(v.UnsafePointer(), v.Type().Elem(), -1); p != nil {
				*(*unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr())) = p
			}
		}

	case reflect.Slice:
		if v.Cap() > 0 {
			if p := c.clone(v.UnsafePointer(), v.Type().Elem(), v.Cap()); p != nil {
				// The first word of a slice is the address of its array.
				*(*unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr())) = p
			}
		}

	case reflect.Interface:
		if !v.IsNil() && hasReferences(v.Elem().Type()) && v.Elem().Type() != reflectType {
			x := addressable(v.Elem())
			c.redirect(x)
			v.Set(x)
		}

	case reflect.Map:
		if !v.IsNil() {
			c.copyMap(v)
		}

	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			c.redirect(field(v, i))
		}

	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			c.redirect(v.Index(i))
		}
	}
}

// clone returns the address in the copy for memory that a pointer or slice refers to, or nil if
// that memory is not copied. It copies a region when it is first asked for it.
func (c *copier) clone(at unsafe.Pointer, typ reflect.Type, n int) unsafe.Pointer {
	r := c.g.regions[regionKey{at, typ, n}]
	if r == nil || r.size == 0 {
		return nil
	}
	for r.in != nil {
		r = r.in
	}
	base := c.clones[r]
	if base == nil {
		t := r.typ
		if r.n >= 0 {
			t = reflect.ArrayOf(r.n, t)
		}
		v := reflect.New(t)
		v.Elem().Set(reflect.NewAt(t, r.at).Elem())
		base = v.UnsafePointer()
		c.clones[r] = base
		c.work = append(c.work, v.Elem())
	}
	return unsafe.Add(base, uintptr(at)-uintptr(r.at))
}

// copyMap makes a map variable refer to a copy of its map.
func (c *copier) copyMap(v reflect.Value) {
	at := v.UnsafePointer()
	list, known := c.g.entries[at]
	if !known { // deeper than Depth
		return
	}
	m, ok := c.maps[at]
	if !ok {
		m = reflect.MakeMapWithSize(v.Type(), len(list))
		c.maps[at] = m
		for _, e := range list {
			key, value := addressable(e.key), addressable(e.value)
			c.redirect(key)
			c.redirect(value)
			m.SetMapIndex(key, value)
		}
	}
	v.Set(m)
}
