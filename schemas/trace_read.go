package schemas

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A TraceReader reads a trace: first the header, then line by line with Next, or in blocks of lines
// with Block and Parse.
type TraceReader struct {
	// Header is the first line.
	Header TraceHeader

	name   string
	in     *bufio.Reader
	line   int     // number of the last line read, from 1
	header int     // number of the header's line
	long   []byte  // buffer for lines longer than in's buffer
	rest   []byte  // beginning of the line after the last block
	parsed Line    // the line that Next parsed
	schema *schema // of a line, for parseAny
}

// NewTraceReader reads and checks the header. The trace may be gzipped, whatever its name is.
// Errors call the input name.
func NewTraceReader(r io.Reader, name string) (*TraceReader, error) {
	t := &TraceReader{name: name}
	if err := t.readHeader(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t.schema = schemaOf(TraceName).Defs["sample"] // parsed already, for the header
	return t, nil
}

// Reopen returns a reader of the same trace, which r yields from its beginning, gzipped or not. It
// skips the header instead of parsing it again, since the header of a large module takes as long as
// the samples. It returns the errors of r, and an error if the header is missing.
func (t *TraceReader) Reopen(r io.Reader) (*TraceReader, error) {
	again := &TraceReader{Header: t.Header, name: t.name, header: t.header, schema: t.schema}
	err := again.unpack(r)
	for begun := false; err == nil && again.line < again.header; {
		var part []byte
		part, err = again.in.ReadSlice('\n')
		switch begun = begun || len(part) > 0; {
		case err == bufio.ErrBufferFull: // the line goes on
			err = nil
		case err == nil, err == io.EOF && begun:
			again.line, begun, err = again.line+1, false, nil
		}
	}
	if err == io.EOF {
		err = errors.New("has changed since it was read: its header is missing")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.name, err)
	}
	return again, nil
}

// unpack sets t.in to a reader of the lines of r, which may be gzipped.
func (t *TraceReader) unpack(r io.Reader) error {
	t.in = bufio.NewReaderSize(r, 1<<16)
	magic, err := t.in.Peek(2)
	if err != nil && err != io.EOF {
		return err
	}
	if string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(t.in)
		if err != nil {
			return gzipError(err)
		}
		t.in = bufio.NewReaderSize(gunzip{z}, 1<<16)
	}
	return nil
}

func (t *TraceReader) readHeader(r io.Reader) error {
	if err := t.unpack(r); err != nil {
		return err
	}
	var line []byte
	var err error
	for err == nil && len(bytes.TrimSpace(line)) == 0 {
		line, err = t.readLine()
	}
	if err != nil && err != io.EOF {
		return err
	}
	if err := unmarshal(line, TraceName, &t.Header); err != errNotJSON {
		t.long, t.header = nil, t.line
		return err
	}
	// Find the problem. If it is another document, indented over many lines, the error must say
	// so.
	text, _, err := decode(io.MultiReader(bytes.NewReader(line), t.in), TraceName, &t.Header)
	if err != nil {
		return err
	}
	if bytes.Contains(bytes.TrimSpace(text), []byte("\n")) {
		return errors.New("has a header of more than one line")
	}
	return errors.New("has more on the line of the header")
}

// Next returns the next sample. The caller may keep its Values. At the end of the trace the error
// is io.EOF. After any other error the reader must not be used.
func (t *TraceReader) Next() (Sample, error) {
	line, err := t.readLine()
	if err == io.EOF {
		t.line--
		return Sample{}, t.end()
	}
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w", t.name, err)
	}
	if err := t.Parse(line, t.line, &t.parsed); err != nil {
		return Sample{}, err
	}
	return t.parsed.sample(), nil
}

// Block reads at least blockSize bytes and returns the complete lines among them, at least one, and
// the number of the first line. It uses the memory of buf if the lines fit. The lines are for
// Parse, which also detects that the last line of a trace is cut off. At the end of the trace the
// error is io.EOF. Next and Block consume the same lines.
func (t *TraceReader) Block(buf []byte) (lines []byte, first int, err error) {
	first = t.line + 1
	lines = append(buf[:0], t.rest...)
	if cap(lines) < blockSize {
		lines = append(make([]byte, 0, 2*blockSize), lines...)
	}
	for from := 0; ; {
		if len(lines) == cap(lines) {
			lines = slices.Grow(lines, cap(lines))
		}
		n, err := t.in.Read(lines[len(lines):cap(lines)])
		lines = lines[:len(lines)+n]
		if err != nil && err != io.EOF {
			return nil, 0, fmt.Errorf("%s: %w", t.name, err)
		}
		end := len(lines)
		if err == nil {
			if len(lines) < blockSize {
				continue
			}
			if end = from + bytes.LastIndexByte(lines[from:], '\n') + 1; end == from {
				from = len(lines) // no complete line yet
				continue
			}
		}
		t.rest = append(t.rest[:0], lines[end:]...)
		if lines = lines[:end]; len(lines) == 0 {
			return nil, 0, t.end()
		}
		t.line += bytes.Count(lines, []byte("\n"))
		return lines, first, nil
	}
}

// end returns io.EOF, or ErrTruncated if the header counts more samples than there were.
func (t *TraceReader) end() error {
	if n := int64(t.line - t.header); n < t.Header.Samples {
		return fmt.Errorf("%s: %w: it has %d of the %d samples that its header counts", t.name,
			ErrTruncated, n, t.Header.Samples)
	}
	return io.EOF
}

// blockSize is the number of bytes that Block reads at least. A test varies it.
var blockSize = 1 << 17

// readLine returns the next line, which is valid until the next call, or io.EOF if there is none.
// The last line may lack its newline; if it was cut off, parsing it will fail.
func (t *TraceReader) readLine() ([]byte, error) {
	line, err := t.in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		t.long = t.long[:0]
		for err == bufio.ErrBufferFull {
			if len(t.long)+len(line) > cap(t.long) { // append alone would grow by a quarter
				t.long = slices.Grow(t.long, cap(t.long)+len(line))
			}
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

// gunzip reads a gzip stream. Its errors distinguish a damaged or truncated stream from damaged or
// truncated JSON inside it.
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
		return err // of the underlying reader
	}
}

// Name returns the name of the trace in errors.
func (t *TraceReader) Name() string { return t.name }
