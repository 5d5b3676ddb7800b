package compose

import (
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

// TestCompose writes counterexamples of the functions in testdata/inputs, compares the bodies of
// the tests, and compiles them.
func TestCompose(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "inputs"), nil)
	if err != nil {
		t.Fatal(err)
	}
	funcs := map[string]*source.Func{}
	for _, f := range prog.Package("inputs").Funcs() {
		funcs[strings.TrimPrefix(f.Name, "inputs.")] = f
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(prog.Dir)); err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		name, fn, counterexample string
		want                     string
		builtBy                  schemas.BuiltBy
	}{
		{"literals", "Basic",
			`{"params": [{"lit": "-9223372036854775808"}, {"lit": "255"}, {"lit": "math.NaN()"}, ` +
				`{"lit": "\"a\\x00\""}, {"lit": "true"}]}`,
			`Basic(-9223372036854775808, 255, math.NaN(), "a\x00", true)`, "sequence"},
		{"free", "Basic", `{"params": [{}, {}, {}, {}, {}]}`, `Basic(0, 0, 0, "", false)`,
			"sequence"},
		{"types", "Named",
			`{"params": [{"lit": "1.5"}, {"dynamic": {"type": "inputs.Celsius", "lit": "2"}}]}`,
			`Named(1.5, Celsius(2))`, "sequence"},
		{"a type of a program", "Named",
			`{"params": [{"lit": "1.5"}, {"dynamic": {"type": "inputs/cmd.Exported"}}]}`,
			"Named(1.5, x3InterfaceStub{})", "sequence"},
		{"receiver", "(*Node).Walk",
			`{"receiver": {"ref": 0}, "params": [{"lit": "-1"}], ` +
				`"objects": [{"fields": [{"name": "Val", "lit": "3"}]}]}`,
			"n := &Node{Val: 3}\nn.Walk(-1)", "sequence"},
		{"nil receiver", "(*Node).Walk", `{"receiver": {"lit": "nil"}, "params": [{}]}`,
			"var n *Node\nn.Walk(0)", "sequence"},
		{"free receiver", "(*Node).Walk", `{"receiver": {}, "params": [{}]}`,
			"n := new(Node)\nn.Walk(0)", "sequence"},
		{"unexported field", "Pointers",
			`{"params": [{"ref": 0}, {"lit": "nil"}, {}], ` +
				`"objects": [{"fields": [{"name": "next", "ref": 1}]}, {}]}`,
			"Pointers(&Node{next: &Node{}}, nil, nil)", "literal"},
		{"aliases", "Pointers",
			`{"params": [{"ref": 0}, {"ref": 0}, {"ref": 1}], "objects": [{}, {"lit": "7"}]}`,
			"p := &Node{}\np1 := new(int)\n*p1 = 7\nPointers(p, p, p1)", "sequence"},
		{"cycle", "Pointers",
			`{"params": [{"ref": 0}, {}, {}], "objects": [{"fields": [{"name": "next", "ref": 0}]}]}`,
			"p := &Node{}\np.next = p\nPointers(p, nil, nil)", "literal"},
		{"cycle of two", "Trees",
			`{"params": [{"ref": 0}], ` +
				`"objects": [{"fields": [{"name": "Parent", "ref": 1}]}, ` +
				`{"fields": [{"name": "Parent", "ref": 0}]}]}`,
			"p := &Tree{}\np.Parent = &Tree{Parent: p}\nTrees(p)", "sequence"},
		{"cycle through a slice", "Trees",
			`{"params": [{"ref": 0}], ` +
				`"objects": [{"fields": [{"name": "Kids", "ref": 1, "len": 1}]}, ` +
				`{"elems": [{"index": 0, "value": {"ref": 0}}]}]}`,
			"p := &Tree{}\np.Kids = []*Tree{p}\nTrees(p)", "sequence"},
		{"cycle through a shared array", "Trees",
			`{"params": [{"ref": 0}], ` +
				`"objects": [{"fields": [{"name": "Kids", "ref": 1, "len": 1}, ` +
				`{"name": "Parent", "ref": 2}]}, ` +
				`{"elems": [{"index": 2, "value": {"ref": 0}}]}, ` +
				`{"fields": [{"name": "Kids", "ref": 1, "len": 3}]}]}`,
			"p := &Tree{}\ns := make([]*Tree, 3)\ns[2] = p\np.Kids = s[:1:1]\n" +
				"p.Parent = &Tree{Kids: s[:3:3]}\nTrees(p)", "sequence"},
		{"cycle through a map", "Trees",
			`{"params": [{"ref": 0}], ` +
				`"objects": [{"fields": [{"name": "Names", "ref": 1}]}, ` +
				`{"elems": [{"key": {"lit": "\"a\""}, "value": {"ref": 0}}]}]}`,
			"p := &Tree{}\nm := map[string]*Tree{}\nm[\"a\"] = p\np.Names = m\nTrees(p)", "sequence"},
		{"standard library", "Writer",
			`{"params": [{"ref": 0}, {"fields": [{"name": "flag", "lit": "24"}]}], "objects": [{}]}`,
			`Writer(bufio.NewWriter(io.Discard), reflect.ValueOf(""))`, "sequence"},
		{"packages of one name", "Templates",
			`{"params": [{"ref": 0}, {"ref": 1}], "objects": [{}, {}]}`,
			`Templates(template.New(""), template2.New(""))`, "sequence"},
		{"received", "Chans",
			`{"params": [{"ref": 0}], ` +
				`"objects": [{"elems": [{"index": 0, "value": {"lit": "7"}}, ` +
				`{"index": 1, "value": {}}], "closed": true}]}`,
			"c := make(chan int, 3)\nc <- 7\nc <- 0\nclose(c)\nChans(c)", "sequence"},
		{"slices", "Slices",
			`{"params": [{"ref": 0, "len": 3}, {"lit": "nil"}, {"ref": 1, "len": 1}], ` +
				`"objects": [{"elems": [{"index": 1, "value": {"lit": "5"}}]}, ` +
				`{"elems": [{"index": 0, "value": {"ref": 2, "len": 0}}]}, {}]}`,
			"Slices([]int{0, 5, 0}, nil, [][]byte{{}})", "sequence"},
		{"long slice", "Slices",
			`{"params": [{"ref": 0, "len": 100}, {}, {}], ` +
				`"objects": [{"elems": [{"index": 99, "value": {"lit": "5"}}]}]}`,
			"s := make([]int, 100)\ns[99] = 5\nSlices(s, nil, nil)", "sequence"},
		{"capacity", "Slices",
			`{"params": [{"ref": 0, "len": 1, "cap": 2}, {}, {}], "objects": [{}]}`,
			"s := make([]int, 1, 2)\nSlices(s, nil, nil)", "sequence"},
		{"shared array", "Slices",
			`{"params": [{"ref": 0, "len": 1}, {"ref": 0, "len": 2, "cap": 3}, {}], "objects": [{}]}`,
			"s := make([]int, 3)\nSlices(s[:1:1], s[:2:3], nil)", "sequence"},
		{"map", "Maps",
			`{"params": [{"ref": 0}], ` +
				`"objects": [{"elems": [{"key": {"lit": "\"a\""}, "value": {"lit": "nil"}}, ` +
				`{"key": {"lit": "\"b\""}, "value": {"ref": 1}}]}, {}]}`,
			`Maps(map[string]*Node{"a": nil, "b": {}})`, "sequence"},
		{"functions", "Funcs", `{"params": [{}, {"lit": "nil"}]}`,
			"Funcs(func(int, int) (_ bool) { return }, nil)", "sequence"},
		{"function's result", "Funcs",
			`{"params": [{"elems": [{"index": 0, "value": {"lit": "true"}}]}, {"lit": "nil"}]}`,
			"Funcs(func(int, int) (_ bool) { return true }, nil)", "sequence"},
		{"function's results", "Funcs",
			`{"params": [{"elems": [{"index": 1, "value": {"lit": "true"}}]}, {"lit": "nil"}]}`,
			"calls := 0\nless := func(int, int) (_ bool) {\n\tcalls++\n" +
				"\tswitch calls {\n\tcase 2:\n\t\treturn true\n\t}\n\treturn\n}\nFuncs(less, nil)", "sequence"},
		{"interfaces", "Ifaces",
			`{"params": [{"type": "io.Reader", "dynamic": {"type": "io.Reader"}}, {"lit": "nil"}, ` +
				`{"dynamic": {"type": "*inputs.Node", "lit": "nil"}}]}`,
			`Ifaces(strings.NewReader(""), nil, (*Node)(nil))`, "sequence"},
		{"variadic", "Variadic", `{"params": [{}, {"ref": 0, "len": 1}], "objects": [{}]}`,
			`Variadic(0, []string{""}...)`, "sequence"},
		{"no variadic", "Variadic", `{"params": [{}, {}]}`, `Variadic(0)`, "sequence"},
		{"generic", "Generic[...]",
			`{"type_args": ["string", "*inputs.Node"], "params": [{}, {}]}`,
			`Generic[string, *Node](nil)`, "sequence"},
		{"receiver that is a function", "Handler.Serve",
			`{"receiver": {"elems": [{"index": 0, "value": {"lit": "7"}}]}, "params": [{}]}`,
			"h := Handler(func(int) (_ int) { return 7 })\nh.Serve(0)", "sequence"},
		{"receiver that is a channel", "Queue.Size", `{"receiver": {"ref": 0}, "objects": [{}]}`,
			"q := make(Queue, 1)\nq.Size()", "sequence"},
		{"receiver that is a closed channel", "Received.First",
			`{"receiver": {"ref": 0}, "objects": [{"closed": true}]}`,
			"c := make(chan int, 1)\nclose(c)\nr := Received(c)\nr.First()", "sequence"},
		{"functions and channels as any", "Ifaces",
			`{"params": [{"lit": "nil"}, {"dynamic": {"type": "inputs.Handler", "lit": "func"}}, ` +
				`{"dynamic": {"type": "inputs.Received"}}]}`,
			"Ifaces(nil, Handler(func(int) (_ int) { return }), Received(make(chan int, 1)))",
			"sequence"},
		{"a dropped element", "Slices",
			`{"params": [{}, {}, {"ref": 0, "len": 9}], ` +
				`"objects": [{"elems": [{"index": 12, "value": {"ref": 1, "len": 100}}]}, {}]}`,
			"s := make([][]byte, 9)\ns1 := make([]byte, 100)\n_ = s1\nSlices(nil, nil, s)", "sequence"},
		{"other package", "Foreign",
			`{"params": [{"fields": [{"name": "N", "lit": "1"}]}, {"ref": 0}], "objects": [{}]}`,
			"Foreign(sub.Open{N: 1}, &sub.Closed{})", "sequence"},
		{"other package's secrets", "Foreign",
			`{"params": [{}, {"ref": 0}], "objects": [{"fields": [{"name": "n", "lit": "1"}]}]}`,
			"error: the field n of inputs/sub.Closed cannot be set from package inputs", ""},
		{"changed source", "Variadic", `{"params": [{}]}`,
			"error: the counterexample has 1 parameters, the function 2: the source has changed since", ""},
	} {
		var ce schemas.Counterexample
		if err := json.Unmarshal([]byte(tt.counterexample), &ce); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		name := fmt.Sprintf("TestX%d", i)
		c, err := Compose(prog, funcs[tt.fn], &ce, name, name+"_test.go", "Panics.")
		if err != nil {
			if got := "error: " + err.Error(); got != tt.want {
				t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
			}
			continue
		}
		body := strings.ReplaceAll(strings.TrimPrefix(c.Inputs, "\t"), "\n\t", "\n")
		if body != tt.want || c.BuiltBy != tt.builtBy {
			t.Errorf("%s: got (%s)\n%s\nwant (%s)\n%s", tt.name, c.BuiltBy, body,
				tt.builtBy, tt.want)
		}
		file := filepath.Join(dir, strings.ToLower(c.File))
		if err := os.WriteFile(file, []byte(c.Source), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	compile := exec.Command("go", "vet", ".")
	compile.Dir = dir
	if out, err := compile.CombinedOutput(); err != nil {
		t.Errorf("the tests do not compile: %v\n%s", err, out)
	}
}

// TestLoaded checks that a parameter called t does not collide with the parameter of the test.
func TestLoaded(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "inputs"), nil)
	if err != nil {
		t.Fatal(err)
	}
	funcs := prog.Package("inputs").Funcs()
	i := slices.IndexFunc(funcs, func(f *source.Func) bool { return f.Obj.Name() == "Trees" })
	call := &schemas.Counterexample{Params: []schemas.Input{{Name: "t",
		Node: schemas.Node{Lit: "nil"}}}}
	c, err := Loaded(prog, funcs[i], call, "TestX", "x_test.go", "TestX panics.")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(c.Source, "_ = t") {
		t.Errorf("the parameter of the test counts as unused:\n%s", c.Source)
	}
	for _, want := range []string{"func TestX(t *testing.T) {", "\tvar t1 *Tree\n",
		"crashLoad(t, ", ", &t1)", "\tTrees(t1)\n"} {
		if !strings.Contains(c.Source, want) {
			t.Errorf("the test lacks %q:\n%s", want, c.Source)
		}
	}
}

