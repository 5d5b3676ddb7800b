package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style colors text for a terminal, if it is true.
type Style bool

// The colors are those that a terminal calls so, on whatever ground it has.
func (s Style) Bold(text string) string   { return s.with("1", text) }
func (s Style) Red(text string) string    { return s.with("31", text) }
func (s Style) Yellow(text string) string { return s.with("33", text) }
func (s Style) Blue(text string) string   { return s.with("34", text) }
func (s Style) Faint(text string) string  { return s.with("2", text) }

func (s Style) with(code, text string) string {
	if !s {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// colors are what Style writes around texts.
var colors = []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[34m"}

// visible returns a text in which the characters that a terminal acts on, but for ends of lines, tabs and the colors of
// the style, are escaped: control characters, those that turn the direction of writing, and what is no UTF-8.
func (s Style) visible(text string) string {
	if !strings.ContainsFunc(text, acted) {
		return text
	}
	var out strings.Builder
next:
	for len(text) > 0 {
		if text[0] == '\x1b' && bool(s) {
			for _, c := range colors {
				if rest, ok := strings.CutPrefix(text, c); ok {
					out.WriteString(c)
					text = rest
					continue next
				}
			}
		}
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case !acted(r):
			out.WriteString(text[:size])
		default:
			quoted := strconv.QuoteToASCII(text[:size])
			out.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[size:]
	}
	return out.String()
}

// Visible returns a text in which the characters that a terminal acts on are escaped, but for ends of lines and tabs.
func Visible(text string) string { return Style(false).visible(text) }

// acted reports whether a terminal acts on a character; it holds for utf8.RuneError, too.
func acted(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError ||
		r == '\u2028' || r == '\u2029')
}
