//go:build go1.21

package keep

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unsafe"
)

// link makes a node refer to the object of a region.
func (g *graph) link(n *Node, at unsafe.Pointer, typ reflect.Type, count int) {
	r := g.regions[regionKey{at, typ, count}]
	if r == nil {
		g.lose(n, "cut: the graph is too large")
		return
	}
	path, off := "", int64(0)
	for r.in != nil {
		path, off = r.path+path, off+r.off
		r = r.in
	}
	if r.object < 0 {
		r.object = len(g.objects)
		g.objects = append(g.objects, Node{})
		g.objects[r.object] = g.object(r)
	}
	i := r.object
	n.Ref, n.Path, n.Offset = &i, path, off
}

// object returns a region as a node.
func (g *graph) object(r *region) Node {
	if r.n < 0 {
		return g.node(reflect.NewAt(r.typ, r.at).Elem())
	}
	n := Node{Type: "[" + strconv.Itoa(r.n) + "]" + typeText(r.typ)}
	if r.typ.Kind() == reflect.Uint8 {
		b := unsafe.Slice((*byte)(r.at), r.n)
		n.Lit = g.quoted(&n, string(b))
		return n
	}
	n.Elems = g.elements(reflect.NewAt(reflect.ArrayOf(r.n, r.typ), r.at).Elem())
	return n
}

// elements returns the elements of an array that are not zero.
func (g *graph) elements(v reflect.Value) (out []Elem) {
	for i := 0; i < v.Len(); i++ {
		if x := v.Index(i); !g.onEntry(x).IsZero() {
			out = append(out, Elem{Index: int64(i), Value: g.node(x)})
		}
	}
	return out
}

// lose marks a node as one that cannot be restored.
func (g *graph) lose(n *Node, why string) {
	n.Lost = why
	g.lost[why]++
}

// quoted returns a string as a literal, cut off at MaxBytes.
func (g *graph) quoted(n *Node, s string) string {
	if room := MaxBytes - g.bytes; len(s) > room {
		s = s[:max(room, 0)]
		g.lose(n, "cut: the strings are too long")
	}
	g.bytes += len(s)
	return strconv.Quote(strings.Clone(s))
}

// node returns a value as a document has it. The value must be addressable.
func (g *graph) node(v reflect.Value) Node {
	n := Node{Type: typeText(v.Type())}
	v = g.onEntry(v)
	switch k := v.Kind(); k {
	case reflect.Bool:
		n.Lit = strconv.FormatBool(v.Bool())

	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.Lit = strconv.FormatInt(v.Int(), 10)

	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n.Lit = strconv.FormatUint(v.Uint(), 10)

	case reflect.Uintptr:
		n.Lit = strconv.FormatUint(v.Uint(), 10)
		g.lose(&n, "an address as a number")

	case reflect.Float32, reflect.Float64:
		n.Lit = float(v.Float())

	case reflect.Complex64, reflect.Complex128:
		n.Lit = "complex(" + float(real(v.Complex())) + ", " + float(imag(v.Complex())) + ")"

	case reflect.String:
		n.Lit = g.quoted(&n, v.String())

	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func,
		reflect.UnsafePointer:
		if v.IsNil() {
			n.Lit = "nil"
			return n
		}
		if n.Var = nameOf(v); n.Var == "" {
			g.reference(&n, v)
		}

	case reflect.Interface:
		switch {
		case v.IsNil():
			n.Lit = "nil"
		case nameOf(v.Elem()) != "":
			n.Var = nameOf(v.Elem())
		case v.Elem().Type() == reflectType:
			t := v.Interface().(reflect.Type)
			g.describe(t)
			n.Dynamic = &Node{Type: "*reflect.rtype", Lit: strconv.Quote(typeText(t))}
		default:
			g.describe(v.Elem().Type())
			d := g.node(addressable(v.Elem()))
			n.Dynamic = &d
		}

	case reflect.Struct:
		if v.Type() == reflectValue {
			g.reflected(&n, v.Interface().(reflect.Value))
			return n
		}
		for i := 0; i < v.NumField(); i++ {
			f, name := field(v, i), v.Type().Field(i).Name
			if !g.onEntry(f).IsZero() && name != "_" {
				n.Fields = append(n.Fields, Input{name, g.node(f)})
			}
		}

	case reflect.Array:
		n.Elems = g.elements(v)
	}
	return n
}

// reflected writes a reflect.Value: what it holds, or the location of that if it can be set.
func (g *graph) reflected(n *Node, v reflect.Value) {
	switch {
	case !v.IsValid():
	case v.CanAddr():
		g.describe(v.Type())
		g.link(n, unsafe.Pointer(v.UnsafeAddr()), v.Type(), -1)
		n.Elem = typeText(v.Type())
	default:
		g.describe(v.Type())
		d := g.node(addressable(readable(v)))
		n.Dynamic = &d
	}
}

