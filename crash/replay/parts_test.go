package replay

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"dsd/schemas"
)

func TestWithout(t *testing.T) {
	const call = `{"receiver":{"name":"r","ref":0},` +
		`"params":[{"name":"a","lit":"7"},{"name":"b","type":"*T","ref":0},` +
		`{"name":"c","type":"string","lit":"\"s\""}],` +
		`"globals":[{"name":"g","lit":"1"}],` +
		`"objects":[{"fields":[{"name":"f","lit":"2"},{"name":"e","elems":[` +
		`{"index":0,"value":{"lit":"3"}},{"index":1,"value":{"lit":"4"}}]}]}]}`
	var ce schemas.Counterexample
	if err := json.Unmarshal([]byte(call), &ce); err != nil {
		t.Fatal(err)
	}
	// The parts, in order: b, c, g, f, e, e[0], e[1].
	if got := countParts(&ce); got != 7 {
		t.Fatalf("got %d parts, want 7", got)
	}
	for _, tt := range []struct {
		parts                    []int
		params, globals, objects string
	}{
		{nil, "7 ref \"s\"", "g", "f e[0 1]"},
		{[]int{0}, "7 nil \"s\"", "g", "f e[0 1]"},
		{[]int{1, 2}, "7 ref ", "", "f e[0 1]"},
		{[]int{3, 5}, "7 ref \"s\"", "g", "e[1]"},
		{[]int{4}, "7 ref \"s\"", "g", "f"},
	} {
		got := without(&ce, tt.parts)
		var params, globals, objects string
		for i, p := range got.Params {
			if i > 0 {
				params += " "
			}
			if p.Ref != nil {
				params += "ref"
			}
			params += p.Lit
		}
		for _, g := range got.Globals {
			globals += g.Name
		}
		for i, f := range got.Objects[0].Fields {
			if i > 0 {
				objects += " "
			}
			objects += f.Name
			var indexes []int64
			for _, e := range f.Elems {
				indexes = append(indexes, e.Index)
			}
			if len(indexes) > 0 {
				objects += fmt.Sprint(indexes)
			}
		}
		if params != tt.params || globals != tt.globals || objects != tt.objects {
			t.Errorf("without %v: got %q, %q, %q, want %q, %q, %q",
				tt.parts, params, globals, objects, tt.params, tt.globals, tt.objects)
		}
	}
	var again schemas.Counterexample
	if err := json.Unmarshal([]byte(call), &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(ce, again) {
		t.Error("without changed its argument")
	}
}
