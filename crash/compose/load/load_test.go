package load

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// tree has a field of each kind that a recording may refer to.
type tree struct {
	Name     string
	parent   *tree
	kids     []*tree
	index    map[string]*tree
	events   chan int
	any      any
	visit    func(int) bool
	matrix   [2]float64
	depth    *int8
	shared   []byte
	sharing  []byte
	reflects reflect.Value
}

var limit int

func isEven(n int) bool { return n%2 == 0 }

// load loads the call in a text; see crashLoad.
func load(t *testing.T, text string, args ...any) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "call.json")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	const pkg = "dsd/crash/compose/load."
	crashLoad(t, file,
		map[string]any{pkg + "isEven": isEven},
		map[string]any{pkg + "limit": &limit},
		map[string]any{"*" + pkg + "tree": (*tree)(nil)}, args...)
}

// TestLoad loads an object graph with cycles, aliases and interior pointers.
func TestLoad(t *testing.T) {
	var recv *tree
	var n int
	load(t, `{
		"receiver": {"ref": 0},
		"params": [{"lit": "-7"}],
		"globals": [{"name": "dsd/crash/compose/load.limit", "lit": "3"}],
		"objects": [
			{"type": "dsd/crash/compose/load.tree", "fields": [
				{"name": "Name", "lit": "\"root\""},
				{"name": "kids", "ref": 1, "len": 1, "cap": 2},
				{"name": "index", "ref": 3},
				{"name": "events", "ref": 4},
				{"name": "any", "dynamic": {"type": "*dsd/crash/compose/load.tree", "ref": 2}},
				{"name": "visit", "var": "dsd/crash/compose/load.isEven"},
				{"name": "matrix", "elems": [{"index": 1, "value": {"lit": "math.Inf(-1)"}}]},
				{"name": "shared", "ref": 5, "len": 4},
				{"name": "sharing", "ref": 5, "offset": 1, "len": 2, "cap": 3}
			]},
			{"type": "[2]*dsd/crash/compose/load.tree", "elems": [{"index": 0, "value": {"ref": 2}}]},
			{"type": "dsd/crash/compose/load.tree", "fields": [
				{"name": "parent", "ref": 0},
				{"name": "depth", "ref": 6, "path": "[1]"},
				{"name": "visit", "lit": "func"},
				{"name": "reflects", "dynamic": {"type": "uint8", "lit": "9"}}
			]},
			{"elems": [{"key": {"lit": "\"kid\""}, "value": {"ref": 2}}]},
			{"elems": [{"index": 0, "value": {"lit": "5"}}], "cap": 3, "closed": true},
			{"type": "[4]uint8", "lit": "\"abcd\""},
			{"type": "[2]int8", "elems": [{"index": 1, "value": {"lit": "-3"}}]}
		]
	}`, &recv, &n)
	if n != -7 || limit != 3 {
		t.Errorf("got parameter %d and variable %d, want -7 and 3", n, limit)
	}
	kid := recv.kids[0]
	if recv.Name != "root" || len(recv.kids) != 1 || cap(recv.kids) != 2 {
		t.Errorf("got %q with %d of %d kids", recv.Name, len(recv.kids), cap(recv.kids))
	}
	if kid.parent != recv || recv.index["kid"] != kid || recv.any != kid {
		t.Error("references to one object differ")
	}
	if x, ok := <-recv.events; x != 5 || !ok || cap(recv.events) != 3 {
		t.Errorf("received %d, %v from a channel of capacity %d", x, ok, cap(recv.events))
	}
	if _, ok := <-recv.events; ok {
		t.Error("the channel is not closed")
	}
	if !recv.visit(2) || kid.visit(2) {
		t.Error("got wrong functions, want isEven and one that returns false")
	}
	if recv.matrix[0] != 0 || !math.IsInf(recv.matrix[1], -1) {
		t.Errorf("got matrix %v", recv.matrix)
	}
	if *kid.depth != -3 || kid.reflects.Interface() != uint8(9) {
		t.Errorf("got depth %d and %v", *kid.depth, kid.reflects)
	}
	recv.shared[2] = 'X'
	if string(recv.sharing) != "bX" || cap(recv.sharing) != 3 {
		t.Errorf("got %q with capacity %d, want a part of %q", recv.sharing,
			cap(recv.sharing), recv.shared)
	}
}

// TestTypes checks that types are found by their texts, unless the program does not have them.
func TestTypes(t *testing.T) {
	l := &crashLoader{types: map[string]reflect.Type{}}
	l.learn(reflect.TypeOf(tree{}))
	for _, want := range []any{
		0, "", false, uintptr(
			0), 0i, tree{}, &tree{}, []*tree{}, [3]tree{}, map[string][]int{}, map[[2]int8]any{},
		make(chan error), struct{}{}, &testing.T{},
	} {
		text := crashType(reflect.TypeOf(want))
		if got := l.typ(text); got != reflect.TypeOf(want) {
			t.Errorf("%s: got %v", text, got)
		}
	}
	if got := l.typ("no/such/package.Type"); got != nil {
		t.Errorf("got %v for a type that does not exist", got)
	}
}
