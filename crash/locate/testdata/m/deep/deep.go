// Package deep has functions of all forms.
package deep

// T has methods.
type T[K comparable] struct{ m map[K]int }

// Get is a method of a generic type.
func (t *T[K]) Get(k K) int {
	return t.m[k]
}

// V has a method on the value.
type V int

// Half is that method.
func (v V) Half() int { return 1 / int(v) }

// F calls a literal.
func F(list []int) {
	func() {
		for range 2 {
			defer func() { _ = list[0] }()
		}
	}()
	//
	println()
}

var table = map[string]func(int) int{
	"x": func(n int) int {
		return 1 / n
	},
}

func init() {
	println(len(table))
}

// Close ends with a deferred call.
func Close(f func()) {
	defer f()
}

// First panics again with what it recovers.
func First(list []int) int {
	defer again()
	return list[0]
}

func again() {
	if v := recover(); v != nil {
		panic(v)
	}
}
