// Package kind describes the kinds of panics for people: what `check list` and `check explain KIND` print, and what
// the rules of a SARIF document say.
package kind

import (
	"fmt"
	"io"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// Doc describes a kind of panic.
type Doc struct {
	Kind schemas.Kind
	// Title says in a few words what goes wrong.
	Title string
	// Message is how the text of the panic begins or looks.
	Message string
	// Text says when Go panics so, in one or two sentences.
	Text string
	// Example is Go that panics, and Mended is Go that does not.
	Example, Mended string
}

// Docs describes all kinds, in the order of schemas.Kinds.
var Docs = []Doc{
	{
		schemas.NilDeref, "nil pointer dereference", "invalid memory address or nil pointer dereference",
		"A field or element of what a nil pointer points to is used, a method is called on a nil interface, or a nil " +
			"function is called.",
		"func Name(u *User) string { return u.Name }\n\nName(nil)",
		"func Name(u *User) string {\n\tif u == nil {\n\t\treturn \"\"\n\t}\n\treturn u.Name\n}",
	},
	{
		schemas.Index, "index out of range", "index out of range [5] with length 3",
		"An index into a slice, an array or a string is negative, or not less than the length.",
		"func First(words []string) string { return words[0] }\n\nFirst(nil)",
		"func First(words []string) string {\n\tif len(words) == 0 {\n\t\treturn \"\"\n\t}\n\treturn words[0]\n}",
	},
	{
		schemas.SliceBounds, "slice bounds out of range", "slice bounds out of range [:5] with capacity 3",
		"In s[i:j] or s[i:j:k], a bound is negative, more than the length of a string or the capacity of a slice, or " +
			"less than the one before it.",
		"func Rest(line string) string { return line[2:] }\n\nRest(\"\")",
		"func Rest(line string) string {\n\tif len(line) < 2 {\n\t\treturn \"\"\n\t}\n\treturn line[2:]\n}",
	},
	{
		schemas.DivZero, "integer division by zero", "integer divide by zero",
		"The divisor of / or % between integers is 0. Division of floating-point numbers does not panic.",
		"func Mean(sum, n int) int { return sum / n }\n\nMean(0, 0)",
		"func Mean(sum, n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn sum / n\n}",
	},
	{
		schemas.TypeAssert, "failed type assertion", "interface conversion: interface {} is string, not int",
		"In v.(T), with one result, v is nil or has another dynamic type than T, or one that lacks a method of T.",
		"func Count(v any) int { return v.(int) }\n\nCount(\"3\")",
		"func Count(v any) int {\n\tn, _ := v.(int)\n\treturn n\n}",
	},
	{
		schemas.MakeSlice, "size out of range", "makeslice: len out of range",
		"The length or capacity of make([]T, n), or the size of make(chan T, n), is negative or larger than memory can be.",
		"func Zeros(n int) []int { return make([]int, n) }\n\nZeros(-1)",
		"func Zeros(n int) []int { return make([]int, max(n, 0)) }",
	},
	{
		schemas.NilMap, "assignment to nil map", "assignment to entry in nil map",
		"An entry of a map that was never made is assigned. Reading a nil map does not panic.",
		"type Cache struct{ m map[string]int }\n\nfunc (c *Cache) Put(k string) { c.m[k] = 1 }\n\nnew(Cache).Put(\"a\")",
		"func (c *Cache) Put(k string) {\n\tif c.m == nil {\n\t\tc.m = map[string]int{}\n\t}\n\tc.m[k] = 1\n}",
	},
	{
		schemas.Conversion, "slice too short for an array", "cannot convert slice with length 2 to array or pointer to array with length 4",
		"A slice is converted to an array, or to a pointer to one, that is longer.",
		"func Key(b []byte) [4]byte { return [4]byte(b) }\n\nKey(nil)",
		"func Key(b []byte) (k [4]byte) {\n\tcopy(k[:], b)\n\treturn k\n}",
	},
	{
		schemas.Shift, "negative shift count", "negative shift amount",
		"The number of bits to shift by, of a signed type, is negative.",
		"func Bit(i int) int { return 1 << i }\n\nBit(-1)",
		"func Bit(i int) int {\n\tif i < 0 {\n\t\treturn 0\n\t}\n\treturn 1 << i\n}",
	},
	{
		schemas.Chan, "misuse of a channel", "send on closed channel; close of closed channel; close of nil channel",
		"A channel is closed twice, a nil channel is closed, or something is sent on a closed one.",
		"type Feed struct{ c chan int }\n\nfunc (f *Feed) Stop() { close(f.c) }\n\nf.Stop()\nf.Stop()",
		"type Feed struct {\n\tc    chan int\n\tonce sync.Once\n}\n\nfunc (f *Feed) Stop() { f.once.Do(func() { close(f.c) }) }",
	},
	{
		schemas.Uncomparable, "comparison of uncomparable values", "comparing uncomparable type []int; hash of unhashable type []int",
		"Two interface values, of a type that == is not defined for, are compared, or one is the key of a map.",
		"func Same(a, b any) bool { return a == b }\n\nSame([]int{1}, []int{1})",
		"func Same(a, b any) bool { return reflect.DeepEqual(a, b) }",
	},
	{
		schemas.ExplicitPanic, "call of panic", "the value that panic was called with",
		"The program calls panic, or a function of a library does.",
		"func Month(n int) string {\n\tif n < 1 || n > 12 {\n\t\tpanic(\"no such month\")\n\t}\n\treturn names[n-1]\n}\n\nMonth(13)",
		"func Month(n int) (string, error) {\n\tif n < 1 || n > 12 {\n\t\treturn \"\", fmt.Errorf(\"no month %d\", n)\n\t}\n\treturn names[n-1], nil\n}",
	},
	{
		schemas.StackOverflow, "recursion without end", "stack overflow; goroutine stack exceeds 1000000000-byte limit",
		"Functions call each other until the stack is full: the program ends, and no deferred function can recover. Input " +
			"that nests deeply, or a value that contains itself, is the usual cause.",
		"func Depth(n *Node) int { return 1 + Depth(n.Next) }\n\nn := &Node{}\nn.Next = n\nDepth(n)",
		"func Depth(n *Node) int {\n\td := 0\n\tfor seen := map[*Node]bool{}; n != nil && !seen[n]; n = n.Next {\n\t\tseen[n] = true\n\t\td++\n\t}\n\treturn d\n}",
	},
}

// Of returns the description of a kind, nil if there is none of that name.
func Of(k schemas.Kind) *Doc {
	for i := range Docs {
		if Docs[i].Kind == k {
			return &Docs[i]
		}
	}
	return nil
}

// List writes a line for each kind.
func List(w io.Writer) error {
	p := &text.Printer{W: w}
	for _, d := range Docs {
		p.Printf("%-15s %s\n", d.Kind, d.Title)
	}
	return p.Err
}

// Explain writes everything about a kind.
func (d *Doc) Explain(w io.Writer) error {
	p := &text.Printer{W: w}
	p.Printf("%s: %s\n\n", d.Kind, d.Title)
	p.Printf("%s\n\nThe panic says: %s\n", d.Text, d.Message)
	p.Printf("\nPanics:\n\n%s\nDoes not:\n\n%s", indent(d.Example), indent(d.Mended))
	return p.Err
}

// Markdown returns the description for viewers that show Markdown.
func (d *Doc) Markdown() string {
	return fmt.Sprintf("%s\n\nThe panic says: `%s`\n\nPanics:\n\n```go\n%s\n```\n\nDoes not:\n\n```go\n%s\n```\n", d.Text,
		d.Message, d.Example, d.Mended)
}

// indent indents Go source by four spaces.
func indent(source string) string {
	var out strings.Builder
	for line := range strings.Lines(source + "\n") {
		if line != "\n" {
			out.WriteString("    ")
		}
		out.WriteString(line)
	}
	return out.String()
}
