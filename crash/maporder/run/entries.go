//go:build go1.21

// Package run is compiled with the testee: it puts the keys of maps in order.
package run

import (
	"reflect"
	"slices"
	"sort"
	"strings"
)

// Entry is an entry of a map that a loop ranges over.
type Entry[K comparable, V any] struct {
	m   map[K]V
	key K
	// lost is the value of a key that no lookup finds, NaN; nil for other keys.
	lost *V
}

// Get returns the key and its value. ok is false if the loop deleted the entry.
func (e Entry[K, V]) Get() (key K, value V, ok bool) {
	if e.lost != nil {
		return e.key, *e.lost, true
	}
	value, ok = e.m[e.key]
	return e.key, value, ok
}

// Entries returns the entries of a map, in the order of their keys.
func Entries[M ~map[K]V, K comparable, V any](m M) []Entry[K, V] {
	keys := make([]K, 0, len(m))
	out := make([]Entry[K, V], 0, len(m))
	for k, v := range m {
		if k != k {
			value := v
			out = append(out, Entry[K, V]{key: k, lost: &value})
			continue
		}
		keys = append(keys, k)
	}
	switch list := any(keys).(type) {
	case []string:
		slices.Sort(list)
	case []int:
		slices.Sort(list)
	default:
		values := make([]reflect.Value, len(keys))
		for i := range keys {
			values[i] = reflect.ValueOf(&keys[i]).Elem()
		}
		order := make([]int, len(keys))
		for i := range order {
			order[i] = i
		}
		sort.SliceStable(order, func(i, j int) bool {
			return compare(values[order[i]], values[order[j]]) < 0
		})
		sorted := make([]K, len(keys))
		for i, at := range order {
			sorted[i] = keys[at]
		}
		keys = sorted
	}
	for _, k := range keys {
		out = append(out, Entry[K, V]{m: m, key: k})
	}
	return out
}

// compare compares two keys of one type: it is negative if a is the smaller one. Pointers and
// channels have no order; they count as equal.
func compare(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Bool:
		return sign(!a.Bool() && b.Bool(), a.Bool() && !b.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return sign(a.Int() < b.Int(), a.Int() > b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return sign(a.Uint() < b.Uint(), a.Uint() > b.Uint())
	case reflect.Float32, reflect.Float64:
		return sign(a.Float() < b.Float(), a.Float() > b.Float())
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return sign(a.IsNil() && !b.IsNil(), !a.IsNil() && b.IsNil())
		}
		a, b = a.Elem(), b.Elem()
		if c := strings.Compare(a.Type().String(), b.Type().String()); c != 0 || a.Type() != b.Type() {
			return c
		}
		return compare(a, b)
	case reflect.Struct:
		for i := 0; i < a.NumField(); i++ {
			if c := compare(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := 0; i < a.Len(); i++ {
			if c := compare(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	}
	return 0
}

// sign returns -1 if less is true, 1 if more is, else 0.
func sign(less, more bool) int {
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}
