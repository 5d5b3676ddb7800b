package paramgraph

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
)

// TestTaggedTypes checks that a package that looks for struct tags gets types with these tags.
func TestTaggedTypes(t *testing.T) {
	const src = `package m

import "reflect"

const key = "conf"

func Name(f reflect.StructField) string {
	if name, ok := f.Tag.Lookup(key); ok {
		return name
	}
	return f.Tag.Get("alt") + f.Tag.Get("alt") + f.Tag.Get(f.Name)
}

func Other(m map[string]string, g interface{ Get(string) string }) string { return g.Get("no") }
`
	prog := loadFile(t, src)
	keys, _ := tagKeys(prog.Packages[0], true)
	if want := []string{"conf", "alt"}; !slices.Equal(keys, want) {
		t.Fatalf("got keys %q, want %q", keys, want)
	}
	got := taggedTypes(keys[:1], nil, true)
	want := "struct{A int \"conf:\\\"a\\\"\"; B *string \"conf:\\\"b,omitempty\\\"\"; " +
		"C []string \"conf:\\\"c\\\"\"; D map[string]int \"conf:\\\"-\\\"\"; E any \"conf:\\\"e\\\"\"}"
	if len(got) != 6 || got[0].String() != want || got[1].String() != "*"+want {
		t.Errorf("got %v, want %s and a pointer to it", got, want)
	}
	const row = "*[]struct{A string \"conf:\\\"a\\\"\"; B int \"conf:\\\"b\\\"\"}"
	if got[4].String() != row {
		t.Errorf("got %s, want %s", got[4], row)
	}
}

// TestAsked: the types that a package looks for in values of any type, and the words that it looks for in tags.
func TestAsked(t *testing.T) {
	const src = `package m

import (
	"fmt"
	"reflect"
	"strings"
)

type Node struct{ V int }

type hidden struct{}

func Show(v any) string {
	switch v := v.(type) {
	case nil, int, *Node, hidden:
	case map[string][]bool:
	case fmt.Stringer:
		return v.String()
	}
	if b, ok := v.([]*Node); ok && b == nil {
		return ""
	}
	if reflect.ValueOf(v).Kind() == reflect.Uint {
		return ""
	}
	return ""
}

func Other(r interface{ Read() }) bool { _, ok := r.(*Node2); return ok }

type Node2 struct{}

func (*Node2) Read() {}

func Tag(f reflect.StructField) bool {
	name := f.Tag.Get("check")
	switch name {
	case "", "required", "a,b":
		return true
	}
	return name == "dive" || strings.HasPrefix(name, "min=")
}
`
	prog := loadFile(t, src)
	var got []string
	for _, typ := range NewBuilder(prog, prog.Packages[0], nil, nil).askedTypes() {
		got = append(got, types.TypeString(typ, (*types.Package).Name))
	}
	want := []string{"*m.Node", "map[string][]bool", "[]*m.Node", "*time.Time", "time.Time", "*time.Duration", "time.Duration",
		"uint", "[]uint", "map[string][]uint"}
	if !slices.Equal(got, want) {
		t.Errorf("got types %q, want %q", got, want)
	}
	keys, words := tagKeys(prog.Packages[0], true)
	if want := []string{"required", "dive", "min=1"}; !slices.Equal(words, want) {
		t.Errorf("got words %q, want %q", words, want)
	}
	list := taggedTypes(keys, words, true)
	wantType := "*struct{F0 string \"check:\\\"required\\\"\"; F1 *[]string \"check:\\\"dive\\\"\"; " +
		"F2 *int \"check:\\\"min=1\\\"\"}"
	if !slices.ContainsFunc(list, func(t types.Type) bool { return t.String() == wantType }) {
		t.Errorf("got %v, want %s among them", list, wantType)
	}
	for _, kind := range []string{"struct{}", "[]string", "map[string]string"} {
		if !slices.ContainsFunc(list, func(t types.Type) bool { return strings.Contains(t.String(), "F1 "+kind+" ") }) {
			t.Errorf("no type has a field %s with the second word", kind)
		}
	}
}

