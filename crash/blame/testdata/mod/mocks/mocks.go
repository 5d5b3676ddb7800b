// Package mocks is for tests.
package mocks

// Head is for tests.
func Head(text string) byte { return text[0] } // head
