package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A Line is a parsed line of a trace, a Sample whose Values share the memory of the text. They are
// valid until the next call of Parse with this Line.
type Line struct {
	Point, Test int
	Count       int64
	Values      [][]byte

	buf []byte // holds the values that are written with escapes
}

// sample returns the line as a Sample, which shares no memory with it.
func (l *Line) sample() Sample {
	size := 0
	for _, v := range l.Values {
		size += len(v)
	}
	text := make([]byte, 0, size) // one allocation for all values
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

// ErrTruncated means that the end of a trace is missing, in the middle of a line or after one. All
// samples before that are complete.
var ErrTruncated = errors.New("the trace is cut off")

// Parse parses a line of the trace into l. The line may lack its newline; number is its line
// number, for errors. Parse may be called concurrently, with different Lines.
func (t *TraceReader) Parse(line []byte, number int, l *Line) error {
	if !parseCanonical(line, t.Header.Points, l) {
		s, err := t.parseAny(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", t.name, number, err)
		}
		l.Point, l.Test, l.Count, l.Values = s.Point, s.Test, s.Count, l.Values[:0]
		for _, v := range s.Values {
			l.Values = append(l.Values, []byte(v))
		}
	}
	if bad := checkSample(&t.Header, l.Point, len(l.Values), l.Test); bad != nil {
		return fmt.Errorf("%s:%d: %w", t.name, number, bad)
	}
	return nil
}

// parseAny parses a line that parseCanonical does not accept. It accepts what the schema accepts,
// and otherwise returns what is wrong with the line.
func (t *TraceReader) parseAny(line []byte) (s Sample, err error) {
	var value json.RawMessage
	var syntax *json.SyntaxError
	dec := json.NewDecoder(bytes.NewReader(line))
	switch err := dec.Decode(&value); {
	case err == io.EOF:
		return s, errors.New("the line is empty")
	case err == io.ErrUnexpectedEOF:
		return s, fmt.Errorf("%w: the line ends after %d bytes", ErrTruncated, len(bytes.TrimRight(line, "\r\n")))
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

// PointOf returns the point of a line in the form that TraceWriter gives it, and -1 for other
// lines.
func PointOf(line []byte) int {
	rest, ok := bytes.CutPrefix(line, []byte(`{"p":`))
	if p, _, number := cutNumber(rest); ok && number {
		return int(p)
	}
	return -1
}

// parseCanonical parses a line in the form that TraceWriter gives it, with keys in order and no
// spaces between them, and reports whether the line has that form:
//
//	{"p":3,"n":12,"t":2,"v":["1","nil","\"a\""]}
//
// It is an order of magnitude faster than encoding/json. It never accepts a line that parseAny
// refuses, and both agree on the lines that it accepts. It refuses some valid lines.
func parseCanonical(line []byte, points []TracePoint, l *Line) (ok bool) {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	rest, ok := bytes.CutPrefix(line, []byte(`{"p":`))
	if !ok {
		return false
	}
	p, rest, ok := cutNumber(rest)
	if !ok || p >= int64(len(points)) {
		return false
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"n":`)); !ok {
		return false
	}
	n, rest, ok := cutNumber(rest)
	if !ok || n < 1 {
		return false
	}
	test := int64(0)
	if with, ok := bytes.CutPrefix(rest, []byte(`,"t":`)); ok {
		if test, rest, ok = cutNumber(with); !ok || test < 1 {
			return false
		}
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`,"v":[`)); !ok {
		return false
	}
	l.Point, l.Count, l.Test, l.Values, l.buf = int(p), n, int(test), l.Values[:0], l.buf[:0]
	for i := range points[p].Vars {
		if i > 0 {
			if len(rest) == 0 || rest[0] != ',' {
				return false
			}
			rest = rest[1:]
		}
		var v []byte
		if v, rest, ok = l.cutString(rest); !ok {
			return false
		}
		l.Values = append(l.Values, v)
	}
	return len(rest) == 2 && rest[0] == ']' && rest[1] == '}'
}

// cutNumber cuts a number from the front of s. It reads at most 18 digits, which cannot overflow.
func cutNumber(s []byte) (n int64, rest []byte, ok bool) {
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

// cutString cuts a JSON string from the front of s and returns its value.
func (l *Line) cutString(s []byte) (text, rest []byte, ok bool) {
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
			return l.cutEscaped(s)
		case c < ' ':
			return nil, s, false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return nil, s, false
}

// unescape maps the character after a backslash to the byte that it stands for. It does not have
// \u: parseAny parses those lines.
var unescape = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// cutEscaped is cutString for a string with escapes. It decodes the string into l.buf.
func (l *Line) cutEscaped(s []byte) (text, rest []byte, ok bool) {
	from := len(l.buf)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			text = l.buf[from:]
			return text, s[i+1:], utf8.Valid(text)
		case c < ' ':
			return nil, s, false
		case c == '\\':
			if i++; i == len(s) {
				return nil, s, false
			}
			if c = unescape[s[i]]; c == 0 {
				return nil, s, false
			}
			fallthrough
		default:
			l.buf = append(l.buf, c)
		}
	}
	return nil, s, false
}
