//go:build go1.21

package keep

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// This file reads what the language does not show: the names of variables and functions, and the
// buffers of channels. maps.go reads maps.

// variable is a package-level variable, or an error value known by the name of a variable.
type variable struct {
	name string
	typ  reflect.Type // of the pointer
}

// variables are the known variables, by the address of the variable or of the error.
var variables = map[unsafe.Pointer]variable{}

// globals are pointers to package-level variables, by name.
var globals = map[string]reflect.Value{}

// Var registers a package-level variable of the program, given by a pointer. The initialization of
// its package calls it.
func Var(name string, p any) {
	v := reflect.ValueOf(p)
	globals[name] = v
	if size := v.Type().Elem().Size(); size > 0 {
		variables[v.UnsafePointer()] = variable{"&" + name, v.Type()}
	}
}

// Sentinel registers an error variable, such as io.EOF. Programs compare such errors by identity,
// so documents refer to them by name.
func Sentinel(name string, p *error) {
	v := reflect.ValueOf(*p)
	if v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().Size() > 0 {
		variables[v.UnsafePointer()] = variable{name, v.Type()}
	}
}

// nameOf returns the name for a pointer that is the address of a registered variable or the value
// of a registered error, or "".
func nameOf(v reflect.Value) string {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return ""
	}
	if known, ok := variables[v.UnsafePointer()]; ok && known.typ == v.Type() {
		return known.name
	}
	return ""
}

// funcName returns the name of a declared function, or "" for closures, method values and instances
// of generic functions.
func funcName(v reflect.Value) string {
	f := runtime.FuncForPC(v.Pointer())
	if f == nil {
		return ""
	}
	name := f.Name()
	local := name[strings.LastIndexByte(name, '/')+1:]
	if strings.HasSuffix(name, "-fm") || strings.Contains(name, "[...]") ||
		strings.Count(local, ".") > 1 || strings.Contains(local, "glob..") {
		return ""
	}
	return name
}

// channel is the beginning of the runtime's hchan.
type channel struct {
	count, size uint
	buf         unsafe.Pointer
	rest        [8]uint
}

// chanLayout tells where a channel has two fields whose places differ between versions of Go: next
// is the word of rest with the index of the element that is received next, and closed the half of
// the first word of rest with the mark of a closed channel. Both are -1 if they are not found.
var chanLayout = func() (l struct{ next, closed int }) {
	l.next, l.closed = -1, -1
	c := make(chan int64, 4)
	c <- 1
	c <- 2
	c <- 3
	<-c
	at := func(c *chan int64) *channel { return *(**channel)(unsafe.Pointer(c)) }
	h := at(&c)
	if h.count != 2 || h.size != 4 {
		return l
	}
	for i := 1; i+1 < 6; i++ {
		if h.rest[i] == 3 && h.rest[i+1] == 1 { // the indexes for sending and receiving
			l.next = i + 1
			break
		}
	}
	open := (*[2]uint32)(unsafe.Pointer(&h.rest[0]))[1]
	close(c)
	if open == 0 && (*[2]uint32)(unsafe.Pointer(&h.rest[0]))[1] == 1 {
		l.closed = 1
	}
	return l
}()

// bufferOf returns copies of the elements in a channel's buffer, the next to be received first. It
// returns nil if the layout of channels is not known.
func bufferOf(v reflect.Value) (out []entry) {
	n, size := v.Len(), v.Cap()
	typ := v.Type().Elem()
	if n == 0 || chanLayout.next < 0 {
		return nil
	}
	h := (*channel)(v.UnsafePointer())
	next := int(h.rest[chanLayout.next])
	for i := 0; i < n && next+i < 2*size; i++ {
		x := reflect.New(typ).Elem()
		at := unsafe.Add(h.buf, uintptr((next+i)%size)*typ.Size())
		x.Set(reflect.NewAt(typ, at).Elem())
		out = append(out, entry{value: x})
	}
	return out
}

// isClosed reports whether a channel is closed, as far as the layout of channels is known.
func isClosed(v reflect.Value) bool {
	if chanLayout.closed < 0 {
		return false
	}
	h := (*channel)(v.UnsafePointer())
	return (*[2]uint32)(unsafe.Pointer(&h.rest[0]))[chanLayout.closed] != 0
}
