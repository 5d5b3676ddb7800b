package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A Line is a sample as a line of a trace has it, taken apart in place. Its Values share the memory of the line, and
// hold until the next is parsed.
type Line struct {
	Point, Test int
	Count       int64
	Values      [][]byte

	room []byte // for values that are written with escapes
}

// sample is the line with values that may be kept.
func (l *Line) sample() Sample {
	size := 0
	for _, v := range l.Values {
		size += len(v)
	}
	text := make([]byte, 0, size) // one string for all of them
	for _, v := range l.Values {
		text = append(text, v...)
	}
	all := string(text)
	s := Sample{Point: l.Point, Count: l.Count, Test: l.Test, Values: make([]string, len(l.Values))}
	for i, v := range l.Values {
		s.Values[i], all = all[:len(v)], all[len(v):]
	}
	return s
}

// ErrTruncated says that a trace ends in the middle of a line: what wrote it was stopped. All samples before are whole.
var ErrTruncated = errors.New("the line is cut off")

// Parse takes a line of the trace apart, with or without its newline. number is the line's, for errors. Lines may be
// parsed at the same time, each into another l.
func (t *TraceReader) Parse(line []byte, number int, l *Line) error {
	if !canonical(line, t.Header.Points, l) {
		s, err := t.unusual(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", t.name, number, err)
		}
		l.Point, l.Test, l.Count, l.Values = s.Point, s.Test, s.Count, l.Values[:0]
		for _, v := range s.Values {
			l.Values = append(l.Values, []byte(v))
		}
	}
	if bad := fits(&t.Header, l.Point, len(l.Values), l.Test); bad != nil {
		return fmt.Errorf("%s:%d: %w", t.name, number, bad)
	}
	return nil
}

// unusual reads a line that canonical did not take. It accepts all that the schema does, and finds what is wrong
// with the rest.
func (t *TraceReader) unusual(line []byte) (s Sample, err error) {
	var value json.RawMessage
	var syntax *json.SyntaxError
	dec := json.NewDecoder(bytes.NewReader(line))
	switch err := dec.Decode(&value); {
	case err == io.EOF:
		return s, errors.New("the line is empty")
	case err == io.ErrUnexpectedEOF:
		return s, fmt.Errorf("%w after %d bytes", ErrTruncated, len(bytes.TrimRight(line, "\r\n")))
	case errors.As(err, &syntax):
		return s, fmt.Errorf("is not JSON: column %d: %w", syntax.Offset, err)
	case err != nil:
		return s, err
	}
	if more := line[dec.InputOffset():]; len(bytes.TrimSpace(more)) > 0 {
		return s, errors.New("the line has more after the sample")
	}
	if bad := t.schema.validate(value); bad != nil {
		return s, bad
	}
	err = json.Unmarshal(value, &s)
	return s, err
}

// PointOf is the point of a line in the form that TraceWriter gives it; -1 for any other.
func PointOf(line []byte) int {
	rest, ok := bytes.CutPrefix(line, []byte(`{"p":`))
	if p, _, number := digits(rest); ok && number {
		return int(p)
	}
	return -1
}

// canonical takes apart a line in the form that TraceWriter gives it, keys in order and no spaces between:
//
//	{"p":3,"n":12,"t":2,"v":["1","nil","\"a\""]}
//
// It is an order of magnitude faster than encoding/json. It never accepts what unusual refuses, and where both
// accept they agree; but any doubt is a no, be the line right or wrong.
func canonical(line []byte, points []TracePoint, l *Line) (ok bool) {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	rest, ok := bytes.CutPrefix(line, []byte(`{"p":`))
	if !ok {
		return false
	}
	p, rest, ok := digits(rest)
	if !ok || p >= int64(len(points)) {
		return false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"n":`)); !ok {
		return false
	}
	n, rest, ok := digits(rest)
	if !ok || n < 1 {
		return false
	}
	test := int64(0)
	if with, ok := bytes.CutPrefix(rest, []byte(`,"t":`)); ok {
		if test, rest, ok = digits(with); !ok || test < 1 {
			return false
		}
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"v":[`)); !ok {
		return false
	}
	l.Point, l.Count, l.Test, l.Values, l.room = int(p), n, int(test), l.Values[:0], l.room[:0]
	for i := range points[p].Vars {
		if i > 0 {
			if len(rest) == 0 || rest[0] != ',' {
				return false
			}
			rest = rest[1:]
		}
		var v []byte
		if v, rest, ok = l.literal(rest); !ok {
			return false
		}
		l.Values = append(l.Values, v)
	}
	return len(rest) == 2 && rest[0] == ']' && rest[1] == '}'
}

// digits cuts a number from the front of s; up to 18 digits cannot overflow.
func digits(s []byte) (n int64, rest []byte, ok bool) {
	i := 0
	for i < len(s) && i < 18 && '0' <= s[i] && s[i] <= '9' {
		n = 10*n + int64(s[i]-'0')
		i++
	}
	if i == 0 || s[0] == '0' && i > 1 {
		return 0, s, false
	}
	return n, s[i:], true
}

// literal cuts a JSON string from the front of s and returns what it stands for.
func (l *Line) literal(s []byte) (text, rest []byte, ok bool) {
	if len(s) == 0 || s[0] != '"' {
		return nil, s, false
	}
	ascii := true
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			text, rest = s[1:i], s[i+1:]
			return text, rest, ascii || utf8.Valid(text)
		case c == '\\':
			return l.escaped(s)
		case c < ' ':
			return nil, s, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, s, false
}

// plainEscapes are the escapes of JSON that stand for a byte.
var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escaped is literal for a string with escapes.
func (l *Line) escaped(s []byte) (text, rest []byte, ok bool) {
	from := len(l.room)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			text = l.room[from:]
			return text, s[i+1:], utf8.Valid(text)
		case c < ' ':
			return nil, s, false
		case c == '\\':
			if i++; i == len(s) {
				return nil, s, false
			}
			if c = plainEscapes[s[i]]; c == 0 { // \u
				return nil, s, false
			}
			fallthrough
		default:
			l.room = append(l.room, c)
		}
	}
	return nil, s, false
}
