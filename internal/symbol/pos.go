package symbol

import (
	"cmp"
	"strconv"
	"strings"
)

// Pos is a source position. File has forward slashes; documents write it relative to the module's
// root. Line and Col begin at 1, and columns count bytes; 0 means that the text has none.
type Pos struct {
	File string
	Line int
	Col  int
}

// ParsePos parses "file", "file:line" or "file:line:col". The numbers are read from the end, so
// that a file may hold colons.
func ParsePos(text string) Pos {
	file, last, ok := cutNumber(text)
	if !ok {
		return Pos{File: text}
	}
	if rest, line, ok := cutNumber(file); ok {
		return Pos{rest, line, last}
	}
	return Pos{File: file, Line: last}
}

// cutNumber cuts a positive number off the end of a text, with the colon before it.
func cutNumber(text string) (rest string, n int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i <= 0 {
		return "", 0, false
	}
	digits := text[i+1:]
	n, err := strconv.Atoi(digits)
	if err != nil || n <= 0 || digits[0] == '+' {
		return "", 0, false
	}
	return text[:i], n, true
}

// String returns the position as ParsePos reads it, "" for the zero Pos.
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return p.File + ":" + strconv.Itoa(p.Line)
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// IsValid reports whether the position has a file and a line.
func (p Pos) IsValid() bool { return p.File != "" && p.Line > 0 }

// WithoutCol returns the position of the line.
func (p Pos) WithoutCol() Pos { return Pos{File: p.File, Line: p.Line} }

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(
		strings.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}

// PosLess reports whether position a comes before b as documents sort them: by file, line and
// column.
func PosLess(a, b string) bool { return ParsePos(a).Compare(ParsePos(b)) < 0 }

// Line returns a position without its column: "file:line".
func Line(pos string) string { return ParsePos(pos).WithoutCol().String() }

// SameLine reports whether two positions are in the same line.
func SameLine(a, b string) bool { return ParsePos(a).WithoutCol() == ParsePos(b).WithoutCol() }
