package panics

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

func Cut(s string) string {
	if i := strings.IndexByte(s, '='); i >= 0 {
		return s[i+1:]
	}
	return s[:strings.Index(s, "=")] // want slice-bounds
}

func Last(s string) byte {
	parts := strings.Split(s, ",")
	return parts[len(parts)-1][0] // want index
}

func SecondPart(s string) string {
	return strings.SplitN(s, ",", 2)[1] // want index
}

func Trimmed(s string) byte {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0
	}
	return s[0]
}

func Prefix(s string) byte {
	if strings.HasPrefix(s, "ab") {
		return s[1]
	}
	return strings.TrimPrefix(s, "x")[0] // want index
}

func Repeated(n int) string {
	return strings.Repeat("-", n) // want explicit-panic
}

func Decode(s string) string {
	for len(s) > 0 {
		_, n := utf8.DecodeRuneInString(s)
		s = s[n:]
	}
	return s
}

func Parsed(s string, a []int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return a[n] // want index
}

func Wrapped(err error) string {
	if err == nil {
		return ""
	}
	return fmt.Errorf("wrapped: %w", err).Error()
}

func Opened(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	return f.Name()
}

func Reading(r io.Reader, p []byte) []byte {
	if r == nil {
		return nil
	}
	n, _ := r.Read(p)
	return p[:n]
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Pooled(s string) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(s)
	return b.String()
}

func Built(n int) byte {
	var b strings.Builder
	b.WriteString("abc")
	b.WriteByte('d')
	return b.String()[n] // want index
}

func BuiltEnough() byte {
	var b strings.Builder
	b.WriteString("abc")
	b.WriteByte('d')
	return b.String()[3]
}

type counter struct{ n atomic.Int32 }

func Counted() int {
	var c counter
	c.n.Add(2)
	return 1 / int(c.n.Load()-2) // want div-zero
}

func Searched(a []int, x int) int {
	i := sort.SearchInts(a, x)
	if i < len(a) && a[i] == x {
		return i
	}
	return a[i] // want index
}

func Is(err error) bool { return errors.Is(err, io.EOF) }
