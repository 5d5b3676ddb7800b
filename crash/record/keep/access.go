//go:build go1.21

package keep

import (
	"reflect"
	"runtime"
	"strings"
	"unsafe"
)

// What the language does not let one look at: functions' names, channels' buffers, and maps that others may be writing.

// variables are the names of package-level variables and of what they hold, by address.
var variables = map[unsafe.Pointer]variable{}

type variable struct {
	name string
	typ  reflect.Type
}

// globals are pointers to package-level variables, by name.
var globals = map[string]reflect.Value{}

// Var registers a package-level variable of the program: p points to it. It is called as packages are initialised.
func Var(name string, p any) {
	v := reflect.ValueOf(p)
	globals[name] = v
	if size := v.Type().Elem().Size(); size > 0 {
		variables[v.UnsafePointer()] = variable{"&" + name, v.Type()}
	}
}

// Sentinel registers an error variable, whose value is known by its identity: io.EOF.
func Sentinel(name string, p *error) {
	if v := reflect.ValueOf(*p); v.Kind() == reflect.Pointer && !v.IsNil() && v.Type().Elem().Size() > 0 {
		variables[v.UnsafePointer()] = variable{name, v.Type()}
	}
}

// named is the name of a package-level variable that a pointer is the address of, or of the error variable that holds it; "" if it is
// neither.
func named(v reflect.Value) string {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return ""
	}
	if known, ok := variables[v.UnsafePointer()]; ok && known.typ == v.Type() {
		return known.name
	}
	return ""
}

// funcName is the name of a function that has one in the source, "" of a closure or a method value.
func funcName(v reflect.Value) string {
	f := runtime.FuncForPC(v.Pointer())
	if f == nil {
		return ""
	}
	name := f.Name()
	local := name[strings.LastIndexByte(name, '/')+1:]
	if strings.HasSuffix(name, "-fm") || strings.Contains(name, "[...]") || strings.Count(local, ".") > 1 || strings.Contains(local, "glob..") {
		return ""
	}
	return name
}

// channel is the beginning of a channel of the runtime.
type channel struct {
	count, size uint
	buf         unsafe.Pointer
	rest        [8]uint
}

// layout is where a channel has the index of what is received next, in words of rest, and the mark that it is closed, in the
// first of them; -1 if it is elsewhere than thought.
var layout = func() (l struct{ next, closed int }) {
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
		if h.rest[i] == 3 && h.rest[i+1] == 1 {
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

// buffered are copies of the elements in a channel's buffer.
func buffered(v reflect.Value) (out []entry) {
	n, size := v.Len(), v.Cap()
	typ := v.Type().Elem()
	if n == 0 || layout.next < 0 {
		return nil
	}
	h := (*channel)(v.UnsafePointer())
	next := int(h.rest[layout.next])
	for i := 0; i < n && next+i < 2*size; i++ {
		x := reflect.New(typ).Elem()
		x.Set(reflect.NewAt(typ, unsafe.Add(h.buf, uintptr((next+i)%size)*typ.Size())).Elem())
		out = append(out, entry{value: x})
	}
	return out
}

// closed says that a channel is closed.
func closed(v reflect.Value) bool {
	h := (*channel)(v.UnsafePointer())
	return layout.closed > 0 && (*[2]uint32)(unsafe.Pointer(&h.rest[0]))[layout.closed] != 0
}
