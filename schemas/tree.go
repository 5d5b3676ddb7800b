package schemas

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A JSON text as a tree, to be validated: object, []any, string, json.Number, bool or nil. Not json.Unmarshal into
// an any: that loses the order of keys, hence which problem is the first, and the second of two equal keys, which
// json.Unmarshal into a struct would then merge with the first. Nor json.Decoder.Token, which takes as long for a
// document as learning it does.
type (
	object []member
	member struct {
		key   string
		value any
	}
)

// get returns the first value with that key.
func (o object) get(key string) (value any, ok bool) {
	for _, m := range o {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

// tree parses text, which must be valid JSON.
func tree(text []byte) any {
	p := &parser{rest: string(text)} // of which all strings are parts
	return p.value()
}

// parser goes through a text that is known to be valid.
type parser struct {
	rest string
	// members and elements are those so far of the objects and lists that have begun, the inner behind the outer.
	members  []member
	elements []any
}

// next skips white space and returns the byte that comes then.
func (p *parser) next() byte {
	for {
		switch p.rest[0] {
		case ' ', '\t', '\n', '\r':
			p.rest = p.rest[1:]
		default:
			return p.rest[0]
		}
	}
}

// more says that a list or an object goes on, and steps over what is before its next element, or behind the last.
func (p *parser) more(end byte) bool {
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

func (p *parser) value() any {
	switch p.next() {
	case '{':
		p.rest = p.rest[1:]
		begin := len(p.members)
		for p.more('}') {
			key := p.string()
			p.next() // the colon
			p.rest = p.rest[1:]
			value := p.value()
			p.members = append(p.members, member{key, value})
		}
		o := append(make(object, 0, len(p.members)-begin), p.members[begin:]...)
		p.members = p.members[:begin]
		return o

	case '[':
		p.rest = p.rest[1:]
		begin := len(p.elements)
		for p.more(']') {
			value := p.value()
			p.elements = append(p.elements, value)
		}
		a := append(make([]any, 0, len(p.elements)-begin), p.elements[begin:]...)
		p.elements = p.elements[:begin]
		return a

	case '"':
		return p.string()
	}
	n := 1
	for n < len(p.rest) && strings.IndexByte(",]} \t\n\r", p.rest[n]) < 0 {
		n++
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	switch word[0] {
	case 't', 'f':
		return word[0] == 't'
	case 'n':
		return nil
	}
	return json.Number(word)
}

// string is the string that begins here.
func (p *parser) string() string {
	n := 1 + strings.IndexByte(p.rest[1:], '"')
	plain := strings.IndexByte(p.rest[:n], '\\') < 0
	if !plain {
		for n = 1; p.rest[n] != '"'; n++ {
			if p.rest[n] == '\\' {
				n++
			}
		}
	}
	quoted := p.rest[:n+1]
	p.rest = p.rest[n+1:]
	if plain && utf8.ValidString(quoted) {
		return quoted[1:n]
	}
	var s string
	if err := json.Unmarshal([]byte(quoted), &s); err != nil {
		panic(fmt.Sprintf("schemas: tree of a text that is not JSON: %v", err))
	}
	return s
}
