// Package held has functions that only variables hold.
package held

import "strings"

type command struct {
	name string
	run  func(args []string) string
}

var root = &command{name: "root", run: func(args []string) string {
	return args[0]
}}

var table = []command{
	{"first", nil},
	{"second", func(args []string) string { return args[1] }},
}

// Funcs are the functions of templates.
var Funcs = map[string]any{
	"repeat": func(s string, n int) string {
		return strings.Repeat(s, n)
	},
	"nested": map[string]any{"last": func(s string) byte { return s[len(s)-1] }},
}
