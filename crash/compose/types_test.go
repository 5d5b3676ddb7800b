package compose

import (
	"context"
	"fmt"
	"go/types"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

// TestManyTypes composes tests with values of hundreds of types, as parameters, receivers' fields
// and results of functions, in a package whose own tests declare the names of packages, and
// compiles them.
func TestManyTypes(t *testing.T) {
	list := []string{"int", "int8", "uint64", "float32", "float64", "complex128", "string", "bool",
		"error", "any", "Named", "Text", "Iface", "Func", "Chan", "Record", "Any", "time.Duration",
		"time.Time", "io.Reader", "reflect.Kind", "[]byte", "hidden"}
	makers := []string{"*%s", "[]%s", "[2]%s", "map[string]%s", "chan %s", "func() %s",
		"func(%s) error", "struct { A %[1]s; b *%[1]s }", "map[Named]%s", "<-chan %s",
		"func() (%s, error)", "func(...%s)"}
	for _, base := range append([]string(nil), list...) {
		for _, m := range makers {
			list = append(list, fmt.Sprintf(m, base))
		}
	}
	r := rand.New(rand.NewSource(1))
	for range 150 { // deeper ones
		m := makers[r.Intn(len(makers))]
		list = append(list, fmt.Sprintf(m, list[r.Intn(len(list))]))
	}
	var src strings.Builder
	src.WriteString(`package m

import (
	"io"
	"reflect"
	"time"
)

type (
	Named  int
	Text   string
	Iface  interface{ M(int) (string, error) }
	Func   func(int) string
	Chan   chan int
	Record struct {
		A int
		b []string
		C *Record
	}
	Any    interface{}
	hidden struct{ n int }
)

func (f Func) Call() string { return f(1) }
func (c Chan) Len() int     { return len(c) }

var _ io.Reader
var _ reflect.Kind
var _ time.Time
`)
	for i, typ := range list {
		fmt.Fprintf(&src, "\ntype S%d struct { f %s }\n\nfunc (s *S%d) M(p %s, rest ...%s) (r %s) { return }\n",
			i, typ, i, typ, typ, typ)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src.String(),
		"names_test.go": "package m\n\nvar math, errors int\n\nfunc fmt() {}\n\n" +
			"type strings struct{}\n\nconst testing = 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	composed, refused := 0, map[string]int{}
	for _, f := range prog.Packages[0].Funcs() {
		sig := f.Obj.Type().(*types.Signature)
		if sig.Params().Len() != 2 {
			continue
		}
		for range 2 {
			g := &nodes{r: r, ce: &schemas.Counterexample{}}
			recv := g.node(sig.Recv().Type(), 0)
			g.ce.Receiver = &schemas.Input{Name: "s", Node: recv}
			for p := range sig.Params().Variables() {
				g.ce.Params = append(g.ce.Params,
					schemas.Input{Name: p.Name(), Node: g.node(p.Type(), 0)})
			}
			name := fmt.Sprintf("TestX%d", composed)
			c, err := Compose(prog, f, g.ce, name, strings.ToLower(name)+"_test.go", "Panics.")
			if err != nil {
				refused[err.Error()]++
				continue
			}
			composed++
			if err := os.WriteFile(filepath.Join(dir, c.File), []byte(c.Source), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command("go", "test", "-vet=off", "-gcflags=-e", "-run", "^$", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the tests do not compile: %v\n%s", err, out)
	}
	t.Logf("%d types, %d tests; refused: %v", len(list), composed, refused)
	if composed < len(list) {
		t.Errorf("only %d tests of %d types", composed, len(list))
	}
}

// nodes draws values as counterexamples have them.
type nodes struct {
	r  *rand.Rand
	ce *schemas.Counterexample
}

// object adds an object and returns its index.
func (g *nodes) object(make func() schemas.Node) *int {
	i := len(g.ce.Objects)
	g.ce.Objects = append(g.ce.Objects, schemas.Node{})
	n := make()
	g.ce.Objects[i] = n
	return &i
}

// node draws a value of a type.
func (g *nodes) node(t types.Type, depth int) schemas.Node {
	n := schemas.Node{Type: types.TypeString(t, nil)}
	if depth > 0 && g.r.Intn(6) == 0 || depth > 4 {
		return n // not constrained
	}
	null := g.r.Intn(4) == 0 && depth > 0
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			n.Lit = []string{`""`, `"a\x00"`, `"é"`}[g.r.Intn(3)]
		case u.Info()&types.IsBoolean != 0:
			n.Lit = []string{"true", "false"}[g.r.Intn(2)]
		case u.Info()&types.IsFloat != 0:
			n.Lit = []string{"1.5", "math.NaN()", "math.Inf(1)", "0"}[g.r.Intn(4)]
		case u.Info()&types.IsInteger != 0:
			n.Lit = []string{"0", "1", "7"}[g.r.Intn(3)]
		}
	case *types.Pointer:
		if null {
			n.Lit = "nil"
			break
		}
		n.Ref = g.object(func() schemas.Node { return g.node(u.Elem(), depth+1) })
	case *types.Slice:
		if null {
			n.Lit = "nil"
			break
		}
		length := int64(g.r.Intn(3))
		n.Len = &length
		n.Ref = g.object(func() schemas.Node {
			o := schemas.Node{Type: n.Type}
			for i := range length {
				o.Elems = append(o.Elems, schemas.Elem{Index: i, Value: g.node(u.Elem(), depth+1)})
			}
			return o
		})
	case *types.Array:
		n.Elems = append(n.Elems, schemas.Elem{Index: 1, Value: g.node(u.Elem(), depth+1)})
	case *types.Map:
		if null {
			n.Lit = "nil"
			break
		}
		n.Ref = g.object(func() schemas.Node {
			key := g.node(u.Key(), 0)
			return schemas.Node{Type: n.Type, Elems: []schemas.Elem{
				{Key: &key, Value: g.node(u.Elem(), depth+1)}}}
		})
	case *types.Chan:
		if null {
			n.Lit = "nil"
			break
		}
		n.Ref = g.object(func() schemas.Node {
			return schemas.Node{Type: n.Type, Closed: g.r.Intn(2) == 0, Elems: []schemas.Elem{
				{Value: g.node(u.Elem(), depth+1)}}}
		})
	case *types.Signature:
		switch results := u.Results(); {
		case null:
			n.Lit = "nil"
		case results.Len() == 1 && g.r.Intn(2) == 0:
			n.Elems = []schemas.Elem{{Value: g.node(results.At(0).Type(), depth+1)}}
		default:
			n.Lit = "func"
		}
	case *types.Interface:
		switch {
		case null:
			n.Lit = "nil"
		case u.NumMethods() == 0:
			v := g.node([]types.Type{types.Typ[types.Int], types.NewSlice(types.Typ[types.String])}[g.r.Intn(2)],
				depth+1)
			n.Dynamic = &v
		default:
			n.Dynamic = &schemas.Node{Type: n.Type}
		}
	case *types.Struct:
		for f := range u.Fields() {
			if p := f.Pkg(); p != nil && p.Path() == "example.com/m" {
				n.Fields = append(n.Fields, schemas.Input{Name: f.Name(), Node: g.node(f.Type(), depth+1)})
			}
		}
	}
	return n
}