// TestCallTemplates writes the templates of a method whose receiver a constructor makes, and a test
// of the second.
func TestCallTemplates(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "inputs"), nil)
	if err != nil {
		t.Fatal(err)
	}
	funcs := prog.Package("inputs").Funcs()
	i := slices.IndexFunc(funcs,
		func(f *source.Func) bool { return f.Name == "inputs.(*Counter).Add" })
	writes := func(m *types.Func) bool { return m.Name() == "Limit" }
	templates := CallTemplates(funcs[i], "zz", writes)
	var got []string
	for _, c := range templates {
		got = append(got, c.Source)
	}
	want := []string{
		"func zz0(p0 int, p1 int) {\n\tv1 := NewCounter(p0)\n\tv1.Add(p1)\n}\n",
		"func zz1(p0 int, p1 []int, p2 int) {\n\tv1 := NewCounter(p0)\n" +
			"\tv1.Limit(p1...)\n\tv1.Add(p2)\n}\n",
		"func zz2(p0 int, p1 []int, p2 []int, p3 int) {\n\tv1 := NewCounter(p0)\n" +
			"\tv1.Limit(p1...)\n\tv1.Limit(p2...)\n\tv1.Add(p3)\n}\n",
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got templates\n%s\nwant\n%s", strings.Join(got, ""),
			strings.Join(want, ""))
	}
	var ce schemas.Counterexample
	text := `{"params": [{"lit": "-1"}, {"lit": "nil"}, {"lit": "2"}]}`
	if err := json.Unmarshal([]byte(text), &ce); err != nil {
		t.Fatal(err)
	}
	test, err := templates[1].Compose(prog, funcs[i], &ce, "TestX", "x_test.go",
		"TestX panics.")
	if err != nil {
		t.Fatal(err)
	}
	const body = "\tv1 := NewCounter(-1)\n\tv1.Limit()\n\tv1.Add(2)"
	if test.Inputs != body {
		t.Errorf("got\n%s\nwant\n%s", test.Inputs, body)
	}
	basic := slices.IndexFunc(funcs,
		func(f *source.Func) bool { return f.Obj.Name() == "Basic" })
	if list := CallTemplates(funcs[basic], "zz", writes); list != nil {
		t.Errorf("got %d templates of a function whose inputs are literals", len(list))
	}
}

