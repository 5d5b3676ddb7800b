package stack

import "testing"

func TestNamesType(t *testing.T) {
	for _, tt := range []struct {
		message, typ string
		want         bool
	}{
		{"interface conversion: interface {} is int, not string", "int", true},
		{"interface conversion: interface {} is int, not string", "string", false},
		{"interface conversion: int is not linq.Comparable: missing method CompareTo", "int", true},
		{"interface conversion: interface {} is nil, not string", "nil", true},
		{"runtime error: hash of unhashable type []int\nmore", "[]int", true},
		{"runtime error: index out of range [3] with length 2", "int", false},
		{"reflect: call of reflect.Value.NumField on string Value", "string", true},
		{"reflect: NumField of non-struct type *main.T", "main.T", false},
		{"reflect: NumField of non-struct type *main.T", "*main.T", true},
		{"json: unsupported type: chan int", "chan int", true},
		{"unsupported kind: []uint8", "uint8", false},
		{"a nil value", "nil", false},
		{"stringer.go: strings: string", "string", true},
		{"interfaces and printing", "int", false},
	} {
		if got := NamesType(tt.message, tt.typ); got != tt.want {
			t.Errorf("NamesType(%q, %q) = %v", tt.message, tt.typ, got)
		}
	}
}

func TestDynamicType(t *testing.T) {
	for message, want := range map[string]string{
		"interface conversion: interface {} is float64, not []uint8":             "float64",
		"interface conversion: *m.T is not io.Reader: missing method Read\nmore": "*m.T",
		"runtime error: hash of unhashable type []int":                           "[]int",
		"runtime error: index out of range [3] with length 2":                    "",
		"no such value": "",
	} {
		if got := DynamicType(message); got != want {
			t.Errorf("DynamicType(%q) = %q, want %q", message, got, want)
		}
	}
}

func TestReceiver(t *testing.T) {
	for fn, want := range map[string]string{
		"image.(*Paletted).At":                  "*image.Paletted",
		"sort.IntSlice.Less":                    "sort.IntSlice",
		"example.com/m/v2.(*T).F":               "*m.T",
		"gopkg.in/yaml%2ev3.(*Node).Decode":     "*yaml.Node",
		"sync.(*Once).doSlow":                   "*sync.Once",
		"main.main":                             "",
		"main.main.func1":                       "",
		"sync/atomic.(*Pointer[...]).Load":      "",
		"slices.insertionSortCmpFunc[go.shape]": "",
	} {
		if got := Receiver(fn); got != want {
			t.Errorf("Receiver(%q) = %q, want %q", fn, got, want)
		}
	}
}
