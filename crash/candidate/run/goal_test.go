package run

import (
	"reflect"
	"strings"
	"testing"
)

type pair[K, V any] struct {
	Key   K
	Value V
}

// TestTypeText has types in the words of the documents, with full import paths.
func TestTypeText(t *testing.T) {
	const here = "dsd/crash/candidate/run."
	for _, tt := range []struct {
		value any
		want  string
	}{
		{1, "int"},
		{pair[int, string]{}, here + "pair[int,string]"},
		{&pair[int, string]{}, "*" + here + "pair[int,string]"},
		{[]*strings.Builder{}, "[]*strings.Builder"},
		{[3][]pair[int, bool]{}, "[3][]" + here + "pair[int,bool]"},
		{map[string]*pair[int, bool]{}, "map[string]*" + here + "pair[int,bool]"},
		{[]any{}, "[]any"},
		{[]interface{ Len() int }{}, "[]interface { Len() int }"},
		{func(any) {}, "func(any)"},
	} {
		if got := typeText(reflect.TypeOf(tt.value)); got != tt.want {
			t.Errorf("typeText(%T) = %s, want %s", tt.value, got, tt.want)
		}
	}
}
