//go:build go1.21

// Package load rebuilds the values of a recorded call. Its source is embedded in package compose
// and stands as a file beside the generated tests that need it; hence the prefix crash of its
// names.
package load

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// crashNode is a value in a recording: a literal, a reference to an object, or a composite value.
type crashNode struct {
	Name, Type, Lit string
	Ref             *int
	Path            string
	Offset          int
	Len, Cap        *int
	Fields          []crashNode
	Elems           []struct {
		Index int
		Key   *crashNode
		Value crashNode
	}
	Closed  bool
	Dynamic *crashNode
	Elem    string
	Var     string
}

// crashLoad sets variables to the values of the call that is recorded in a file. args are pointers
// to the variables for the receiver, if there is one, and for the parameters; globals are pointers
// to package-level variables by name. vars are the variables and functions, by name, that values
// may refer to, and known are values of dynamic types, by the texts of these.
func crashLoad(
	t *testing.T, file string, vars, globals map[string]any, known map[string]any, args ...any,
) {
	t.Helper()
	recording, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var call struct {
		Receiver                 *crashNode
		Params, Globals, Objects []crashNode
	}
	if err := json.Unmarshal(recording, &call); err != nil {
		t.Fatal(err)
	}
	l := &crashLoader{
		objects: call.Objects, made: make([]reflect.Value, len(call.Objects)),
		vars: vars, types: map[string]reflect.Type{},
	}
	for _, list := range []map[string]any{globals, vars} {
		for _, p := range list {
			l.learn(reflect.TypeOf(p))
		}
	}
	for text, x := range known {
		l.types[text] = reflect.TypeOf(x)
		l.learn(reflect.TypeOf(x))
	}
	for _, p := range args {
		l.learn(reflect.TypeOf(p))
	}
	for i := range call.Globals {
		if p := globals[call.Globals[i].Name]; p != nil {
			l.set(reflect.ValueOf(p).Elem(), &call.Globals[i])
		}
	}
	values := call.Params
	if call.Receiver != nil {
		values = append([]crashNode{*call.Receiver}, values...)
	}
	for i := range values {
		if i < len(args) {
			l.set(reflect.ValueOf(args[i]).Elem(), &values[i])
		}
	}
}

// crashLoader rebuilds the values of one call. types are known by their texts.
type crashLoader struct {
	objects []crashNode
	made    []reflect.Value // pointers to variables and to arrays of slices; maps and channels
	vars    map[string]any
	types   map[string]reflect.Type
}

// learn records a type and the types that it consists of.
func (l *crashLoader) learn(t reflect.Type) {
	if t == nil || l.types[crashType(t)] != nil {
		return
	}
	l.types[crashType(t)] = t
	switch t.Kind() {
	case reflect.Map:
		l.learn(t.Key())
		l.learn(t.Elem())
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		l.learn(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			l.learn(t.Field(i).Type)
		}
	case reflect.Func:
		for i := 0; i < t.NumIn(); i++ {
			l.learn(t.In(i))
		}
		for i := 0; i < t.NumOut(); i++ {
			l.learn(t.Out(i))
		}
	}
}

// crashType returns a type as recordings write it, with full import paths.
func crashType(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + crashType(t.Elem())
	case reflect.Slice:
		return "[]" + crashType(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + crashType(t.Elem())
	case reflect.Map:
		return "map[" + crashType(t.Key()) + "]" + crashType(t.Elem())
	case reflect.Chan:
		return t.ChanDir().String() + " " + crashType(t.Elem())
	}
	return strings.ReplaceAll(t.String(), "interface {}", "any")
}

// crashTypesByString returns the types of the program that print as s. Package reflect has no
// exported function for that.
//
//go:linkname crashTypesByString reflect.typesByString
func crashTypesByString(s string) []unsafe.Pointer

// typ returns the type with a text, or nil if the program has none.
func (l *crashLoader) typ(text string) reflect.Type {
	if t := l.types[text]; t != nil {
		return t
	}
	var t reflect.Type
	switch elem := (reflect.Type)(nil); {
	case strings.HasPrefix(text, "*"):
		if elem = l.typ(text[1:]); elem != nil {
			t = reflect.PointerTo(elem)
		}
	case strings.HasPrefix(text, "[]"):
		if elem = l.typ(text[2:]); elem != nil {
			t = reflect.SliceOf(elem)
		}
	case strings.HasPrefix(text, "["):
		size, rest, _ := strings.Cut(text[1:], "]")
		if n, err := strconv.Atoi(size); err == nil {
			if elem = l.typ(rest); elem != nil {
				t = reflect.ArrayOf(n, elem)
			}
		}
	case strings.HasPrefix(text, "map["):
		depth := 0
		for i := 3; i < len(text); i++ {
			if text[i] == '[' {
				depth++
			} else if text[i] == ']' {
				depth--
			}
			if depth == 0 {
				key, elem := l.typ(text[4:i]), l.typ(text[i+1:])
				if key != nil && elem != nil {
					t = reflect.MapOf(key, elem)
				}
				break
			}
		}
	case strings.HasPrefix(text, "chan "):
		if elem = l.typ(text[5:]); elem != nil {
			t = reflect.ChanOf(reflect.BothDir, elem)
		}
	case text == "any":
		t = reflect.TypeOf((*any)(nil)).Elem()
	case text == "error":
		t = reflect.TypeOf((*error)(nil)).Elem()
	default:
		for _, x := range []any{
			false, 0, int8(0), int16(0), int32(0), int64(0),
			uint(0), uint8(0), uint16(0), uint32(0), uint64(0), uintptr(0),
			float32(0), 0.0, complex64(0), 0i, "", struct{}{},
		} {
			if crashType(reflect.TypeOf(x)) == text {
				t = reflect.TypeOf(x)
			}
		}
		if t == nil {
			t = crashNamed(text)
		}
	}
	if t != nil {
		l.types[text] = t
	}
	return t
}

