package compose

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"dsd/schemas"
)

// Slices, maps and channels.

// maxElements is the number of elements up to which a slice is written as a literal.
const maxElements = 8

// slice returns the expression for a slice of type t. Slices that share an array are cut from one
// variable.
func (w *writer) slice(n *schemas.Node, t, elem types.Type) string {
	var length, capacity int64
	if n.Len != nil {
		length = *n.Len
	}
	capacity = length
	if n.Cap != nil {
		capacity = max(length, *n.Cap)
	}
	cut := func(array string) string {
		from := ""
		if n.Offset > 0 {
			from = strconv.FormatInt(n.Offset, 10)
		}
		return fmt.Sprintf("%s[%s:%d:%d]", array, from, n.Offset+length, n.Offset+capacity)
	}
	if n.Path != "" {
		return cut(w.part(*n.Ref, n.Path))
	}
	obj := &w.ce.Objects[*n.Ref]
	if w.refs[*n.Ref] > 1 || n.Offset > 0 {
		v := w.vars[*n.Ref]
		if v == "" {
			size := w.sizes[*n.Ref]
			v = w.filled(*n.Ref, t, elem, size, size)
		}
		return cut(v)
	}
	if obj.Lit != "" { // bytes
		e := w.typ(t) + "(" + obj.Lit + ")"
		if capacity > length {
			return cut(e)
		}
		return e
	}
	if length > maxElements || capacity > length {
		return w.filled(*n.Ref, t, elem, length, capacity)
	}
	parts := make([]string, length)
	for i := range parts {
		parts[i] = w.value(&schemas.Node{}, elem, true)
	}
	for i := range obj.Elems {
		if e := &obj.Elems[i]; e.Index < length {
			parts[e.Index] = w.value(&e.Value, elem, true)
		}
	}
	return w.typ(t) + "{" + strings.Join(parts, ", ") + "}"
}

// filled declares a variable with a slice of type t for object ref, sets the constrained elements,
// and returns the variable.
func (w *writer) filled(ref int, t, elem types.Type, length, capacity int64) string {
	v := w.name("s")
	w.vars[ref] = v
	obj := &w.ce.Objects[ref]
	if obj.Lit != "" {
		w.emit("%s := %s(%s)", v, w.typ(t), obj.Lit)
		return v
	}
	if capacity > length {
		w.emit("%s := make(%s, %d, %d)", v, w.typ(t), length, capacity)
	} else {
		w.emit("%s := make(%s, %d)", v, w.typ(t), length)
	}
	for i := range obj.Elems {
		e := &obj.Elems[i]
		if x := w.value(&e.Value, elem, true); e.Index < length && !isZero(x, elem) {
			w.emit("%s[%d] = %s", v, e.Index, x)
		}
	}
	return v
}

// mapLit returns a map of type t for object i: a literal or, on a cycle, a variable whose entries
// are set one by one.
func (w *writer) mapLit(i int, t types.Type, m *types.Map) string {
	n := &w.ce.Objects[i]
	if w.cyclic[i] {
		v := w.name("m")
		w.vars[i] = v
		w.emit("%s := %s{}", v, w.typ(t))
		w.eachEntry(n, m, func(key, value string) { w.emit("%s[%s] = %s", v, key, value) })
		return v
	}
	var parts []string
	w.eachEntry(n, m, func(key, value string) { parts = append(parts, key+": "+value) })
	return w.typ(t) + "{" + strings.Join(parts, ", ") + "}"
}

// eachEntry visits the entries of a map.
func (w *writer) eachEntry(n *schemas.Node, m *types.Map, visit func(key, value string)) {
	for i := range n.Elems {
		if e := &n.Elems[i]; e.Key != nil {
			visit(w.value(e.Key, m.Key(), true), w.value(&e.Value, m.Elem(), true))
		}
	}
}

// channel returns the channel of object i, of type t, filled with the elements that are to be
// received from it.
func (w *writer) channel(i int, t types.Type, u *types.Chan) string {
	n := &w.ce.Objects[i]
	room := len(n.Elems)
	if n.Cap != nil { // recorded: with makeChan's extra element a send would not block
		room = max(room, int(*n.Cap)) - 1
	}
	if len(n.Elems) == 0 && !n.Closed {
		return w.shared(i, func() string { return w.makeChan(t, u, room) })
	}
	if w.vars[i] == "" {
		v := w.name("c")
		w.vars[i] = v
		w.emit("%s := %s", v, w.makeChan(t, u, room))
		for j := range n.Elems {
			w.emit("%s <- %s", v, w.value(&n.Elems[j].Value, u.Elem(), true))
		}
		if n.Closed {
			w.emit("close(%s)", v)
		}
	}
	return w.vars[i]
}

// makeChan returns a channel with room for n elements and one more, so that a send does not block.
// It is of type t, unless that has a direction.
func (w *writer) makeChan(t types.Type, u *types.Chan, n int) string {
	if u.Dir() != types.SendRecv {
		t = types.NewChan(types.SendRecv, u.Elem())
	}
	return fmt.Sprintf("make(%s, %d)", w.typ(t), n+1)
}
