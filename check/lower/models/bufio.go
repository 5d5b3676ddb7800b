//go:build ignore

package bufio

import (
	"bufio"
	"io"
)

func NewReader(rd io.Reader) *bufio.Reader            { return new(bufio.Reader) }
func NewReaderSize(rd io.Reader, n int) *bufio.Reader { return new(bufio.Reader) }
func NewWriter(w io.Writer) *bufio.Writer             { return new(bufio.Writer) }
func NewWriterSize(w io.Writer, n int) *bufio.Writer  { return new(bufio.Writer) }
func NewScanner(r io.Reader) *bufio.Scanner           { return new(bufio.Scanner) }