// TestPrune checks that objects that the inputs do not lead to are left out, and that the others
// are renumbered.
func TestPrune(t *testing.T) {
	var call, want schemas.Counterexample
	for text, c := range map[string]*schemas.Counterexample{
		`{"params": [{"ref": 2}], "objects": [{"lit": "0"}, {"lit": "1"}, ` +
			`{"fields": [{"name": "next", "ref": 1}, {"name": "self", "ref": 2}]}]}`: &call,
		`{"params": [{"ref": 0}], "objects": [` +
			`{"fields": [{"name": "next", "ref": 1}, {"name": "self", "ref": 0}]}, {"lit": "1"}]}`: &want,
	} {
		if err := json.Unmarshal([]byte(text), c); err != nil {
			t.Fatal(err)
		}
	}
	before, _ := json.Marshal(&call)
	got, _ := json.Marshal(Prune(&call))
	if wanted, _ := json.Marshal(&want); string(got) != string(wanted) {
		t.Errorf("got %s, want %s", got, wanted)
	}
	if after, _ := json.Marshal(&call); string(after) != string(before) {
		t.Errorf("Prune changed its argument to %s", after)
	}
	if n := Size(&call); n != 5 {
		t.Errorf("got size %d, want 5", n)
	}
}

// TestClosure: a recorded closure is a copy of its function literal, after variables with what it captured.
func TestClosure(t *testing.T) {
	prog, err := source.Load(t.Context(), filepath.Join("testdata", "inputs"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var f *source.Func
	for _, x := range prog.Package("inputs").Funcs() {
		if x.Name == "inputs.Funcs" {
			f = x
		}
	}
	for _, test := range []struct{ at, want, lost string }{
		{"inputs/inputs.go:72:9", "return a > b+limit || names", ""},
		{"inputs/inputs.go:71:9", "", lostClosure},
		{"inputs/none.go:72:9", "", lostClosure},
	} {
		call := parsed(t, strings.ReplaceAll(hostile["Funcs"], "inputs/inputs.go:72:9", test.at))
		call.Params[1].Lit = "nil"
		for _, write := range []func(*source.Program, *source.Func, *schemas.Counterexample, string, string, string) (*Test, error){
			Recorded, Loaded,
		} {
			got, err := write(prog, f, call, "TestX", "x_test.go", "TestX panics.")
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got.Source, test.want) || strings.Join(got.Lost, "") != test.lost ||
				strings.Contains(got.Source, "Not as recorded: "+lostClosure) != (test.lost != "") {
				t.Errorf("%s: lost %q, want %q:\n%s", test.at, got.Lost, test.lost, got.Source)
			}
		}
	}
}