// crashNamed returns the named type with a text, or nil. It looks among the element types of the
// program's pointer types, whose strings have package names in place of import paths; the name of
// the package is guessed from its path.
func crashNamed(text string) reflect.Type {
	end := len(text)
	if i := strings.IndexByte(text, '['); i >= 0 {
		end = i
	}
	dot := strings.LastIndexByte(text[:end], '.')
	if dot < 0 {
		return nil
	}
	var names []string
	parts := strings.Split(text[:dot], "/")
	for i := len(parts) - 1; i >= 0 && i >= len(parts)-2; i-- {
		name, _, _ := strings.Cut(parts[i], ".v")
		names = append(names, name,
			strings.TrimPrefix(name, "go-"), strings.TrimSuffix(name, "-go"),
			strings.ReplaceAll(name, "-", ""), strings.ReplaceAll(name, "-", "_"))
	}
	for _, name := range append(names, "main") {
		for _, p := range crashTypesByString("*" + name + text[dot:]) {
			header := [2]unsafe.Pointer{p, nil}
			if t := reflect.TypeOf(*(*any)(unsafe.Pointer(&header))).Elem(); crashType(t) == text {
				return t
			}
		}
	}
	return nil
}

// crashOpen returns an addressable value so that it can be set, even if it is an unexported field.
func crashOpen(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// set sets a variable to the value of a node.
func (l *crashLoader) set(v reflect.Value, n *crashNode) {
	if n.Var != "" {
		if x, ok := l.vars[n.Var]; ok && x != nil && reflect.TypeOf(x).AssignableTo(v.Type()) {
			v.Set(reflect.ValueOf(x))
		}
		return
	}
	if v.Type() == reflect.TypeOf(reflect.Value{}) {
		v.Set(reflect.ValueOf(l.reflected(n)))
		return
	}
	switch k := v.Kind(); k {
	case reflect.Bool:
		v.SetBool(n.Lit == "true")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		x, _ := strconv.ParseInt(n.Lit, 10, 64)
		v.SetInt(x)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		x, _ := strconv.ParseUint(n.Lit, 10, 64)
		v.SetUint(x)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(crashFloat(n.Lit))
	case reflect.Complex64, reflect.Complex128:
		parts := strings.TrimSuffix(strings.TrimPrefix(n.Lit, "complex("), ")")
		if re, im, ok := strings.Cut(parts, ", "); ok {
			v.SetComplex(complex(crashFloat(re), crashFloat(im)))
		}
	case reflect.String:
		if n.Lit != "" {
			x, _ := strconv.Unquote(n.Lit)
			v.SetString(x)
		}
	case reflect.Struct:
		for i := range n.Fields {
			if f := v.FieldByName(n.Fields[i].Name); f.IsValid() {
				l.set(crashOpen(f), &n.Fields[i])
			}
		}
	case reflect.Array:
		l.elements(v, n)
	case reflect.Interface:
		if n.Dynamic != nil {
			l.dynamic(v, n.Dynamic)
		}
	case reflect.Func:
		if n.Ref != nil && l.closure(v, *n.Ref) {
			return
		}
		if n.Lit == "func" || n.Ref != nil { // a closure that cannot be repeated: return zero values
			v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) (out []reflect.Value) {
				for i := 0; i < v.Type().NumOut(); i++ {
					out = append(out, reflect.Zero(v.Type().Out(i)))
				}
				return out
			}))
		}
	default:
		if n.Ref != nil {
			l.refer(v, n)
		}
	}
}

// closure sets a function to a closure, an object, if the test has its function literal.
func (l *crashLoader) closure(v reflect.Value, object int) bool {
	name := fmt.Sprintf("closure %d", object)
	f := reflect.ValueOf(l.vars[name])
	if !f.IsValid() || !f.CanConvert(v.Type()) {
		return false
	}
	v.Set(f.Convert(v.Type()))
	if !l.made[object].IsValid() {
		l.made[object] = f
		for i := range l.objects[object].Fields {
			captured := &l.objects[object].Fields[i]
			if p := reflect.ValueOf(l.vars[name+" "+captured.Name]); p.IsValid() {
				l.set(p.Elem(), captured)
			}
		}
	}
	return true
}

