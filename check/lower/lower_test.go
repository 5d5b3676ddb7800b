package lower

import (
	"context"
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// world lowers the functions of the module in dir.
func world(t *testing.T, dir string) (*World, []*Root) {
	t.Helper()
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := New(prog)
	for _, err := range w.ModelErrors {
		t.Error(err)
	}
	var roots []*Root
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Funcs() {
			roots = append(roots, w.Root(f))
		}
	}
	w.Close()
	return w, roots
}

// TestGolden compares the guarded commands of a few functions with a golden file.
func TestGolden(t *testing.T) {
	dir := filepath.Join("testdata", "golden")
	w, roots := world(t, dir)
	var out strings.Builder
	for _, r := range roots {
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Func.Name, r.Err)
		}
		w.Func(r.Key).Dump(&out)
	}
	file := filepath.Join(dir, "golden.ir")
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the guarded commands differ from %s (rewrite with -update):\n%s",
			file, out.String())
	}
}

// TestDeterminism checks that lowering a program twice gives the same text.
func TestDeterminism(t *testing.T) {
	dump := func() string {
		w, roots := world(t, filepath.Join("..", "testdata", "panics"))
		var out strings.Builder
		for _, r := range roots {
			w.Func(r.Key).Dump(&out)
		}
		for _, m := range w.MemoryOrder {
			out.WriteString(m.Name + "\n")
		}
		return out.String()
	}
	if a, b := dump(), dump(); a != b {
		t.Error("lowering one program twice gives different guarded commands")
	}
}

// TestLayout checks the numbers of slots and scalars of parameters.
func TestLayout(t *testing.T) {
	w, roots := world(t, filepath.Join("..", "testdata", "panics"))
	for _, tt := range []struct {
		fn            string
		param         int
		slots, leaves int
	}{
		{"panics.IndexArray", 0, 4, 4},
		{"panics.Index", 0, 1, 4},
		{"panics.Promoted", 0, 1, 2},
		{"panics.SliceString", 0, 1, 3},
		{"panics.Assert", 0, 1, 3},
		{"panics.MethodValue", 0, 1, 1},
	} {
		i := slices.IndexFunc(roots, func(r *Root) bool { return r.Func.Name == tt.fn })
		if i < 0 {
			t.Errorf("no function %s", tt.fn)
			continue
		}
		p := roots[i].Params[tt.param]
		slots, leaves := w.Slots(p.Type), len(w.Layout(p.Type))
		if slots != tt.slots || leaves != tt.leaves {
			t.Errorf("%s: %s has %d slots and %d leaves, want %d and %d",
				tt.fn, p.Type, slots, leaves, tt.slots, tt.leaves)
		}
	}
}

// TestKeyParts checks how keys of maps are packed into 64 bits.
func TestKeyParts(t *testing.T) {
	basic := func(k types.BasicKind) types.Type { return types.Typ[k] }
	structOf := func(ts ...types.Type) types.Type {
		var fields []*types.Var
		for i, t := range ts {
			fields = append(fields,
				types.NewField(0, nil, fmt.Sprintf("f%d", i), t, false))
		}
		return types.NewStruct(fields, nil)
	}
	for _, tt := range []struct {
		key  types.Type
		want string // bits<<shift of each part, or "" if the key cannot be packed
	}{
		{basic(types.Int), "64<<0"},
		{basic(types.Uint8), "8<<0"},
		{basic(types.String), "64<<0"},
		{basic(types.Complex128), ""},
		{structOf(basic(types.Bool), basic(types.Int32)), "1<<0 32<<1"},
		{structOf(basic(types.Int), basic(types.String)), "32<<0 32<<32"},
		{structOf(basic(types.Uint8), basic(types.Int)), "8<<0 56<<8"},
		{types.NewArray(basic(types.Uint16), 4), "16<<0 16<<16 16<<32 16<<48"},
		{types.NewArray(basic(types.Uint16), 5), ""},
		{types.NewPointer(basic(types.Int)), "48<<0"},
		{types.NewArray(types.NewPointer(basic(types.Int)), 2), "32<<0 32<<32"},
		{structOf(), ""},
	} {
		var parts []string
		for _, p := range new(layoutTable).KeyParts(tt.key) {
			parts = append(parts, fmt.Sprintf("%d<<%d", p.Bits, p.Shift))
		}
		if got := strings.Join(parts, " "); got != tt.want {
			t.Errorf("KeyParts(%s) = %q, want %q", tt.key, got, tt.want)
		}
	}
	p := KeyPart{Bits: 8, Shift: 4}
	if got := p.Of(0xabcd); got != 0xbc {
		t.Errorf("KeyPart{8, 4}.Of(0xabcd) = %#x, want 0xbc", got)
	}
}

