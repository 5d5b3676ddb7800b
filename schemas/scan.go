package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// scanner goes through a JSON text that is known to be valid, value by value. Not json.Decoder.Token, which takes as long for a document as learning
// it does; nor json.Unmarshal into an any, which loses the order of keys, hence which problem is the first, and the second of two equal keys.
type scanner struct{ rest []byte }

// next skips white space and returns the byte that comes then.
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

// open steps into the object or list that begins here.
func (p *scanner) open() { p.rest = p.rest[1:] }

// more says that an object or a list goes on, and steps over what is before its next member, or behind the last.
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

// key steps over a member's key, and what is between it and the value.
func (p *scanner) key() []byte {
	key := unquote(p.string())
	p.next() // the colon
	p.rest = p.rest[1:]
	p.next()
	return key
}

// string steps over the string that begins here and returns it with its quotes.
func (p *scanner) string() []byte {
	n := stringEnd(p.rest)
	s := p.rest[:n]
	p.rest = p.rest[n:]
	return s
}

// stringEnd is how long the string is that text begins with.
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

// word steps over the number, true, false or null that begins here.
func (p *scanner) word() []byte {
	n := 1
	for n < len(p.rest) && p.rest[n] > ' ' && p.rest[n] != ',' && p.rest[n] != ']' && p.rest[n] != '}' {
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

// unquote is what a string in quotes says.
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

// layOut is a compact text with a line for every member, as json.Indent has it.
func layOut(compact []byte, indent string) []byte {
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
