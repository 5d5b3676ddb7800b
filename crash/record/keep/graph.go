//go:build go1.21

package keep

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unsafe"
)

// The object graph of values, as documents write it. First all memory that the values lead to is looked for, as regions: what pointers
// point to, and the arrays of slices. A region that lies in another is a part of that one, and arrays that overlap are one, so that
// aliasing survives. Then each region becomes an object.

// Node is a value of a document; see the schema.
type Node struct {
	Type    string  `json:"type"`
	Lit     string  `json:"lit,omitempty"`
	Ref     *int    `json:"ref,omitempty"`
	Len     *int64  `json:"len,omitempty"`
	Cap     *int64  `json:"cap,omitempty"`
	Fields  []Input `json:"fields,omitempty"`
	Elems   []Elem  `json:"elems,omitempty"`
	Closed  bool    `json:"closed,omitempty"`
	Dynamic *Node   `json:"dynamic,omitempty"`
	Path    string  `json:"path,omitempty"`
	Offset  int64   `json:"offset,omitempty"`
	Elem    string  `json:"elem,omitempty"`
	Var     string  `json:"var,omitempty"`
	Lost    string  `json:"lost,omitempty"`
}

// Input is a named value.
type Input struct {
	Name string `json:"name"`
	Node
}

// Elem is an element of an array, or an entry of a map.
type Elem struct {
	Index int64 `json:"index"`
	Key   *Node `json:"key,omitempty"`
	Value Node  `json:"value"`
}

// MaxValues bounds the values of one graph, and MaxBytes those of its strings together.
var (
	MaxValues = 200_000
	MaxBytes  = 16 << 20
)

// region is memory that holds a value of a type, or n of them in a row, or the entries of a map or the elements of a channel.
type region struct {
	at     unsafe.Pointer
	typ    reflect.Type
	n      int // -1 for one value that is no array of a slice
	size   uintptr
	object int
	level  int // how many references away from the roots
	// in is the region that this one is a part of, and path where.
	in   *region
	path string
	off  int64 // in elements, of an array that became a part of a longer one
}

// key tells regions apart.
type key struct {
	at  unsafe.Pointer
	typ reflect.Type
	n   int
}

// entry is one of a map.
type entry struct{ key, value reflect.Value }

// graph makes the objects of one recording.
type graph struct {
	regions map[key]*region
	list    []*region
	// boxes are copies of what maps and interfaces hold, by their places: the same value is looked at twice.
	entries map[unsafe.Pointer][]entry
	work    []*region
	// level is that of what is looked at, and deepest that of what is looked for; 0 is any.
	level, deepest int
	values         int
	bytes          int
	objects        []Node
	// lost counts what cannot be restored, by reason.
	lost map[string]int
	// saved are what stands in place of what memory holds, by address and type.
	saved map[place]reflect.Value
	// types are those that dynamic types are made of which a test elsewhere cannot name, by their texts.
	types map[string]*Type
}

// place is memory that holds a value of a type.
type place struct {
	at  unsafe.Pointer
	typ reflect.Type
}

// was is a value, or what stood at its place as the function was entered.
func (g *graph) was(v reflect.Value) reflect.Value {
	if len(g.saved) > 0 && v.CanAddr() {
		if x, ok := g.saved[place{unsafe.Pointer(v.UnsafeAddr()), v.Type()}]; ok {
			return x
		}
	}
	return v
}

// Type says what a type is made of that tests of other packages cannot name: one of the main module, or without a name.
type Type struct {
	Type string `json:"type"`
	// Underlying is the type literal of a named type that is no struct.
	Underlying string      `json:"underlying,omitempty"`
	Fields     []TypeField `json:"fields,omitempty"`
}

// TypeField is a field of a struct type.
type TypeField struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Tag      string `json:"tag,omitempty"`
	Embedded bool   `json:"embedded,omitempty"`
}

func newGraph() *graph {
	return &graph{regions: map[key]*region{}, entries: map[unsafe.Pointer][]entry{}, lost: map[string]int{}, types: map[string]*Type{}}
}

// describe notes what a dynamic type is made of.
func (g *graph) describe(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		if t.Name() == "" {
			g.describe(t.Elem())
			return
		}
	case reflect.Map:
		if t.Name() == "" {
			g.describe(t.Key())
			g.describe(t.Elem())
			return
		}
	}
	path := t.PkgPath()
	own := path == "main" || path == Module || strings.HasPrefix(path, Module+"/")
	if t.Name() == "" && t.Kind() != reflect.Struct || t.Name() != "" && !own {
		return
	}
	text := typeText(t)
	if g.types[text] != nil {
		return
	}
	d := &Type{Type: text}
	g.types[text] = d
	switch t.Kind() {
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			d.Fields = append(d.Fields, TypeField{f.Name, typeText(f.Type), string(f.Tag), f.Anonymous})
			g.describe(f.Type)
		}
		return
	case reflect.Pointer:
		d.Underlying = "*" + typeText(t.Elem())
		g.describe(t.Elem())
	case reflect.Slice:
		d.Underlying = "[]" + typeText(t.Elem())
		g.describe(t.Elem())
	case reflect.Array:
		d.Underlying = "[" + strconv.Itoa(t.Len()) + "]" + typeText(t.Elem())
		g.describe(t.Elem())
	case reflect.Map:
		d.Underlying = "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
		g.describe(t.Key())
		g.describe(t.Elem())
	case reflect.Interface:
		if t.NumMethod() == 0 {
			d.Underlying = "any"
		}
	default:
		if t.Kind() < reflect.Array || t.Kind() == reflect.String {
			d.Underlying = t.Kind().String()
		}
	}
}

