// Package mod has functions that panic, of many shapes.
package mod

import "strings"

// At is written in one line.
func At(list []int, i int) int { return list[i] }

// Div has a comment behind its brace.
func Div(a, b int) (quotient int) { // of integers
	quotient = a / b
	return
}

// Stack is a receiver.
type Stack struct {
	items []int
	size  int
}

// Push returns nothing.
func (s *Stack) Push(x int) {
	s.items[s.size] = x
	s.size++
}

// Record is a parameter.
type Record struct{ Low, High, Part int }

// Share is a method.
func (r Record) Share() int { return r.Part / (r.High - r.Low) }

// Low returns many things.
func Low(r *Record) (int, string, Record, [2]bool, any, bool) {
	return r.Low, "", *r, [2]bool{}, nil, true
}

// Second returns an error, and no package for errors is imported.
func Second(text string) (string, error) {
	return strings.Split(text, ",")[1], nil
}

// Last has a type parameter.
func Last[T any](list []T) T {
	return list[len(list)-1]
}

// Named has a parameter that hides the name of a package.
func Named(errors []error) error { return errors[0] }
