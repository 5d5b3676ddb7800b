package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// A scanner steps through a JSON text, which must be valid, value by value.
//
// json.Decoder.Token is too slow: for an invariants document it takes as long as the inference.
// json.Unmarshal into an any loses the order of keys, and with it which problem is the first, and
// loses the first of two equal keys.
type scanner struct{ rest []byte }

// next skips white space and returns the next byte, without stepping over it.
func (p *scanner) next() byte {
	for {
		switch p.rest[0] {
		case ' ', '\t', '\n', '\r':
			p.rest = p.rest[1:]
		default:
			return p.rest[0]
		}
	}
}

// open steps into the object or list that begins at rest.
func (p *scanner) open() { p.rest = p.rest[1:] }

// more reports whether the object or list has another member. It steps to that member, or over the
// end of the object or list.
func (p *scanner) more(end byte) bool {
	switch p.next() {
	case end:
		p.rest = p.rest[1:]
		return false
	case ',':
		p.rest = p.rest[1:]
		p.next()
	}
	return true
}

// key steps over the key of a member, to the value, and returns the key.
func (p *scanner) key() []byte {
	key := unquote(p.string())
	p.next() // the colon
	p.rest = p.rest[1:]
	p.next()
	return key
}

// string steps over the string that begins at rest and returns it with its quotes.
func (p *scanner) string() []byte {
	n := stringEnd(p.rest)
	s := p.rest[:n]
	p.rest = p.rest[n:]
	return s
}

// stringEnd returns the length, with its quotes, of the string that text begins with.
func stringEnd(text []byte) int {
	for n := 1; ; n++ {
		n += bytes.IndexByte(text[n:], '"')
		escapes := n
		for text[escapes-1] == '\\' {
			escapes--
		}
		if (n-escapes)%2 == 0 {
			return n + 1
		}
	}
}

// word steps over the number, true, false or null that begins at rest and returns it.
func (p *scanner) word() []byte {
	n := 1
	for n < len(p.rest) && p.rest[n] > ' ' && p.rest[n] != ',' && p.rest[n] != ']' &&
		p.rest[n] != '}' {
		n++
	}
	w := p.rest[:n]
	p.rest = p.rest[n:]
	return w
}

// skip steps over a value.
func (p *scanner) skip() {
	for depth := 0; ; {
		switch p.next() {
		case '"':
			p.string()
		case '{', '[':
			p.rest = p.rest[1:]
			depth++
		case '}', ']':
			p.rest = p.rest[1:]
			depth--
		case ',', ':':
			p.rest = p.rest[1:]
			continue
		default:
			p.word()
		}
		if depth == 0 {
			return
		}
	}
}

// unquote returns the value of a string in quotes.
func unquote(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 && utf8.Valid(quoted) {
		return quoted[1 : len(quoted)-1]
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		panic(fmt.Sprintf("schemas: %.80q in a text that is JSON: %v", quoted, err))
	}
	return []byte(s)
}

// indented returns a compact text with a line for every member, as json.Indent does, but faster.
func indented(compact []byte, indent string) []byte {
	text := make([]byte, 0, 2*len(compact)+len(compact)/4)
	depth := 0
	line := func() {
		text = append(text, '\n')
		for range depth {
			text = append(text, indent...)
		}
	}
	for i := 0; i < len(compact); {
		switch c := compact[i]; c {
		case '"':
			n := stringEnd(compact[i:])
			text = append(text, compact[i:i+n]...)
			i += n
			continue
		case '{', '[':
			text = append(text, c)
			if end := compact[i+1]; end == '}' || end == ']' {
				text = append(text, end)
				i++
			} else {
				depth++
				line()
			}
		case '}', ']':
			depth--
			line()
			text = append(text, c)
		case ',':
			text = append(text, c)
			line()
		case ':':
			text = append(text, ": "...)
		default:
			text = append(text, c)
		}
		i++
	}
	return text
}