// look looks for the memory that a value leads to. It must be addressable.
func (g *graph) look(v reflect.Value) {
	g.level = 0
	g.scan(v)
	for len(g.work) > 0 {
		r := g.work[0]
		g.work = g.work[1:]
		g.level = r.level
		if r.n < 0 {
			g.scan(reflect.NewAt(r.typ, r.at).Elem())
			continue
		}
		if !leads(r.typ) {
			continue
		}
		for i := 0; i < r.n && g.values < MaxValues; i++ {
			g.scan(reflect.NewAt(r.typ, unsafe.Add(r.at, uintptr(i)*r.typ.Size())).Elem())
		}
	}
}

// leads says that values of a type may lead to other memory.
func leads(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && leads(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if leads(t.Field(i).Type) {
				return true
			}
		}
		return false
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Interface, reflect.Func, reflect.UnsafePointer:
		return true
	}
	return false
}

// add adds a region.
func (g *graph) add(at unsafe.Pointer, typ reflect.Type, n int) {
	k := key{at, typ, n}
	if g.regions[k] != nil || g.values > MaxValues || g.deepest > 0 && g.level >= g.deepest {
		return
	}
	r := &region{at: at, typ: typ, n: n, object: -1, level: g.level + 1}
	r.size = typ.Size()
	if n >= 0 {
		r.size *= uintptr(n)
	}
	g.regions[k] = r
	g.list = append(g.list, r)
	g.work = append(g.work, r)
}

// scan notes where a value leads.
func (g *graph) scan(v reflect.Value) {
	g.values++
	if g.values > MaxValues {
		return
	}
	v = g.was(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && named(v) == "" && !opaque(v.Type().Elem()) {
			g.add(v.UnsafePointer(), v.Type().Elem(), -1)
		}
	case reflect.Slice:
		if v.Cap() >= v.Len() && v.Cap() > 0 {
			g.add(unsafe.Pointer(v.Pointer()), v.Type().Elem(), v.Cap())
		}
	case reflect.Interface:
		if !v.IsNil() && named(v.Elem()) == "" && v.Elem().Type() != reflectType {
			g.scan(boxed(v.Elem()))
		}
	case reflect.Map:
		if !v.IsNil() && (g.deepest <= 0 || g.level < g.deepest) {
			for _, e := range g.entriesOf(v) {
				g.scan(e.key)
				g.scan(e.value)
			}
		}
	case reflect.Chan:
		if !v.IsNil() {
			for _, e := range g.elementsOf(v) {
				g.scan(e.value)
			}
		}
	case reflect.Struct:
		if v.Type() == reflectValue {
			if r := v.Interface().(reflect.Value); r.IsValid() && r.CanAddr() {
				g.add(unsafe.Pointer(r.UnsafeAddr()), r.Type(), -1)
			} else if r.IsValid() {
				g.scan(boxed(readable(r)))
			}
			return
		}
		for i := 0; i < v.NumField(); i++ {
			g.scan(field(v, i))
		}
	case reflect.Array:
		if leads(v.Type().Elem()) {
			for i := 0; i < v.Len(); i++ {
				g.scan(v.Index(i))
			}
		}
	}
}

var reflectValue = reflect.TypeOf(reflect.Value{})

// reflectType is the dynamic type of values of type reflect.Type.
var reflectType = reflect.TypeOf(reflect.TypeOf(0))

// readable is a value of package reflect that may be read although it comes of a field that is not exported.
func readable(v reflect.Value) reflect.Value {
	const readOnly = 1<<5 | 1<<6
	(*[3]uintptr)(unsafe.Pointer(&v))[2] &^= readOnly
	return v
}

// opaque says that values of a type are not looked into: types of the reflect package, which lead to the program's own tables.
func opaque(t reflect.Type) bool {
	return t.PkgPath() == "internal/abi" || t.PkgPath() == "reflect" && t.Name() != "Value"
}

// field is a struct's field, exported or not, as a value that can be read. v must be addressable.
func field(v reflect.Value, i int) reflect.Value {
	f := v.Field(i)
	if f.CanInterface() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// boxed is a value at a place of its own.
func boxed(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	return out
}

// entriesOf are the entries of a map, the same each time.
func (g *graph) entriesOf(v reflect.Value) []entry {
	at := v.UnsafePointer()
	if list, ok := g.entries[at]; ok {
		return list
	}
	g.entries[at] = nil // it may hold itself
	list := entries(v, MaxValues-g.values)
	sortEntries(list)
	g.entries[at] = list
	return list
}

// elementsOf are the elements in a channel's buffer, the first to be received first.
func (g *graph) elementsOf(v reflect.Value) []entry {
	at := v.UnsafePointer()
	if list, ok := g.entries[at]; ok {
		return list
	}
	list := buffered(v)
	g.entries[at] = list
	return list
}

// arrange finds which regions are parts of others, once all are known.
func (g *graph) arrange() {
	sort.SliceStable(g.list, func(i, j int) bool {
		a, b := g.list[i], g.list[j]
		if a.at != b.at {
			return uintptr(a.at) < uintptr(b.at)
		}
		return a.size > b.size
	})
	var open []*region // those that the present one may lie in, outermost first
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

// join makes a region a part of another that begins before it or where it does, and ends behind where it begins; false if it is none.
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
	inner, off, ok := descend(t, from, r)
	if !ok {
		return false
	}
	r.in, r.path, r.off = o, path+inner, off
	return true
}

// descend is the way from a type to a region that lies at an offset in it.
func descend(t reflect.Type, from uintptr, r *region) (path string, off int64, ok bool) {
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
