//go:build go1.21

package keep

import (
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
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
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && named(v) == "" && !opaque(v.Type().Elem()) {
			g.add(v.UnsafePointer(), v.Type().Elem(), -1)
		}
	case reflect.Slice:
		if v.Len() > 0 || v.Cap() > 0 {
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
			g.scan(g.was(field(v, i)))
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

// refer makes a node refer to a region.
func (g *graph) refer(n *Node, at unsafe.Pointer, typ reflect.Type, count int) {
	r := g.regions[key{at, typ, count}]
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

// object is a region as a node.
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

// elements are those of an array that are not zero.
func (g *graph) elements(v reflect.Value) (out []Elem) {
	for i := 0; i < v.Len(); i++ {
		if x := v.Index(i); !x.IsZero() {
			out = append(out, Elem{Index: int64(i), Value: g.node(x)})
		}
	}
	return out
}

func (g *graph) lose(n *Node, why string) {
	n.Lost = why
	g.lost[why]++
}

// quoted is a string as a literal, up to what there is room for.
func (g *graph) quoted(n *Node, s string) string {
	if room := MaxBytes - g.bytes; len(s) > room {
		s = s[:max(room, 0)]
		g.lose(n, "cut: the strings are too long")
	}
	g.bytes += len(s)
	return strconv.Quote(strings.Clone(s))
}

// node is a value as a document has it. It must be addressable.
func (g *graph) node(v reflect.Value) Node {
	n := Node{Type: typeText(v.Type())}
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
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			n.Lit = "nil"
			return n
		}
		if n.Var = named(v); n.Var == "" {
			g.reference(&n, v)
		}
	case reflect.Interface:
		switch {
		case v.IsNil():
			n.Lit = "nil"
		case named(v.Elem()) != "":
			n.Var = named(v.Elem())
		case v.Elem().Type() == reflectType:
			t := v.Interface().(reflect.Type)
			g.describe(t)
			n.Dynamic = &Node{Type: "*reflect.rtype", Lit: strconv.Quote(typeText(t))}
		default:
			g.describe(v.Elem().Type())
			d := g.node(boxed(v.Elem()))
			n.Dynamic = &d
		}
	case reflect.Struct:
		if v.Type() == reflectValue {
			g.reflected(&n, v.Interface().(reflect.Value))
			return n
		}
		for i := 0; i < v.NumField(); i++ {
			if f := g.was(field(v, i)); !f.IsZero() && v.Type().Field(i).Name != "_" {
				n.Fields = append(n.Fields, Input{v.Type().Field(i).Name, g.node(f)})
			}
		}
	case reflect.Array:
		n.Elems = g.elements(v)
	}
	return n
}

// reflected writes a value of package reflect: what it holds, or where that is if it can be set.
func (g *graph) reflected(n *Node, v reflect.Value) {
	switch {
	case !v.IsValid():
	case v.CanAddr():
		g.describe(v.Type())
		g.refer(n, unsafe.Pointer(v.UnsafeAddr()), v.Type(), -1)
		n.Elem = typeText(v.Type())
	default:
		g.describe(v.Type())
		d := g.node(boxed(readable(v)))
		n.Dynamic = &d
	}
}

// reference writes what refers to something, and is not nil.
func (g *graph) reference(n *Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if opaque(v.Type().Elem()) {
			g.lose(n, "a value of package reflect")
			return
		}
		g.refer(n, v.UnsafePointer(), v.Type().Elem(), -1)
	case reflect.Slice:
		length, capacity := int64(v.Len()), int64(v.Cap())
		n.Len, n.Cap = &length, &capacity
		if capacity > 0 {
			g.refer(n, unsafe.Pointer(v.Pointer()), v.Type().Elem(), v.Cap())
			return
		}
		i := len(g.objects)
		g.objects = append(g.objects, Node{Type: "[0]" + typeText(v.Type().Elem())})
		n.Ref = &i
	case reflect.Map, reflect.Chan:
		g.container(n, v)
	case reflect.Func:
		n.Lit = "func"
		if n.Var = funcName(v); n.Var == "" {
			g.lose(n, "a closure")
		}
	default:
		g.lose(n, "an unsafe.Pointer")
	}
}

// container writes a map or channel.
func (g *graph) container(n *Node, v reflect.Value) {
	k := key{v.UnsafePointer(), v.Type(), -2}
	r := g.regions[k]
	if r == nil {
		r = &region{object: len(g.objects)}
		g.regions[k] = r
		g.objects = append(g.objects, Node{})
		o := Node{Type: typeText(v.Type())}
		if v.Kind() == reflect.Map {
			for _, e := range g.entriesOf(v) {
				key := g.node(e.key)
				o.Elems = append(o.Elems, Elem{Index: int64(len(o.Elems)), Key: &key, Value: g.node(e.value)})
			}
		} else {
			capacity := int64(v.Cap())
			o.Cap = &capacity
			for _, e := range g.elementsOf(v) {
				o.Elems = append(o.Elems, Elem{Index: int64(len(o.Elems)), Value: g.node(e.value)})
			}
			o.Closed = closed(v)
		}
		g.objects[r.object] = o
	}
	i := r.object
	n.Ref = &i
}

// sortEntries puts the entries of a map in an order that is the same each time, as far as they differ otherwise than by address.
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

// outline writes what a value is made of, to a depth, without addresses.
func outline(b *strings.Builder, v reflect.Value, depth int) {
	switch k := v.Kind(); {
	case k == reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case k >= reflect.Int && k <= reflect.Int64:
		fmt.Fprintf(b, "%020d", uint64(v.Int())+1<<63) // in order
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
		outline(b, boxed(v.Elem()), depth)
	case k == reflect.Pointer && !v.IsNil() && depth > 0 && !opaque(v.Type().Elem()):
		b.WriteString("&" + named(v))
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

// float is a float as documents write it.
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

// mainPath is the import path of the main package, which types say only "main" of.
var mainPath = func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Path
	}
	return ""
}()

// typeText is a type as documents write it, with full import paths.
func typeText(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		if path := t.PkgPath(); path != "main" || mainPath == "" {
			return path + "." + t.Name()
		}
		return mainPath + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeText(t.Elem())
	case reflect.Slice:
		return "[]" + typeText(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + typeText(t.Elem())
	case reflect.Map:
		return "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
	case reflect.Chan:
		switch t.ChanDir() {
		case reflect.RecvDir:
			return "<-chan " + typeText(t.Elem())
		case reflect.SendDir:
			return "chan<- " + typeText(t.Elem())
		}
		return "chan " + typeText(t.Elem())
	}
	if t.Kind() == reflect.Struct {
		text := "struct {"
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			text += " " + f.Name + " " + typeText(f.Type)
			if f.Tag != "" {
				text += " " + strconv.Quote(string(f.Tag))
			}
			text += ";"
		}
		return text + " }"
	}
	return strings.ReplaceAll(t.String(), "interface {}", "any")
}