// TestFields: a package whose keys of tags are in variables and fields, and which asks for embedded fields, gets structs
// with such tags, such that embed a pointer, and such with unexported fields. Its exported variables are set.
func TestFields(t *testing.T) {
	const src = `package m

import (
	"reflect"
	_ "time"
)

var (
	DefaultTagName = "conf"
	Version        = "never read"
	tagCount       int
)

type options []string

func (o options) Has(s string) bool { return len(o) > 0 && o[0] == s }

type Mapper struct{ tag string }

func New() *Mapper { return &Mapper{tag: "map"} }

func (m *Mapper) Show(v any) (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if o := (options{f.Tag.Get(m.tag)}); o.Has("omitnested") {
			names = append(names, f.Tag.Get(DefaultTagName))
		}
	}
	return names
}
`
	prog := loadFile(t, src)
	keys, words := tagKeys(prog.Packages[0], true)
	if !slices.Equal(keys, []string{"conf", "map"}) || !slices.Equal(words, []string{"omitnested"}) {
		t.Errorf("got keys %q and words %q", keys, words)
	}
	pkg := prog.Packages[0]
	list := NewThorough(prog, pkg, nil, nil).structTypes()
	if !slices.ContainsFunc(list, func(t types.Type) bool { return t.String() == "struct{*unicode.Range16; B string}" }) {
		t.Errorf("got %v, want a struct that embeds a pointer among them", list)
	}
	if !slices.ContainsFunc(list, func(t types.Type) bool { return t.String() == "*struct{A int; b time.Time}" }) {
		t.Errorf("got %v, want a struct with an unexported field among them", list)
	}
	var set []string
	g := NewThorough(prog, pkg, nil, nil).Graph()
	for _, op := range g.Variables {
		set = append(set, g.Table[op].Name)
	}
	if !slices.Equal(set, []string{"DefaultTagName ="}) {
		t.Errorf("got assignments %q, want one of the variable that the package reads and users may set", set)
	}
	for _, op := range g.Table {
		if op.Name == "struct{A int; b time.Time}{}" && op.Internal {
			t.Error("a struct type without a name can be written by any package")
		}
	}
	if g := NewBuilder(prog, pkg, nil, nil).Graph(); len(g.Variables) > 0 {
		t.Error("testing at random sets no variables")
	}
}

// TestConstructors: of the functions that make values of another package's type, those come first that need none.
func TestConstructors(t *testing.T) {
	const src = "package m\n\nimport \"reflect\"\n\nfunc F(v reflect.Value) int { return v.Len() }\n"
	prog := loadFile(t, src)
	g := NewBuilder(prog, prog.Packages[0], nil, nil).Graph()
	var makes []string
	for _, p := range g.nodes["reflect.Value"].Producers {
		makes = append(makes, g.Table[p.Op].Name)
	}
	if want := []string{"MakeMap", "New", "ValueOf"}; !slices.Equal(makes, want) {
		t.Errorf("got %q, want %q", makes, want)
	}
}

// TestFurtherArguments: generic functions and types are instantiated with an interface besides the simplest types, and
// functions on the stack with structs that the package asks for.
func TestFurtherArguments(t *testing.T) {
	const src = `package m

import "reflect"

type Set[T comparable] struct{ m map[T]bool }

func New[T comparable]() *Set[T] { return &Set[T]{m: map[T]bool{}} }

func (s *Set[T]) Add(x T) { s.m[x] = true }

func Parse[T any](s string) (v T, err error) {
	if t := reflect.TypeOf(v); t.NumField() > 0 {
		s += t.Field(0).Tag.Get("conf")
	}
	return v, err
}
`
	prog := loadFile(t, src)
	pkg := prog.Packages[0]
	var required []*types.Func
	for _, f := range pkg.Funcs() {
		if f.Obj.Name() == "Parse" {
			required = append(required, f.Obj)
		}
	}
	targets := func(g *Graph) map[string]bool {
		out := map[string]bool{}
		for _, i := range g.Targets {
			op := g.Table[i]
			text := op.Name + "("
			for _, t := range op.In {
				text += t.String() + ", "
			}
			text += ")"
			for _, t := range op.Out {
				text += " " + t.String()
			}
			out[text] = true
		}
		return out
	}
	const set, structure = "*example.com/m.Set[any]", "struct{A int \"conf:\\\"a\\\"\"; B *string \"conf:\\\"b,omitempty\\\"\"; " +
		"C []string \"conf:\\\"c\\\"\"; D map[string]int \"conf:\\\"-\\\"\"; E any \"conf:\\\"e\\\"\"}"
	further := []string{
		"*Set[any].Add(" + set + ", any, )", "New() " + set, "Parse(string, ) any error", "Parse(string, ) " + structure + " error",
	}
	got := targets(NewThorough(prog, pkg, required, nil).Graph())
	for _, want := range further {
		if !got[want] {
			t.Errorf("no target %s among %v", want, got)
		}
	}
	few := targets(NewBuilder(prog, pkg, required, nil).Graph())
	for _, name := range further {
		if few[name] {
			t.Errorf("testing at random has the target %s", name)
		}
	}
}

