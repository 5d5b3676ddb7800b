package compose

import (
	"go/types"
	"strconv"
	"strings"

	"dsd/schemas"
)

// Values of the standard library's types that a literal cannot make, or not one that works.

// constructors make pointers to types whose zero values are of no use: the packages they need, and the call.
var constructors = map[string]struct{ imports, call string }{
	"bufio.Reader":           {"bufio strings", `bufio.NewReader(strings.NewReader(""))`},
	"bufio.Writer":           {"bufio io", `bufio.NewWriter(io.Discard)`},
	"bufio.ReadWriter":       {"bufio io strings", `bufio.NewReadWriter(bufio.NewReader(strings.NewReader("")), bufio.NewWriter(io.Discard))`},
	"bufio.Scanner":          {"bufio strings", `bufio.NewScanner(strings.NewReader(""))`},
	"encoding/json.Decoder":  {"encoding/json strings", `json.NewDecoder(strings.NewReader(""))`},
	"encoding/json.Encoder":  {"encoding/json io", `json.NewEncoder(io.Discard)`},
	"flag.FlagSet":           {"flag", `flag.NewFlagSet("", flag.ContinueOnError)`},
	"html/template.Template": {"html/template", `template.New("")`},
	"log.Logger":             {"io log", `log.New(io.Discard, "", 0)`},
	"math/rand.Rand":         {"math/rand", `rand.New(rand.NewSource(1))`},
	"regexp.Regexp":          {"regexp", `regexp.MustCompile("")`},
	"sync.Cond":              {"sync", `sync.NewCond(new(sync.Mutex))`},
	"text/tabwriter.Writer":  {"io text/tabwriter", `tabwriter.NewWriter(io.Discard, 0, 0, 0, 0, 0)`},
	"text/template.Template": {"text/template", `template.New("")`},
	"time.Timer":             {"time", `time.NewTimer(0)`},
	"time.Ticker":            {"time", `time.NewTicker(time.Hour)`},
}

// constructed is a pointer to a value of type t as a constructor makes it, "" if a literal will do.
func (w *writer) constructed(t types.Type) string {
	c := constructors[types.TypeString(t, nil)]
	for _, path := range strings.Fields(c.imports) {
		w.imports[path] = path[strings.LastIndexByte(path, '/')+1:]
	}
	return c.call
}

// known writes a value of an interface of the standard library.
func (w *writer) known(t types.Type) string {
	use := func(path, e string) string { w.imports[path] = path[strings.LastIndexByte(path, '/')+1:]; return e }
	switch types.TypeString(t, nil) {
	case "error":
		return use("errors", `errors.New("e")`)
	case "io.Reader", "io.ByteReader", "io.RuneReader", "io.ReaderAt", "io.Seeker", "io.ReadSeeker":
		return use("strings", `strings.NewReader("")`)
	case "io.Writer", "io.ReadWriter", "io.ByteWriter", "io.StringWriter", "fmt.Stringer":
		return use("bytes", `new(bytes.Buffer)`)
	case "context.Context":
		return use("context", `context.Background()`)
	}
	fail("no implementation of %s is known", t)
	return ""
}

// Bits of a reflect.Value's field flag: its kind, and that it can be set.
const (
	flagKind = 31
	flagAddr = 256
)

// byKind are values of each kind, by reflect.Kind; "" where none is simple.
var byKind = [...]string{
	"", "false", "0", "int8(0)", "int16(0)", "int32(0)", "int64(0)", "uint(0)", "uint8(0)", "uint16(0)", "uint32(0)", "uint64(0)", "uintptr(0)",
	"float32(0)", "0.0", "complex64(0)", "0i", "[1]int{}", "make(chan int)", "func() {}", "", "map[string]int{}", "new(int)", "[]int{}", `""`, "struct{}{}", "",
}

// reflectValue writes a reflect.Value of the kind that its field flag says.
func (w *writer) reflectValue(n *schemas.Node) string {
	w.imports["reflect"] = "reflect"
	var flag uint64
	for i := range n.Fields {
		if n.Fields[i].Name == "flag" {
			flag, _ = strconv.ParseUint(n.Fields[i].Lit, 10, 64)
		}
	}
	kind := flag & flagKind
	switch {
	case kind == 0:
		return "reflect.Value{}"
	case kind == 20: // reflect.Interface
		return "reflect.ValueOf(new(any)).Elem()"
	case kind >= uint64(len(byKind)) || byKind[kind] == "":
		fail("a reflect.Value of kind %d cannot be written", kind)
	case flag&flagAddr != 0:
		v := w.name("v")
		w.emit("%s := %s", v, byKind[kind])
		return "reflect.ValueOf(&" + v + ").Elem()"
	}
	return "reflect.ValueOf(" + byKind[kind] + ")"
}
