package graph

import (
	"testing"

	"dsd/internal/expr"
	"dsd/schemas"
)

func TestHolds(t *testing.T) {
	node := func(typ, lit string) schemas.Node { return schemas.Node{Type: typ, Lit: lit} }
	zero, one, two := 0, 1, int64(2)
	inputs := &schemas.Counterexample{
		Receiver: &schemas.Input{Name: "s", Node: schemas.Node{Type: "*m.S", Ref: &zero}},
		Params: []schemas.Input{
			{Name: "n", Node: node("int", "-3")}, {Name: "ok", Node: node("bool", "true")},
			{Name: "name", Node: node("string", `"ab\x63"`)}, {Name: "f", Node: node("float64", "2")},
			{Name: "list", Node: schemas.Node{Type: "[]int", Ref: &one, Len: &two}},
			{Name: "none", Node: node("[]int", "nil")}, {Name: "free", Node: node("int", "")},
			{Name: "any", Node: schemas.Node{Type: "interface {}", Dynamic: &schemas.Node{Type: "int"}}},
		},
		Globals: []schemas.Input{{Name: "example.com/m.limit", Node: node("int", "8")}},
		Objects: []schemas.Node{
			{Type: "m.S", Fields: []schemas.Input{{Name: "size", Node: node("int", "4")},
				{Name: "next", Node: schemas.Node{Type: "*m.S", Ref: &zero}}}},
			{Type: "[]int", Elems: []schemas.Elem{{Index: 0, Value: node("int", "1")},
				{Index: 1, Value: node("int", "5")}}},
		},
	}
	for _, test := range []struct {
		text string
		want string // true, false, or the error
	}{
		{"n == -3", "true"}, {"n >= 0", "false"}, {"!ok", "false"}, {`name == "abc"`, "true"},
		{`strings.HasPrefix(name, "b")`, "false"}, {"f > 1.5", "true"}, {"f == 2", "true"},
		{"s != nil", "true"}, {"s.next == s", "true"}, {"s.next.next.size == limit - 4", "true"},
		{"len(list) == 2 && list != nil", "true"}, {"forall(i, list[i] < list[i+1])", "true"},
		{"contains(list, 4)", "false"}, {"len(none) == 0", "true"}, {"none != nil", "false"},
		{"free > 100", "true"}, {"s.other == 3", "true"}, {`typeof(any) == "int"`, "true"},
		{`typeof(any) == "string"`, "false"}, {"len(name) == 3", "true"},
		{"gone == 1", "gone is not understood"},
	} {
		e, err := expr.Parse(test.text)
		if err != nil {
			t.Fatal(err)
		}
		got := "false"
		holds, err := Holds(expr.NewCondition(e), inputs)
		if err != nil {
			got = err.Error()
		} else if holds {
			got = "true"
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.text, got, test.want)
		}
	}
}
