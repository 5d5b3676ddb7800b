//go:build go1.21

package keep

import (
	"reflect"
	"unsafe"
)

// Depth is how many references away from the arguments values are copied as a function is entered; negative is any number, 0 none
// [REC 2.3].
var Depth int

// Copy is called as a function is entered, with pointers to its receiver and arguments. It returns pointers to copies of them, which
// lead to copies of what they lead to, as deep as Depth says; what two of them lead to is one copy.
func Copy(args ...any) (copies []any) {
	copies = args
	defer func() { recover() }() // a function that is called must not fail for it
	g := newGraph()
	g.deepest = Depth
	for _, a := range args {
		g.look(root(a))
	}
	g.arrange()
	c := &copier{g: g, clones: map[*region]unsafe.Pointer{}, containers: map[unsafe.Pointer]reflect.Value{}}
	var out []any
	for _, a := range args {
		v := boxed(root(a))
		c.lead(v)
		out = append(out, v.Addr().Interface())
	}
	for len(c.work) > 0 {
		v := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		c.lead(v)
	}
	return out
}

// copier copies the regions of a graph.
type copier struct {
	g          *graph
	clones     map[*region]unsafe.Pointer
	containers map[unsafe.Pointer]reflect.Value // maps
	work       []reflect.Value                  // copies that still lead to the originals
}

// lead lets a copy lead to copies.
func (c *copier) lead(v reflect.Value) {
	if !leads(v.Type()) {
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
				*(*unsafe.Pointer)(unsafe.Pointer(v.UnsafeAddr())) = p // the first word is the array
			}
		}
	case reflect.Interface:
		if !v.IsNil() && leads(v.Elem().Type()) && v.Elem().Type() != reflectType {
			x := boxed(v.Elem())
			c.lead(x)
			v.Set(x)
		}
	case reflect.Map:
		if !v.IsNil() {
			c.copyMap(v)
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			c.lead(field(v, i))
		}
	case reflect.Array:
		for i := 0; i < v.Len(); i++ {
			c.lead(v.Index(i))
		}
	}
}

// clone is where the copy of memory is that a pointer or slice leads to, nil if that is not copied.
func (c *copier) clone(at unsafe.Pointer, typ reflect.Type, n int) unsafe.Pointer {
	r := c.g.regions[key{at, typ, n}]
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

// copyMap copies a map.
func (c *copier) copyMap(v reflect.Value) {
	at := v.UnsafePointer()
	list, known := c.g.entries[at]
	if !known { // it is too deep
		return
	}
	m, ok := c.containers[at]
	if !ok {
		m = reflect.MakeMapWithSize(v.Type(), len(list))
		c.containers[at] = m
		for _, e := range list {
			key, value := boxed(e.key), boxed(e.value)
			c.lead(key)
			c.lead(value)
			m.SetMapIndex(key, value)
		}
	}
	v.Set(m)
}
