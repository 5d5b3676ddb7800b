// Package deep is internal.
package deep

// Tail is internal.
func Tail(text string) byte { return text[len(text)-1] } // tail
