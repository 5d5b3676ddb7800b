package fact

import "testing"

// TestTells checks which results say something.
func TestTells(t *testing.T) {
	bits, text, two := uint64(7), []byte("s"), 2
	number, opaque := Value{Bits: &bits}, Value{NotNil: true, Opaque: true}
	for _, tt := range []struct {
		name    string
		results []Value
		want    bool
	}{
		{"a number", []Value{number}, true},
		{"a string", []Value{{Text: &text}}, true},
		{"not nil", []Value{opaque}, false},
		{"nothing", nil, false},
		{"nil", []Value{opaque, {Nil: true}}, true},
		{"a length", []Value{{Len: &two, Opaque: true}}, true},
		{"behind a pointer", []Value{{NotNil: true, Inside: &number}}, true},
	} {
		if got := (&Call{Results: tt.results}).Tells(); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}
