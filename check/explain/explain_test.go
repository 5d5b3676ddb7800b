package explain

import (
	"strings"
	"testing"

	"dsd/schemas"
)

func ref(n int) *int { return &n }

func size(n int64) *int64 { return &n }

// document returns a warning with every part of a counterexample, and one without a counterexample.
func document() *schemas.Warnings {
	return &schemas.Warnings{
		Functions: 7,
		Warnings: []schemas.Warning{
			{
				ID: "W1", Kind: "index", Func: "example.com/ring.(*Ring).At",
				Pos: "ring.go:20:10", Message: "the index into r.cells is out of range",
				Status: "sat", Assumed: []string{"I2", "I9"},
				Path: []schemas.Step{{Pos: "ring.go:12:5", Note: "i < 0 is false"},
					{Pos: "ring.go:15:9", Note: "calls example.com/ring.(*Ring).cell"}},
				Counterexample: &schemas.Counterexample{
					Receiver: &schemas.Input{Name: "r",
						Node: schemas.Node{Type: "*example.com/ring.Ring", Ref: ref(0)}},
					Params: []schemas.Input{
						{Name: "i", Node: schemas.Node{Type: "int", Lit: "2"}},
						{Name: "free", Node: schemas.Node{Type: "string"}},
						{Name: "key", Node: schemas.Node{Type: "any",
							Dynamic: &schemas.Node{Type: "int8", Lit: "3"}}},
						{Name: "err", Node: schemas.Node{Type: "error",
							Dynamic: &schemas.Node{Type: "*example.com/ring.Error"}}},
					},
					Globals: []schemas.Input{{Name: "example.com/ring.names",
						Node: schemas.Node{Type: "map[string]int", Ref: ref(2)}}},
					Returns: []schemas.Input{{Name: "os.Getpid", Node: schemas.Node{Type: "int", Lit: "-1"}}},
					Objects: []schemas.Node{
						{Type: "example.com/ring.Ring", Fields: []schemas.Input{
							{Name: "cells", Node: schemas.Node{Type: "[]example.com/ring.cell", Ref: ref(1),
								Len: size(2), Cap: size(4)}},
							{Name: "next", Node: schemas.Node{Type: "*example.com/ring.Ring", Ref: ref(0)}},
						}},
						{Type: "[]example.com/ring.cell",
							Elems: []schemas.Elem{{Index: 1,
								Value: schemas.Node{Type: "example.com/ring.cell", Fields: []schemas.Input{
									{Name: "full", Node: schemas.Node{Type: "bool", Lit: "true"}}}}}}},
						{Type: "map[string]int",
							Elems: []schemas.Elem{{Key: &schemas.Node{Type: "string", Lit: `"a"`},
								Value: schemas.Node{Type: "int"}}}},
					},
				},
			},
			{ID: "W2", Kind: "nil-deref", Func: "example.com/ring.Fill", Pos: "ring.go:30:2",
				Message: "nil pointer dereference", Status: "unknown"},
			{ID: "W3", Kind: "index", Func: "example.com/ring.Read", Pos: "ring.go:40:3",
				Message: "the index into b is out of range", Status: "free",
				Counterexample: &schemas.Counterexample{Params: []schemas.Input{},
					Returns: []schemas.Input{{Name: "os.Getpid",
						Node: schemas.Node{Type: "int", Lit: "-1"}}}}},
		},
		Skipped: []schemas.Skipped{{Func: "f", Reason: "has no Go body"},
			{Func: "g", Reason: "conversions of unsafe.Pointer"}, {Func: "h", Reason: "has no Go body"}},
	}
}

func TestText(t *testing.T) {
	var out strings.Builder
	if err := Text(&out, document(), Options{}); err != nil {
		t.Fatal(err)
	}
	const want = `ring.go:20:10: index: the index into r.cells is out of range [W1]
ring.go:40:3: index: the index into b is out of range, if a call returns as assumed [W3]
7 functions checked, 2 warnings with a counterexample (1 if calls return as assumed), 1 without
skipped 2: has no Go body
skipped 1: conversions of unsafe.Pointer
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

func TestWarning(t *testing.T) {
	invariants := &schemas.Invariants{Points: []schemas.Point{{Func: "example.com/ring.(*Ring).At",
		At: "entry", Invariants: []schemas.Invariant{{ID: "I2", Expr: "i >= 0"}}}}}
	for _, test := range []struct{ id, want string }{
		{"w1", `W1  ring.go:20:10: index
    the index into r.cells is out of range, when example.com/ring.(*Ring).At is called

Path:
    ring.go:12:5             i < 0 is false
    ring.go:15:9             calls example.com/ring.(*Ring).cell

Inputs (all others may have any value):
    r = &ring.Ring{cells: []ring.cell{1: ring.cell{full: true}} (len 2, cap 4), ` +
			`next: ... (the same object again)}
    i = 2
    key = int8(3)
    err = any *ring.Error

Package-level variables:
    example.com/ring.names = map[string]int{"a": any}

Assumed results of calls that were not followed:
    os.Getpid = -1

Assumed, because it held in all tests:
    I2  i >= 0  at the entry of example.com/ring.(*Ring).At
    I9
`},
		{"W2", `W2  ring.go:30:2: nil-deref
    nil pointer dereference, when example.com/ring.Fill is called

The solver found neither inputs that lead there nor a proof that there are none.
`},
	} {
		var out strings.Builder
		if err := Warning(&out, document(), test.id, invariants); err != nil {
			t.Fatal(err)
		}
		if out.String() != test.want {
			t.Errorf("%s: got\n%swant\n%s", test.id, &out, test.want)
		}
	}
	for _, test := range []struct {
		doc  *schemas.Warnings
		want string
	}{
		{document(), "no warning W4 (want W1 to W3)"},
		{&schemas.Warnings{}, "no warning W4: the document has none"},
	} {
		if err := Warning(&strings.Builder{}, test.doc, "W4", nil); err == nil ||
			err.Error() != test.want {
			t.Errorf("got the error %v, want %s", err, test.want)
		}
	}
}
