package record

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"dsd/crash/stack"
	"dsd/schemas"
)

// Redact replaces, in place, the contents of all strings and byte arrays in a recording, the
// messages of panics and the arguments of the command [REC 5.2]. Lengths stay, and two contents are
// equal afterwards if they were equal before. Names and positions in the source stay, and so do numbers, but for those that
// numbers matches, if it is not nil: the name of a field with its type, example.com/m.User.Salary, of a
// parameter with its function, or of a package-level variable. They become 0, also
// in what the value refers to, but for the keys of maps.
func Redact(doc *schemas.Recording, numbers *regexp.Regexp) {
	r := &redactor{to: map[string]string{}, next: map[int]int{}, numbers: numbers}
	for i, arg := range doc.Build.Command {
		if i > 0 {
			doc.Build.Command[i] = r.text(arg)
		}
	}
	for i := range doc.Crashes {
		c := &doc.Crashes[i]
		r.panic(c)
		c.Walk(func(n *schemas.Node) { r.node(c, n) })
		if numbers == nil {
			continue
		}
		for _, f := range c.Frames {
			r.inputs(c, f.Func+".", f.Params)
			r.inputs(c, "", f.Globals)
		}
	}
}

// redactor replaces texts.
type redactor struct {
	to   map[string]string // replacements, by text
	next map[int]int       // the number of the next replacement, by length
	// numbers matches the names of the numbers to replace, too; nil for none.
	numbers *regexp.Regexp
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// text returns the replacement for a text: of the same length, and different from those for other
// texts. It is a number written in letters; a single letter is followed by the other bytes.
func (r *redactor) text(s string) string {
	if s == "" {
		return ""
	}
	if t, ok := r.to[s]; ok {
		return t
	}
	n := r.next[len(s)]
	r.next[len(s)]++
	b := []byte(strings.Repeat(letters[:1], len(s)))
	if len(s) == 1 && n >= len(letters) {
		rest := n - len(letters)
		for c := range 256 {
			if strings.IndexByte(letters, byte(c)) < 0 {
				if rest == 0 {
					b[0] = byte(c)
					break
				}
				rest--
			}
		}
	} else {
		for i := len(b) - 1; i >= 0; i-- {
			b[i] = letters[n%len(letters)]
			n /= len(letters)
		}
	}
	r.to[s] = string(b)
	return r.to[s]
}

// node replaces the contents of a value, but for the values inside it.
func (r *redactor) node(c *schemas.RecordedCrash, n *schemas.Node) {
	if strings.HasPrefix(n.Lit, `"`) {
		if s, err := strconv.Unquote(n.Lit); err == nil && n.Type != "*reflect.rtype" {
			n.Lit = strconv.Quote(r.text(s))
		}
	}
	if strings.HasPrefix(n.Type, "[") && strings.HasSuffix(n.Type, "]uint8") {
		r.bytes(n)
	}
	if r.numbers != nil {
		r.inputs(c, n.Type+".", n.Fields)
	}
}

// inputs replaces the numbers in those of a list whose names, after a prefix, match.
func (r *redactor) inputs(c *schemas.RecordedCrash, prefix string, list []schemas.Input) {
	for i := range list {
		if r.numbers.MatchString(prefix + list[i].Name) {
			zeroNumbers(c, &list[i].Node, map[int]bool{})
		}
	}
}

// number matches the literals of numbers.
var number = regexp.MustCompile(`^[-+]?[0-9.]|^math\.|^\(|^complex\(`)

// zeroNumbers sets the numbers in a value of a crash, and in the objects that it refers to, to 0. Keys of maps stay, since
// they have to be different. seen are the objects that it has been called for.
func zeroNumbers(c *schemas.RecordedCrash, n *schemas.Node, seen map[int]bool) {
	if number.MatchString(n.Lit) {
		n.Lit = "0"
	}
	for i := range n.Fields {
		zeroNumbers(c, &n.Fields[i].Node, seen)
	}
	for i := range n.Elems {
		zeroNumbers(c, &n.Elems[i].Value, seen)
	}
	if n.Dynamic != nil {
		zeroNumbers(c, n.Dynamic, seen)
	}
	if n.Ref != nil && *n.Ref >= 0 && *n.Ref < len(c.Objects) && !seen[*n.Ref] {
		seen[*n.Ref] = true
		zeroNumbers(c, &c.Objects[*n.Ref], seen)
	}
}

// bytes replaces the elements of a byte array that is a part of another value. Zero bytes, which
// the node does not list, stay.
func (r *redactor) bytes(n *schemas.Node) {
	var b []byte
	for i := range n.Elems {
		x, _ := strconv.ParseUint(n.Elems[i].Value.Lit, 10, 8)
		b = append(b, byte(x))
	}
	t := r.text(string(b))
	for i := range n.Elems {
		n.Elems[i].Value.Lit = fmt.Sprint(t[i])
	}
}

// panic replaces the message of a panic, unless it is a message of the runtime, which holds numbers
// and types alone.
func (r *redactor) panic(c *schemas.RecordedCrash) {
	p := stack.Parse(c.Panic)
	if p == nil || p.Kind != schemas.ExplicitPanic ||
		strings.HasPrefix(p.Message, "runtime error: ") ||
		strings.HasPrefix(p.Message, "interface conversion: ") {
		return
	}
	text := r.text(strings.ReplaceAll(p.Message, "\n", " "))
	c.Panic = strings.Replace(c.Panic, p.Message, text, 1)
}
