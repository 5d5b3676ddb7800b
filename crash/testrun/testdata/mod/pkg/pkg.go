// Package pkg is tested by generated tests.
package pkg

var calls int

// Div counts its calls.
func Div(x, y int) int {
	calls++
	return x / y
}
