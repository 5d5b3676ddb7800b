//go:build ignore

package io

import (
	"io"

	"dsd"
)

// count returns the results of reading into p or writing p: at most len(p) bytes and any error.
func count(p []byte) (n int, err error) {
	n, err = dsd.Any[int](), dsd.Any[error]()
	dsd.Assume(0 <= n && n <= len(p))
	return n, err
}

// read reads any bytes into p.
func read(p []byte) (n int, err error) {
	n, err = count(p)
	from := dsd.Any[[]byte]()
	dsd.Assume(len(from) == n)
	copy(p, from)
	return n, err
}
func Reader_Read(r io.Reader, p []byte) (n int, err error)                  { return read(p) }
func ReaderAt_ReadAt(r io.ReaderAt, p []byte, off int64) (n int, err error) { return read(p) }
func Writer_Write(w io.Writer, p []byte) (n int, err error) {
	n, err = count(p)
	dsd.Assume(n == len(p) || err != nil)
	return n, err
}
func ReadFull(r io.Reader, buf []byte) (n int, err error) {
	n, err = r.Read(buf)
	dsd.Assume((n == len(buf)) == (err == nil))
	return n, err
}
func WriteString(w io.Writer, s string) (n int, err error) {
	n, err = w.Write([]byte(s))
	return n, err
}
func ReadAll(r io.Reader) ([]byte, error) {
	r.Read(make([]byte, 512))
	b := dsd.Any[[]byte]()
	dsd.Assume(b != nil)
	return b, dsd.Any[error]()
}
func Copy(dst io.Writer, src io.Reader) (written int64, err error) {
	src.Read(make([]byte, 512))
	dst.Write(nil)
	written, err = dsd.Any[int64](), dsd.Any[error]()
	dsd.Assume(written >= 0)
	return written, err
}
