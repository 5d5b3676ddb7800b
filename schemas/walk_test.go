package schemas

import (
	"slices"
	"testing"
)

// node returns a node that the tests tell from others by its literal.
func node(lit string) Node { return Node{Type: "T", Lit: lit} }

// visited returns the literals of the nodes that walk visits, in order.
func visited(walk func(visit func(*Node))) []string {
	var out []string
	walk(func(n *Node) { out = append(out, n.Lit) })
	return out
}

func TestWalkVisitsEveryNodeOnce(t *testing.T) {
	first, key, inside := 0, node("key"), node("inside")
	whole := Node{
		Type: "T", Lit: "whole",
		Fields:  []Input{{"f", node("f")}, {"g", Node{Type: "T", Lit: "g", Ref: &first}}},
		Elems:   []Elem{{Key: &key, Value: node("value")}, {Index: 1, Value: node("elem")}},
		Dynamic: &inside,
	}
	parts := []string{"whole", "f", "g", "key", "value", "elem", "inside"}
	if got := visited(whole.Walk); !slices.Equal(got, parts) {
		t.Errorf("Node.Walk: got %v, want %v", got, parts)
	}

	receiver := Input{"r", node("receiver")}
	call := Counterexample{
		Receiver: &receiver,
		Params:   []Input{{"p", whole}, {"q", node("param")}},
		Globals:  []Input{{"v", node("global")}},
		Returns:  []Input{{"f()", node("return")}},
		Objects:  []Node{{Type: "T", Lit: "cyclic", Ref: &first}, node("object")},
	}
	want := slices.Concat([]string{"receiver"}, parts,
		[]string{"param", "global", "return", "cyclic", "object"})
	if got := visited(call.Walk); !slices.Equal(got, want) {
		t.Errorf("Counterexample.Walk: got %v, want %v", got, want)
	}

	value := node("panicked")
	crash := RecordedCrash{
		Value: &value,
		Frames: []RecordedFrame{
			{Receiver: &receiver, Params: call.Params, Globals: call.Globals},
			{Params: []Input{{"p", node("outer")}}},
		},
		Objects: call.Objects,
	}
	want = slices.Concat([]string{"panicked", "receiver"}, parts,
		[]string{"param", "global", "outer", "cyclic", "object"})
	if got := visited(crash.Walk); !slices.Equal(got, want) {
		t.Errorf("RecordedCrash.Walk: got %v, want %v", got, want)
	}
}

func TestWalkDescendsIntoChangedNodes(t *testing.T) {
	n := node("before")
	var got []string
	n.Walk(func(n *Node) {
		got = append(got, n.Lit)
		if n.Lit == "before" {
			n.Fields = []Input{{"f", node("added")}}
		}
	})
	if want := []string{"before", "added"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
