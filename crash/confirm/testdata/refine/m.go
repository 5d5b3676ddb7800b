// Package refine rests on functions that the checker does not follow.
package refine

import (
	"encoding/json"
	"hash/adler32"
	"hash/crc32"
	"html"
	"strings"
)

// Verify crashes if sum is the checksum of b: what that is takes a run to know.
func Verify(b []byte, sum uint32, list []int) int {
	if adler32.Checksum(b) == sum && len(list) < 10 {
		return list[9]
	}
	return 0
}

// Escape crashes for no text: html.EscapeString returns no shorter one.
func Escape(s string) byte {
	e := html.EscapeString(s)
	if len(e) < len(s) {
		return s[len(s)]
	}
	return 0
}

// Long crashes for texts that become longer than eight bytes.
func Long(s string) int {
	list := make([]int, 8)
	return list[len(html.EscapeString(s))]
}

type parser struct {
	text string
	at   int
}

// peek crashes at the end of the text.
func (p *parser) peek() byte { return p.text[p.at] }

func (p *parser) word() string {
	from := p.at
	for p.peek() != ' ' {
		p.at++
	}
	return p.text[from:p.at]
}

// First returns the first word of a text that has two.
func First(s string) string {
	if !strings.Contains(s, ":") {
		return ""
	}
	return (&parser{text: s}).word()
}

// Must panics for texts that are refused.
func Must(s string) string {
	if len(s) > 3 {
		panic("too long")
	}
	return s
}

// Version crashes for the version of the header, which json.Unmarshal writes.
func Version(v int, list []int) int {
	var header struct{ Version int }
	json.Unmarshal([]byte(`{"Version": 2147001}`), &header)
	if len(list) < 10 && v == header.Version {
		return list[9]
	}
	return 0
}

// Token crashes for one text, which only who has seen it knows.
func Token(text string) int {
	if crc32.ChecksumIEEE([]byte(text)) != 0x7cd6bd78 {
		return 0
	}
	var list []int
	return list[len(text)]
}
