//go:build go1.21

package keep

import (
	"fmt"
	"reflect"
	"sort"
	"unsafe"
)

// MaxValues bounds the values of one graph, and MaxBytes the bytes of its strings together.
var (
	MaxValues = 200_000
	MaxBytes  = 16 << 20
)

// graph builds the objects of one recording. The steps are:
//
//  1. explore finds all memory that a value leads to, as regions: what pointers point to, the
//     arrays of slices, maps and channels.
//  2. nest makes a region that lies in another one a part of it, and joins arrays that overlap, so
//     that aliasing survives.
//  3. node, in node.go, writes values; each region that it meets becomes an object.
type graph struct {
	regions map[regionKey]*region
	list    []*region
	// entries are copies of what maps and channels hold, by their addresses: steps 1 and 3 must
	// see the same entries.
	entries map[unsafe.Pointer][]entry
	// answers are what closures have captured, by their addresses; nil where that is not known.
	answers map[unsafe.Pointer]*answer
	work    []*region // regions to explore
	// depth is the depth of the value that is explored, and maxDepth the largest depth of
	// regions that are added; 0 or less is any. The depth counts references from the roots.
	depth, maxDepth int
	values, bytes   int // counts for MaxValues and MaxBytes
	objects         []Node
	// lost counts what cannot be restored, by reason.
	lost map[string]int
	// saved are values that stand in for what memory holds by now.
	saved map[location]reflect.Value
	// types are the types that dynamic types consist of and that other packages cannot name, by
	// their texts.
	types map[string]*typeDef
}

func newGraph() *graph {
	return &graph{
		regions: map[regionKey]*region{},
		answers: map[unsafe.Pointer]*answer{},
		entries: map[unsafe.Pointer][]entry{},
		lost:    map[string]int{},
		types:   map[string]*typeDef{},
	}
}

// region is memory that holds a value of a type, n such values in a row, or the entries of a map or
// channel.
type region struct {
	at     unsafe.Pointer
	typ    reflect.Type
	n      int // length of a slice's array; -1 for a single value
	size   uintptr
	object int // index into graph.objects, -1 for none
	depth  int // number of references from the roots
	// in is the region that this one is a part of, or nil; path and off tell where it lies
	// there.
	in   *region
	path string
	off  int64 // in elements, if it lies in an array
}

// regionKey identifies a region. Maps and channels have n = -2, closures n = -3.
type regionKey struct {
	at  unsafe.Pointer
	typ reflect.Type
	n   int
}

// entry is an entry of a map, or an element of a channel, without key.
type entry struct{ key, value reflect.Value }

// location is memory that holds a value of a type.
type location struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// onEntry returns a value, or the value that was saved for its location when the function was
// entered.
func (g *graph) onEntry(v reflect.Value) reflect.Value {
	if len(g.saved) > 0 && v.CanAddr() {
		if x, ok := g.saved[location{unsafe.Pointer(v.UnsafeAddr()), v.Type()}]; ok {
			return x
		}
	}
	return v
}

// explore finds the memory that a value leads to, breadth first. The value must be addressable.
func (g *graph) explore(v reflect.Value) {
	g.depth = 0
	g.scan(v)
	for len(g.work) > 0 {
		r := g.work[0]
		g.work = g.work[1:]
		g.depth = r.depth
		if r.n < 0 {
			g.scan(reflect.NewAt(r.typ, r.at).Elem())
			continue
		}
		if !hasReferences(r.typ) {
			continue
		}
		for i := 0; i < r.n && g.values < MaxValues; i++ {
			g.scan(reflect.NewAt(r.typ, unsafe.Add(r.at, uintptr(i)*r.typ.Size())).Elem())
		}
	}
}

