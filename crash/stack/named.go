package stack

import (
	"strings"

	"dsd/internal/symbol"
)

// NamesType reports whether a panic's message names a type as the dynamic type of the value that caused the panic. typ is
// written as the runtime prints types, or is "nil". The runtime's own messages have a fixed place for that type; in
// others, such as those of package reflect, the type may be anywhere.
func NamesType(message, typ string) bool {
	message = firstLine(message)
	if valuesIn(message) != nil {
		return typ != "" && DynamicType(message) == typ
	}
	for rest, at := message, 0; typ != "nil"; rest = rest[at+1:] {
		if at = strings.Index(rest, typ); at < 0 {
			return false
		}
		before, after := message[:len(message)-len(rest)+at], rest[at+len(typ):]
		if !endsInType(before) && (after == "" || !isWord(after[0])) {
			return true
		}
	}
	return false
}

// DynamicType returns the type of the value that one of the runtime's own messages is about, as NamesType takes it; "" if
// the message has none.
func DynamicType(message string) string {
	for _, v := range valuesIn(firstLine(message)) {
		if v.Name == "dynamic" {
			return v.Text
		}
	}
	return ""
}

// majorVersion matches the end of an import path that is no name of a package.
var majorVersion = newPattern(`[./]v\d+$`)

// Receiver returns the type of the receiver of a method in a stack trace, as the runtime prints types, if the name of its
// package is the last part of the import path; "" for a function, and for a generic type, whose arguments the trace does
// not have.
func Receiver(fn string) string {
	n := symbol.Parse(fn)
	if n.Receiver == "" || n.TypeArgs != "" {
		return ""
	}
	path := majorVersion.ReplaceAllString(n.Package, "")
	typ := path[strings.LastIndexByte(path, '/')+1:] + "." + n.Receiver
	if n.Pointer {
		typ = "*" + typ
	}
	return typ
}

// endsInType reports whether what a text ends in belongs to a type that goes on: *T, []T, map[K]T, p.T.
func endsInType(text string) bool {
	if text == "" {
		return false
	}
	c := text[len(text)-1]
	return isWord(c) || c == '*' || c == ']' || c == '.'
}

// isWord reports whether a character may be in a name.
func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