// TestTypeKey checks that identical types have one key.
func TestTypeKey(t *testing.T) {
	emptyInterface := types.NewInterfaceType(nil, nil)
	anyType := types.Universe.Lookup("any").Type()
	byteType := types.Universe.Lookup("byte").Type()
	tt := newTypeTable(&source.Program{})
	for _, pair := range [][2]types.Type{
		{types.NewSlice(byteType), types.NewSlice(types.Typ[types.Uint8])},
		{types.NewSlice(anyType), types.NewSlice(emptyInterface)},
		{types.NewMap(types.Universe.Lookup("rune").Type(), anyType),
			types.NewMap(types.Typ[types.Int32], emptyInterface)},
	} {
		if a, b := tt.typeKey(pair[0]), tt.typeKey(pair[1]); a != b {
			t.Errorf("identical types have the keys %q and %q", a, b)
		}
	}
	if k := tt.typeKey(types.NewSlice(types.Typ[types.Uint8])); k != "[]uint8" {
		t.Errorf("the key of []uint8 is %q", k)
	}
}

// TestEffects: a call writes what others can see, as far as its callees, by name and signature, say.
func TestEffects(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": `package m

type Setter interface{ Set(string) }

type other struct{ n int8 }

func (o *other) Set(s string, n int8) { o.n = n }

type one struct{ s string }

func (o *one) Set(s string) { o.s = s }

type two struct{ n int16 }

func (t *two) Set(s string) { t.n++ }

func (t *two) Get() string { return "" }

var Setters = []any{&other{}, &one{}, &two{}}

func Calls(s Setter) { s.Set("x") }

func CallsBoth(s interface {
	Setter
	Get() string
}) {
	s.Set("x")
}

func Indexed(i int) int32 { var l [4]int32; l[i%4]++; return l[2] }

func Ranged() (n int32) {
	var l [4]int32
	l[3] = 1
	for i := range l {
		n += l[i]
	}
	return n
}

func InStruct(i int) int32 { var s struct{ l [3]int32 }; s.l[i&1] = 2; return s.l[1] }

func Sliced() []int32 { var l [4]int32; return l[1:] }

func Address() *int32 { var l [4]int32; return &l[1] }

func Captured() func() { var l [4]int32; return func() { l[1]++ } }

func Caller(i int) []int32 { Indexed(i); return Sliced() }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, roots := world(t, dir)
	got := map[string]string{}
	for _, r := range roots {
		var names []string
		for _, m := range w.Effects(r.Key) {
			names = append(names, m.Name)
		}
		got[strings.TrimPrefix(r.Func.Name, "example.com/m.")] = strings.Join(names, " ")
	}
	for fn, want := range map[string]string{
		"Calls":     "example.com/m.one.s#obj example.com/m.one.s#off example.com/m.one.s#len example.com/m.two.n",
		"CallsBoth": "example.com/m.two.n",
		"Indexed":   "", "Ranged": "", "InStruct": "", "Sliced": "int32", "Address": "int32", "Caller": "int32",
	} {
		if got[fn] != want {
			t.Errorf("%s writes %q, want %q", fn, got[fn], want)
		}
	}
	if !strings.Contains(got["Captured"], "int32") {
		t.Errorf("Captured writes %q, want int32 among it", got["Captured"])
	}
}

// TestInitials: of the variables that methods read, the initial values are needed where the type of the methods is in
// sight.
func TestInitials(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": `package m

var table = []int{3, 5}

type Named interface{ Name() int }

type T struct{}

func (T) Name() int { return table[1] }

func Unknown(n Named) int { return n.Name() }

func InSight() int { return Unknown(T{}) }

func Asserted(n Named) int {
	if _, ok := n.(T); ok {
		return n.Name()
	}
	return 0
}

func Direct() int { return table[0] }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, roots := world(t, dir)
	want := map[string]int{"Unknown": 0, "InSight": 1, "Asserted": 1, "Direct": 1, "T.Name": 1}
	for _, r := range roots {
		name := strings.TrimPrefix(r.Func.Name, "example.com/m.")
		if n, ok := want[name]; ok {
			if inits, _ := w.Initials(r.Key); len(inits) != n {
				t.Errorf("%s needs %q, want %d", name, inits, n)
			}
			delete(want, name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
