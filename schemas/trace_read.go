package schemas

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A TraceReader reads a trace line by line.
type TraceReader struct {
	// Header is the first line.
	Header TraceHeader

	name   string
	in     *bufio.Reader
	line   int     // number of the line read last, from 1
	long   []byte  // room for lines longer than in's buffer
	sample *schema // for lines that canonical does not take
}

// NewTraceReader reads and checks the header. The trace may be gzipped, whatever its name. Errors call the input
// name.
func NewTraceReader(r io.Reader, name string) (*TraceReader, error) {
	t := &TraceReader{name: name, sample: schemaOf(TraceName).Defs["sample"]}
	if err := t.readHeader(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

func (t *TraceReader) readHeader(r io.Reader) error {
	packed := bufio.NewReader(r)
	r = packed
	magic, err := packed.Peek(2)
	if err != nil && err != io.EOF {
		return err
	}
	if string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(packed)
		if err != nil {
			return gzipError(err)
		}
		r = gunzip{z}
	}
	// Not simply the first line: another document, indented over many, shall be told that it is another document.
	text, rest, err := decode(r, TraceName, &t.Header)
	if err != nil {
		return err
	}
	if bytes.Contains(bytes.TrimSpace(text), []byte("\n")) {
		return errors.New("has a header of more than one line")
	}
	t.in = bufio.NewReaderSize(rest, 1<<16)
	t.line = bytes.Count(text, []byte("\n")) // blank ones; readLine counts the header's own
	end, err := t.readLine()
	if err != nil && err != io.EOF {
		return err
	}
	if len(bytes.TrimSpace(end)) > 0 {
		return errors.New("has more on the line of the header")
	}
	return nil
}

// Next returns the next sample, whose Values are the caller's to keep. At the end of the trace the error is io.EOF;
// after any other error the reader is of no further use.
func (t *TraceReader) Next() (Sample, error) {
	line, err := t.readLine()
	if err == io.EOF {
		return Sample{}, err
	}
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w", t.name, err)
	}
	s, ok := canonical(string(line), t.Header.Points)
	if !ok {
		if s, err = t.unusual(line); err != nil {
			return Sample{}, fmt.Errorf("%s:%d: %w", t.name, t.line, err)
		}
	}
	if bad := s.fits(&t.Header); bad != nil {
		return Sample{}, fmt.Errorf("%s:%d: %w", t.name, t.line, bad)
	}
	return s, nil
}

// readLine returns the next line, valid until the next call; with io.EOF, nothing is left. The last line may lack
// its newline: if it was cut, its JSON will show that.
func (t *TraceReader) readLine() ([]byte, error) {
	line, err := t.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		t.long = t.long[:0]
		for err == bufio.ErrBufferFull {
			t.long = append(t.long, line...)
			line, err = t.in.ReadSlice('\n')
		}
		t.long = append(t.long, line...)
		line = t.long
	}
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	t.line++
	return line, err
}

// ErrCut says that a trace ends in the middle of a line: what wrote it was stopped. All samples before are whole.
var ErrCut = errors.New("the line is cut off")

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
		return s, fmt.Errorf("%w after %d bytes", ErrCut, len(bytes.TrimRight(line, "\r\n")))
	case errors.As(err, &syntax):
		return s, fmt.Errorf("is not JSON: column %d: %w", syntax.Offset, err)
	case err != nil:
		return s, err
	}
	if more := line[dec.InputOffset():]; len(bytes.TrimSpace(more)) > 0 {
		return s, errors.New("the line has more after the sample")
	}
	if bad := t.sample.validate(tree(value)); bad != nil {
		return s, bad
	}
	err = json.Unmarshal(value, &s)
	return s, err
}

// canonical takes apart a line in the form that TraceWriter gives it, keys in order and no spaces between:
//
//	{"p":3,"n":12,"t":2,"v":["1","nil","\"a\""]}
//
// It is an order of magnitude faster than encoding/json. It never accepts what unusual refuses, and where both
// accept they agree; but any doubt is a no, be the line right or wrong. The values share the memory of line.
func canonical(line string, points []TracePoint) (s Sample, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), `{"p":`)
	if !ok {
		return s, false
	}
	p, rest, ok := digits(rest)
	if !ok || p >= int64(len(points)) {
		return s, false
	}
	if rest, ok = strings.CutPrefix(rest, `,"n":`); !ok {
		return s, false
	}
	n, rest, ok := digits(rest)
	if !ok || n < 1 {
		return s, false
	}
	test := int64(0)
	if with, ok := strings.CutPrefix(rest, `,"t":`); ok {
		if test, rest, ok = digits(with); !ok || test < 1 {
			return s, false
		}
	}
	if rest, ok = strings.CutPrefix(rest, `,"v":[`); !ok {
		return s, false
	}
	vars := len(points[p].Vars)
	s = Sample{Point: int(p), Count: n, Test: int(test), Values: make([]string, vars)}
	for i := range s.Values {
		if i > 0 {
			if rest, ok = strings.CutPrefix(rest, ","); !ok {
				return s, false
			}
		}
		if s.Values[i], rest, ok = stringLit(rest); !ok {
			return s, false
		}
	}
	return s, rest == "]}"
}

// digits cuts a number from the front of s; up to 18 digits cannot overflow.
func digits(s string) (n int64, rest string, ok bool) {
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

// stringLit cuts a JSON string from the front of s and returns what it stands for.
func stringLit(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	ascii, plain := true, true
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' && plain:
			text, rest = s[1:i], s[i+1:]
			return text, rest, ascii || utf8.ValidString(text)

		case c == '"':
			err := json.Unmarshal([]byte(s[:i+1]), &text)
			return text, s[i+1:], err == nil

		case c == '\\':
			plain = false
			i++ // whatever it is, it does not end the string

		case c < ' ':
			return "", s, false

		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return "", s, false
}

// gunzip reads a gzip stream, with errors that tell a cut or damaged stream from the JSON in it being so.
type gunzip struct{ z *gzip.Reader }

func (g gunzip) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if err != nil && err != io.EOF {
		err = gzipError(err)
	}
	return n, err
}

func gzipError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case err == io.ErrUnexpectedEOF, err == io.EOF:
		return errors.New("is cut off: its gzip data ends early")
	case err == gzip.ErrHeader, err == gzip.ErrChecksum, errors.As(err, &corrupt):
		return fmt.Errorf("has damaged gzip data: %w", err)
	default:
		return err // of the reader below
	}
}

// Name is what the trace is called in errors.
func (t *TraceReader) Name() string { return t.name }