// crashFloat returns the value of a floating-point literal.
func crashFloat(lit string) float64 {
	switch lit {
	case "math.NaN()":
		return math.NaN()
	case "math.Inf(1)":
		return math.Inf(1)
	case "math.Inf(-1)":
		return math.Inf(-1)
	case "math.Copysign(0, -1)":
		return math.Copysign(0, -1)
	}
	x, _ := strconv.ParseFloat(lit, 64)
	return x
}

// elements sets the elements of an array.
func (l *crashLoader) elements(v reflect.Value, n *crashNode) {
	if n.Lit != "" {
		text, _ := strconv.Unquote(n.Lit)
		reflect.Copy(v, reflect.ValueOf([]byte(text)))
	}
	for i := range n.Elems {
		if e := &n.Elems[i]; e.Index < v.Len() {
			l.set(v.Index(e.Index), &e.Value)
		}
	}
}

// dynamic sets an interface to its dynamic value.
func (l *crashLoader) dynamic(v reflect.Value, n *crashNode) {
	if n.Type == "*reflect.rtype" {
		text, _ := strconv.Unquote(n.Lit)
		if t := l.typ(text); t != nil {
			v.Set(reflect.ValueOf(t))
		}
		return
	}
	t := l.typ(n.Type)
	if t == nil {
		panic(fmt.Sprintf("crashLoad: this program has no type %s", n.Type))
	}
	x := reflect.New(t).Elem()
	l.set(x, n)
	v.Set(x)
}

// reflected returns the reflect.Value that a node describes.
func (l *crashLoader) reflected(n *crashNode) reflect.Value {
	switch {
	case n.Dynamic != nil:
		var x any
		l.dynamic(reflect.ValueOf(&x).Elem(), n.Dynamic)
		return reflect.ValueOf(x)
	case n.Ref != nil:
		if t := l.typ(n.Elem); t != nil {
			p := reflect.New(reflect.PointerTo(t)).Elem()
			l.refer(p, &crashNode{Ref: n.Ref, Path: n.Path})
			return p.Elem()
		}
	}
	return reflect.Value{}
}

// refer sets a pointer, slice, map or channel to the object that a node refers to.
func (l *crashLoader) refer(v reflect.Value, n *crashNode) {
	o := &l.objects[*n.Ref]
	m := l.made[*n.Ref]
	if !m.IsValid() {
		m = l.make(*n.Ref, o, v.Type())
	}
	switch v.Kind() {
	case reflect.Pointer:
		part := l.part(m.Elem(), n.Path)
		v.Set(reflect.NewAt(v.Type().Elem(), unsafe.Pointer(part.UnsafeAddr())).Convert(v.Type()))
	case reflect.Slice:
		array := l.part(m.Elem(), n.Path)
		length, capacity := 0, 0
		if n.Len != nil {
			length = *n.Len
		}
		if capacity = length; n.Cap != nil {
			capacity = *n.Cap
		}
		v.Set(array.Slice3(n.Offset, n.Offset+length, n.Offset+capacity).Convert(v.Type()))
	default:
		v.Set(m.Convert(v.Type()))
	}
}

// make makes object i, o, to which a value of type of refers.
func (l *crashLoader) make(i int, o *crashNode, of reflect.Type) reflect.Value {
	switch of.Kind() {
	case reflect.Map:
		m := reflect.MakeMap(of)
		l.made[i] = m
		for j := range o.Elems {
			e := &o.Elems[j]
			key, value := reflect.New(of.Key()).Elem(), reflect.New(of.Elem()).Elem()
			l.set(key, e.Key)
			l.set(value, &e.Value)
			m.SetMapIndex(key, value)
		}
		return m
	case reflect.Chan:
		size := len(o.Elems)
		if o.Cap != nil {
			size = max(size, *o.Cap)
		}
		c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, of.Elem()), size)
		l.made[i] = c
		for j := range o.Elems {
			x := reflect.New(of.Elem()).Elem()
			l.set(x, &o.Elems[j].Value)
			c.Send(x)
		}
		if o.Closed {
			c.Close()
		}
		return c
	}
	t := l.typ(o.Type)
	if t == nil { // the program has no such type: take the type that is pointed to
		if t = of.Elem(); of.Kind() == reflect.Slice {
			size, _, _ := strings.Cut(strings.TrimPrefix(o.Type, "["), "]")
			n, _ := strconv.Atoi(size)
			t = reflect.ArrayOf(n, of.Elem())
		}
	}
	p := reflect.New(t)
	l.made[i] = p
	if t.Kind() == reflect.Array {
		l.elements(p.Elem(), o)
	} else {
		l.set(p.Elem(), o)
	}
	return p
}

// part returns the part of a value that a path leads to, such as .items[3].name.
func (l *crashLoader) part(v reflect.Value, path string) reflect.Value {
	for path != "" {
		step := path[1:]
		if end := strings.IndexAny(step, ".["); end >= 0 {
			step = step[:end]
		}
		if path[0] == '.' {
			v = crashOpen(v.FieldByName(step))
		} else {
			i, _ := strconv.Atoi(strings.TrimSuffix(step, "]"))
			v = v.Index(i)
		}
		path = path[1+len(step):]
	}
	return v
}