// TestFewFields: testing at random gets few structs for tags.
func TestFewFields(t *testing.T) {
	list := taggedTypes([]string{"conf"}, []string{"required", "dive"}, false)
	var got []string
	for _, typ := range list[2:] {
		got = append(got, strings.ReplaceAll(typ.String(), `\"`, "'"))
	}
	want := []string{
		`*struct{F0 string "conf:'required'"; F1 *[]string "conf:'dive'"}`,
		`*struct{F0 struct{A string} "conf:'a,required'"; F1 []string "conf:'b,dive'"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLibraryTypes checks that an interface which a module declares for types of the standard library
// gets values of these, and others a stub.
func TestLibraryTypes(t *testing.T) {
	const src = `package m

import (
	"bufio"
	"io"
)

type Sink interface {
	io.Writer
	Flush() error
}

type Other interface{ Measure(n int) int }

func Copy(to Sink, r *bufio.Reader, o Other) error { return to.Flush() }
`
	prog := loadFile(t, src)
	g := NewBuilder(prog, prog.Packages[0], nil, nil).Graph()
	made := map[string][]string{}
	for _, op := range g.Table {
		for _, out := range op.Out {
			if types.IsInterface(out) {
				made[Key(out)] = append(made[Key(out)], op.Name)
			}
		}
	}
	if got := made["example.com/m.Sink"]; !slices.Contains(got, "NewWriterWriter") || len(got) != 2 {
		t.Errorf("Sink is made by %q", got)
	}
	if got := made["example.com/m.Other"]; len(got) != 1 || slices.Contains(got, "NewWriterWriter") {
		t.Errorf("Other is made by %q", got)
	}
}

// TestErrors checks that the search for one crash has errors that wrap others and that cannot be compared.
func TestErrors(t *testing.T) {
	const src = "package m\n\nfunc Log(err error) {}\n"
	prog := loadFile(t, src)
	for _, test := range []struct {
		graph *Graph
		want  []string
	}{
		{NewBuilder(prog, prog.Packages[0], nil, nil).Graph(), []string{"error", "zero error"}},
		{NewThorough(prog, prog.Packages[0], nil, nil).Graph(), []string{
			"error", "error that holds an error", "joined errors", "uncomparable error", "wrapped error", "zero error",
		}},
	} {
		var got []string
		for _, op := range test.graph.Table {
			if len(op.Out) > 0 && Key(op.Out[0]) == "error" {
				got = append(got, op.Name)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("errors are made by %q, want %q", got, test.want)
		}
	}
}

// TestHanded checks that the methods of other packages' interfaces whose values the package hands out are
// targets, and those of what they return.
func TestHanded(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"rule/rule.go": `package rule

type Rule interface{ Find(s string) *Match }

type Match struct{ Parts []string }

func (m *Match) Apply() int { return len(m.Parts) }

type Engine struct{}

func (*Engine) Run() {}
`,
		"m.go": `package m

import (
	"hash"
	"sort"

	"example.com/m/rule"
)

func Hours() rule.Rule       { return nil }
func Engine() *rule.Engine   { return nil } // tested in its own package
func Sum() hash.Hash32       { return nil }
func Order() sort.Interface  { return nil } // its users keep conditions
func Check() (int, error)    { return 0, nil }
`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := NewBuilder(prog, prog.Package("example.com/m"), nil, nil).Graph()
	var got []string
	for _, i := range g.Targets {
		got = append(got, g.Table[i].Name)
	}
	slices.Sort(got)
	want := []string{"*Match.Apply", "Check", "Engine", "Hash32.BlockSize", "Hash32.Reset", "Hash32.Size",
		"Hash32.Sum", "Hash32.Sum32", "Hash32.Write", "Hours", "Order", "Rule.Find", "Sum"}
	if !slices.Equal(got, want) {
		t.Errorf("got targets %q, want %q", got, want)
	}
}

// loadFile loads a module that has one file.
func loadFile(t *testing.T, src string) *source.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestManyImplementations: for the reproduction of a crash, an interface gets values of all types that implement it, and the
// results of functions that have a wider one.
func TestManyImplementations(t *testing.T) {
	var src strings.Builder
	src.WriteString(`package m

type Reader interface{ Read() int }
type Builder interface { Reader; Build() int }
func New() Builder { return nil }
func Use(r Reader) int { return r.Read() }
`)
	for _, c := range "ABCDEFGH" {
		fmt.Fprintf(&src, "type %[1]c struct{}\nfunc (%[1]c) Read() int { return 0 }\n", c)
	}
	prog := loadFile(t, src.String())
	for _, test := range []struct {
		graph *Graph
		want  int
	}{
		{NewBuilder(prog, prog.Packages[0], nil, nil).Graph(), maxImplementations},
		{NewThorough(prog, prog.Packages[0], nil, nil).Graph(), 9},
	} {
		var got []string
		for _, op := range test.graph.Table {
			if op.Converts && Key(op.Out[0]) == "example.com/m.Reader" {
				got = append(got, op.Name)
			}
		}
		if len(got) != test.want {
			t.Errorf("got %q, want %d", got, test.want)
		}
	}
}

// TestForeign: an interface of another module gets values of the types there that implement it, also if a package that
// declares none imports them, and first of all of those that the package tells apart.
func TestForeign(t *testing.T) {
	const src = `package m

import (
	"go/ast"
	"image/draw"
)

func Name(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return x.(*ast.Ident).Name
}

func Fill(to draw.Image) {}
`
	prog := loadFile(t, src)
	for _, test := range []struct {
		graph       *Graph
		expr, image string // the first of the types that ast.Expr has, and one that draw.Image has
	}{
		{NewBuilder(prog, prog.Packages[0], nil, nil).Graph(), "", ""},
		{NewThorough(prog, prog.Packages[0], nil, nil).Graph(), "*go/ast.SelectorExpr *go/ast.Ident *go/ast.ArrayType", "*image.Paletted"},
	} {
		made := map[string][]string{}
		for _, op := range test.graph.Table {
			if op.Converts {
				made[Key(op.Out[0])] = append(made[Key(op.Out[0])], Key(op.In[0]))
			}
		}
		exprs := made["go/ast.Expr"]
		if got := strings.Join(exprs[:min(len(exprs), 3)], " "); got != test.expr {
			t.Errorf("ast.Expr is first %q, want %q", got, test.expr)
		}
		images := made["image/draw.Image"]
		if got := slices.Contains(images, "*image.Paletted"); got != (test.image != "") {
			t.Errorf("draw.Image is %q, want %q among them", images, test.image)
		}
	}
}

// TestHTTP: handlers get requests and recorders, and a type of another module that holds a request gets one. What only
// methods of other types make is made by those.
func TestHTTP(t *testing.T) {
	const src = `package m

import (
	"go/token"
	"net/http"
	"net/http/httputil"
)

func Proxy(p *httputil.ProxyRequest) {}

func Serve(w http.ResponseWriter, r *http.Request) {}

func Read(r *http.Response, f *token.File) {}
`
	prog := loadFile(t, src)
	made, set := map[string][]string{}, map[string][]string{}
	for _, op := range NewThorough(prog, prog.Packages[0], nil, nil).Graph().Table {
		switch {
		case len(op.Out) > 0:
			made[Key(op.Out[0])] = append(made[Key(op.Out[0])], op.Name)
		case op.OnFirst && op.Func == nil:
			set[Key(op.In[0])] = append(set[Key(op.In[0])], op.Name)
		}
	}
	for _, tt := range []struct {
		of   map[string][]string
		typ  string
		want []string
	}{
		{made, "net/http.ResponseWriter", []string{"recorder"}},
		{made, "*net/http.Request", []string{"GET", "POST", "zero *net/http.Request"}},
		{set, "*net/http.Request", []string{
			"Method =", "Header.Set", "Content-Type: application/json", "RawQuery =", "raw RawQuery =", "Form =", "AddCookie",
			"SetPathValue",
		}},
		{set, "*net/http/httputil.ProxyRequest", []string{"In =", "Out ="}},
		{set, "*net/http.Response", []string{"StatusCode =", "Header.Set"}},
		{made, "*go/token.File", []string{"*FileSet.File", "*FileSet.AddFile", "zero *go/token.File"}},
	} {
		if got := tt.of[tt.typ]; !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.typ, got, tt.want)
		}
	}
}
