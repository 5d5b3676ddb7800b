package compose

import (
	"go/types"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"dsd/schemas"
)

// Values of types of the standard library for which a literal is impossible or useless.

// constructors are calls that return a pointer to a type whose zero value is useless, with the
// import paths that they need.
var constructors = map[string]struct{ imports, call string }{
	"bufio.Reader": {"bufio strings", `bufio.NewReader(strings.NewReader(""))`},
	"bufio.Writer": {"bufio io", `bufio.NewWriter(io.Discard)`},
	"bufio.ReadWriter": {"bufio io strings",
		`bufio.NewReadWriter(bufio.NewReader(strings.NewReader("")), bufio.NewWriter(io.Discard))`},
	"bufio.Scanner": {"bufio strings", `bufio.NewScanner(strings.NewReader(""))`},
	"encoding/json.Decoder": {"encoding/json strings",
		`json.NewDecoder(strings.NewReader(""))`},
	"encoding/json.Encoder":  {"encoding/json io", `json.NewEncoder(io.Discard)`},
	"flag.FlagSet":           {"flag", `flag.NewFlagSet("", flag.ContinueOnError)`},
	"html/template.Template": {"html/template", `template.New("")`},
	"log.Logger":             {"io log", `log.New(io.Discard, "", 0)`},
	"math/rand.Rand":         {"math/rand", `rand.New(rand.NewSource(1))`},
	"regexp.Regexp":          {"regexp", `regexp.MustCompile("")`},
	"sync.Cond":              {"sync", `sync.NewCond(new(sync.Mutex))`},
	"text/tabwriter.Writer": {"io text/tabwriter",
		`tabwriter.NewWriter(io.Discard, 0, 0, 0, 0, 0)`},
	"text/template.Template": {"text/template", `template.New("")`},
	"time.Timer":             {"time", `time.NewTimer(0)`},
	"time.Ticker":            {"time", `time.NewTicker(time.Hour)`},
}

// constructed returns the constructor's call for a pointer to a value of type t; "" if a literal
// suffices.
func (w *writer) constructed(t types.Type) string {
	c, ok := constructors[types.TypeString(t, nil)]
	if !ok || w.exact { // a new value is not the recorded one
		return ""
	}
	return w.using(c.imports, c.call)
}

// using returns an expression e after importing packages. paths are their import paths, separated
// by spaces; e names them by the last elements of these, which using replaces by the names that
// they have in the file.
func (w *writer) using(paths, e string) string {
	for _, path := range strings.Fields(paths) {
		base := path[strings.LastIndexByte(path, '/')+1:]
		if as := w.file.Use(path, base); as != base {
			e = regexp.MustCompile(`\b`+base+`\.`).ReplaceAllString(e, as+".")
		}
	}
	return e
}

// known returns some value of an interface type: one of the standard library, or a stub.
func (w *writer) known(t types.Type) string {
	if w.exact {
		fail("a value of a type that cannot be named in package %s", w.fn.Pkg.Path)
	}
	switch types.TypeString(t, nil) {
	case "error":
		return w.using("errors", `errors.New("e")`)
	case "io.Reader", "io.ByteReader", "io.RuneReader", "io.ReaderAt", "io.Seeker",
		"io.ReadSeeker":
		return w.using("strings", `strings.NewReader("")`)
	case "io.Writer", "io.ReadWriter", "io.ByteWriter", "io.StringWriter", "fmt.Stringer":
		return w.using("bytes", `new(bytes.Buffer)`)
	case "context.Context":
		return w.using("context", `context.Background()`)
	}
	if _, ok := w.file.StubResults(t); ok {
		return w.file.Stub(t, nil)
	}
	fail("no type in package %s can implement %s", w.fn.Pkg.Path, t)
	return ""
}

// Bits of the field flag of a reflect.Value; see its declaration.
const (
	flagKind = 1<<5 - 1 // the kind
	flagAddr = 1 << 8   // it can be set
)

// byKind holds a value of each kind that has simple ones.
var byKind = map[reflect.Kind]string{
	reflect.Bool:       "false",
	reflect.Int:        "0",
	reflect.Int8:       "int8(0)",
	reflect.Int16:      "int16(0)",
	reflect.Int32:      "int32(0)",
	reflect.Int64:      "int64(0)",
	reflect.Uint:       "uint(0)",
	reflect.Uint8:      "uint8(0)",
	reflect.Uint16:     "uint16(0)",
	reflect.Uint32:     "uint32(0)",
	reflect.Uint64:     "uint64(0)",
	reflect.Uintptr:    "uintptr(0)",
	reflect.Float32:    "float32(0)",
	reflect.Float64:    "0.0",
	reflect.Complex64:  "complex64(0)",
	reflect.Complex128: "0i",
	reflect.Array:      "[1]int{}",
	reflect.Chan:       "make(chan int)",
	reflect.Func:       "func() {}",
	reflect.Map:        "map[string]int{}",
	reflect.Pointer:    "new(int)",
	reflect.Slice:      "[]int{}",
	reflect.String:     `""`,
	reflect.Struct:     "struct{}{}",
}

// reflectValue returns a reflect.Value of the kind, and settable or not, that its field flag gives.
func (w *writer) reflectValue(n *schemas.Node) string {
	if w.exact {
		fail("a reflect.Value cannot be written")
	}
	var flag uint64
	for i := range n.Fields {
		if n.Fields[i].Name == "flag" {
			flag, _ = strconv.ParseUint(n.Fields[i].Lit, 10, 64)
		}
	}
	kind := reflect.Kind(flag & flagKind)
	value, simple := byKind[kind]
	switch {
	case kind == reflect.Invalid:
		return w.using("reflect", "reflect.Value{}")
	case kind == reflect.Interface:
		return w.using("reflect", "reflect.ValueOf(new(interface{})).Elem()")
	case !simple:
		fail("a reflect.Value of kind %s cannot be written", kind)
	case flag&flagAddr != 0:
		v := w.name("v")
		w.emit("%s := %s", v, value)
		return w.using("reflect", "reflect.ValueOf(&"+v+").Elem()")
	}
	return w.using("reflect", "reflect.ValueOf("+value+")")
}