// hasReferences reports whether values of a type may lead to other memory.
func hasReferences(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && hasReferences(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if hasReferences(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan,
		reflect.Interface, reflect.Func, reflect.UnsafePointer:
		return true
	}
	return false
}

// add adds a region, unless it is known or beyond the limits.
func (g *graph) add(at unsafe.Pointer, typ reflect.Type, n int) {
	k := regionKey{at, typ, n}
	if g.regions[k] != nil || g.values > MaxValues || g.maxDepth > 0 && g.depth >= g.maxDepth {
		return
	}
	r := &region{at: at, typ: typ, n: n, object: -1, depth: g.depth + 1}
	r.size = typ.Size()
	if n >= 0 {
		r.size *= uintptr(n)
	}
	g.regions[k] = r
	g.list = append(g.list, r)
	g.work = append(g.work, r)
}

// scan adds the regions that a value refers to.
func (g *graph) scan(v reflect.Value) {
	g.values++
	if g.values > MaxValues {
		return
	}
	v = g.onEntry(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && nameOf(v) == "" && !opaque(v.Type().Elem()) {
			g.add(v.UnsafePointer(), v.Type().Elem(), -1)
		}

	case reflect.Slice:
		if v.Cap() >= v.Len() && v.Cap() > 0 {
			g.add(unsafe.Pointer(v.Pointer()), v.Type().Elem(), v.Cap())
		}

	case reflect.Interface:
		if !v.IsNil() && nameOf(v.Elem()) == "" && v.Elem().Type() != reflectType {
			g.scan(addressable(v.Elem()))
		}

	case reflect.Map:
		if !v.IsNil() && (g.maxDepth <= 0 || g.depth < g.maxDepth) {
			for _, e := range g.mapEntries(v) {
				g.scan(e.key)
				g.scan(e.value)
			}
		}

	case reflect.Chan:
		if !v.IsNil() {
			for _, e := range g.chanElements(v) {
				g.scan(e.value)
			}
		}

	case reflect.Func:
		if v.IsNil() || funcName(v) != "" {
			return
		}
		if _, known := g.answers[closure(v)]; known {
			return
		}
		if a := g.ask(v); a != nil {
			for _, p := range a.captured {
				g.scan(pointee(p))
			}
		}

	case reflect.Struct:
		if v.Type() == reflectValue {
			if r := v.Interface().(reflect.Value); r.IsValid() && r.CanAddr() {
				g.add(unsafe.Pointer(r.UnsafeAddr()), r.Type(), -1)
			} else if r.IsValid() {
				g.scan(addressable(readable(r)))
			}
			return
		}
		for i := 0; i < v.NumField(); i++ {
			g.scan(field(v, i))
		}

	case reflect.Array:
		if hasReferences(v.Type().Elem()) {
			for i := 0; i < v.Len(); i++ {
				g.scan(v.Index(i))
			}
		}
	}
}

// reflectValue is the type reflect.Value, and reflectType the dynamic type of a reflect.Type.
var (
	reflectValue = reflect.TypeOf(reflect.Value{})
	reflectType  = reflect.TypeOf(reflect.TypeOf(0))
)

// readable returns a reflect.Value without the mark of having come from an unexported field.
func readable(v reflect.Value) reflect.Value {
	const readOnly = 1<<5 | 1<<6
	(*[3]uintptr)(unsafe.Pointer(&v))[2] &^= readOnly
	return v
}

// opaque reports whether values of a type are not followed: the types behind package reflect lead
// to the program's own type tables.
func opaque(t reflect.Type) bool {
	return t.PkgPath() == "internal/abi" || t.PkgPath() == "reflect" && t.Name() != "Value"
}

// field returns a field of a struct, exported or not, as a value that can be read. The struct must
// be addressable.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	if f.CanInterface() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// addressable returns a copy of a value that is addressable.
func addressable(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

// mapEntries returns copies of the entries of a map, the same ones for each call.
func (g *graph) mapEntries(v reflect.Value) []entry {
	at := v.UnsafePointer()
	if list, ok := g.entries[at]; ok {
		return list
	}
	g.entries[at] = nil // it may hold itself
	list := entriesOf(v, MaxValues-g.values)
	sortEntries(list)
	g.entries[at] = list
	return list
}

// chanElements returns copies of the elements in a channel's buffer, the next to be received first.
func (g *graph) chanElements(v reflect.Value) []entry {
	at := v.UnsafePointer()
	if list, ok := g.entries[at]; ok {
		return list
	}
	list := bufferOf(v)
	g.entries[at] = list
	return list
}

// nest finds which regions are parts of others, once all are known. It visits them by address,
// large ones first, and keeps a stack of the regions around the current one.
func (g *graph) nest() {
	sort.SliceStable(g.list, func(i, j int) bool {
		a, b := g.list[i], g.list[j]
		if a.at != b.at {
			return uintptr(a.at) < uintptr(b.at)
		}
		return a.size > b.size
	})
	var open []*region // regions that the current one may lie in, outermost first
	for _, r := range g.list {
		if r.size == 0 {
			continue
		}
		for len(open) > 0 {
			o := open[len(open)-1]
			end := uintptr(o.at) + o.size
			if uintptr(r.at) < end {
				break
			}
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			if r.join(open[len(open)-1]) {
				continue
			}
		}
		open = append(open, r)
	}
}

// join makes a region a part of another one that overlaps it and does not begin behind it, and
// reports whether that was possible. Of two slices of one array, the first one grows if necessary.
func (r *region) join(o *region) bool {
	from := uintptr(r.at) - uintptr(o.at)
	if o.n >= 0 && r.n >= 0 && o.typ == r.typ && from%r.typ.Size() == 0 { // of one array
		if end := from + r.size; end > o.size {
			o.size = end
			o.n = int(end / r.typ.Size())
		}
		r.in, r.off = o, int64(from/r.typ.Size())
		return true
	}
	if from+r.size > o.size {
		return false
	}
	t, path := o.typ, ""
	if o.n >= 0 {
		i := from / t.Size()
		path = fmt.Sprintf("[%d]", i)
		from -= i * t.Size()
	}
	inner, off, ok := pathTo(t, from, r)
	if !ok {
		return false
	}
	r.in, r.path, r.off = o, path+inner, off
	return true
}

// pathTo returns the path of fields and indexes from a value of a type to the region that lies at
// an offset in it, with the index of the region's first element if it is a part of an array. It
// reports false if no part of the type has the region's type.
func pathTo(t reflect.Type, from uintptr, r *region) (path string, off int64, ok bool) {
	for {
		if r.n < 0 && from == 0 && t == r.typ {
			return path, 0, true
		}
		switch t.Kind() {
		case reflect.Struct:
			found := false
			for i := 0; i < t.NumField(); i++ {
				f := t.Field(i)
				if f.Offset <= from && from < f.Offset+f.Type.Size() {
					path += "." + f.Name
					from -= f.Offset
					t = f.Type
					found = f.Name != "_"
					break
				}
			}
			if !found {
				return "", 0, false
			}

		case reflect.Array:
			size := t.Elem().Size()
			if size == 0 {
				return "", 0, false
			}
			if r.n >= 0 && t.Elem() == r.typ && from%size == 0 && from+r.size <= t.Size() {
				return path, int64(from / size), true
			}
			path += fmt.Sprintf("[%d]", from/size)
			from %= size
			t = t.Elem()

		default:
			return "", 0, false
		}
	}
}
