package fact

import "testing"

// TestExactAndTells checks what calls say of their arguments and of their results.
func TestExactAndTells(t *testing.T) {
	bits, text, two := uint64(7), []byte("s"), 2
	number, str := Value{Bits: &bits}, Value{Text: &text}
	opaque := Value{NotNil: true, Opaque: true}
	for _, tt := range []struct {
		name         string
		call         Call
		exact, tells bool
	}{
		{"values", Call{Args: []Value{number, str}, Results: []Value{str}}, true, true},
		{"no arguments, nothing known", Call{Results: []Value{opaque}}, true, false},
		{"a pointer", Call{Args: []Value{{NotNil: true, Inside: &number}},
			Results: []Value{{Nil: true}}}, false, true},
		{"a receiver", Call{Recv: &Value{Opaque: true}, Results: []Value{number}}, false, true},
		{"a slice", Call{Args: []Value{{Len: &two, Elems: []Value{number, str}}},
			Results: []Value{opaque, {Len: &two, Opaque: true}}}, true, true},
		{"a long slice", Call{Args: []Value{{Len: &two, Opaque: true}}}, false, false},
		{"nil", Call{Args: []Value{{Nil: true}}, Results: []Value{{NotNil: true, Inside: &str}}},
			true, true},
	} {
		if got := tt.call.Exact(); got != tt.exact {
			t.Errorf("%s: exact %v, want %v", tt.name, got, tt.exact)
		}
		if got := tt.call.Tells(); got != tt.tells {
			t.Errorf("%s: tells %v, want %v", tt.name, got, tt.tells)
		}
	}
}