// reference writes a value of a kind that can be nil, but is not.
func (g *graph) reference(n *Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if opaque(v.Type().Elem()) {
			g.lose(n, "a value of package reflect")
			return
		}
		g.link(n, v.UnsafePointer(), v.Type().Elem(), -1)

	case reflect.Slice:
		length, capacity := int64(v.Len()), int64(v.Cap())
		if length > capacity { // half written
			g.lose(n, "written by another goroutine")
			return
		}
		n.Len, n.Cap = &length, &capacity
		if capacity > 0 {
			g.link(n, unsafe.Pointer(v.Pointer()), v.Type().Elem(), v.Cap())
			return
		}
		i := len(g.objects)
		g.objects = append(g.objects, Node{Type: "[0]" + typeText(v.Type().Elem())})
		n.Ref = &i

	case reflect.Map, reflect.Chan:
		g.container(n, v)

	case reflect.Func:
		if n.Var = funcName(v); n.Var != "" {
			n.Lit = "func"
		} else if !g.closureNode(n, v) {
			n.Lit = "func"
			g.lose(n, "a closure")
		}

	default:
		g.lose(n, "an unsafe.Pointer")
	}
}

// container writes a map or channel.
func (g *graph) container(n *Node, v reflect.Value) {
	k := regionKey{v.UnsafePointer(), v.Type(), -2}
	r := g.regions[k]
	if r == nil {
		r = &region{object: len(g.objects)}
		g.regions[k] = r
		g.objects = append(g.objects, Node{})
		o := Node{Type: typeText(v.Type())}
		if v.Kind() == reflect.Map {
			for _, e := range g.mapEntries(v) {
				key := g.node(e.key)
				i := int64(len(o.Elems))
				o.Elems = append(o.Elems, Elem{Index: i, Key: &key, Value: g.node(e.value)})
			}
		} else {
			capacity := int64(v.Cap())
			o.Cap = &capacity
			for _, e := range g.chanElements(v) {
				i := int64(len(o.Elems))
				o.Elems = append(o.Elems, Elem{Index: i, Value: g.node(e.value)})
			}
			o.Closed = isClosed(v)
		}
		g.objects[r.object] = o
	}
	i := r.object
	n.Ref = &i
}

// sortEntries sorts the entries of a map by their contents, so that the order is the same in each
// run. Entries that differ in addresses alone stay in the order of the map.
func sortEntries(list []entry) {
	texts := make([]string, len(list))
	order := make([]int, len(list))
	for i, e := range list {
		var b strings.Builder
		outline(&b, e.key, 3)
		b.WriteByte(0)
		outline(&b, e.value, 3)
		texts[i], order[i] = b.String(), i
	}
	sort.SliceStable(order, func(i, j int) bool { return texts[order[i]] < texts[order[j]] })
	sorted := make([]entry, len(list))
	for i, j := range order {
		sorted[i] = list[j]
	}
	copy(list, sorted)
}

// outline writes the contents of a value without addresses, following at most depth references. It
// is the sort key of map entries.
func outline(b *strings.Builder, v reflect.Value, depth int) {
	switch k := v.Kind(); {
	case k == reflect.String:
		b.WriteString(strconv.Quote(v.String()))

	case k >= reflect.Int && k <= reflect.Int64:
		fmt.Fprintf(b, "%020d", uint64(v.Int())+1<<63) // negative numbers first

	case k >= reflect.Uint && k <= reflect.Uintptr:
		fmt.Fprintf(b, "%020d", v.Uint())

	case k == reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))

	case k == reflect.Float32 || k == reflect.Float64:
		b.WriteString(float(v.Float()))

	case k == reflect.Complex64 || k == reflect.Complex128:
		b.WriteString(float(real(v.Complex())) + float(imag(v.Complex())))

	case k == reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			outline(b, field(v, i), depth)
			b.WriteByte(',')
		}

	case k == reflect.Array:
		for i := 0; i < v.Len() && i < 10; i++ {
			outline(b, v.Index(i), depth)
			b.WriteByte(',')
		}

	case k == reflect.Interface && !v.IsNil():
		b.WriteString(typeText(v.Elem().Type()) + ":")
		outline(b, addressable(v.Elem()), depth)

	case k == reflect.Pointer && !v.IsNil() && depth > 0 && !opaque(v.Type().Elem()):
		b.WriteString("&" + nameOf(v))
		outline(b, v.Elem(), depth-1)

	case k == reflect.Slice && depth > 0:
		fmt.Fprintf(b, "%d:", v.Len())
		for i := 0; i < v.Len() && i < 10; i++ {
			outline(b, v.Index(i), depth-1)
			b.WriteByte(',')
		}

	case k == reflect.Map || k == reflect.Chan:
		fmt.Fprintf(b, "%d", v.Len())
	}
}

// float returns a float as documents write it.
func float(x float64) string {
	switch {
	case x != x:
		return "math.NaN()"
	case math.IsInf(x, 1):
		return "math.Inf(1)"
	case math.IsInf(x, -1):
		return "math.Inf(-1)"
	case x == 0 && math.Signbit(x):
		return "math.Copysign(0, -1)"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
