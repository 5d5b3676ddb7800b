//go:build ignore

package os

import (
	"os"

	"dsd"
)

// file returns a file or an error.
func file() (*os.File, error) {
	f, err := dsd.Any[*os.File](), dsd.Any[error]()
	dsd.Assume((f == nil) == (err != nil))
	return f, err
}
func Open(name string) (*os.File, error)                                 { return file() }
func Create(name string) (*os.File, error)                               { return file() }
func OpenFile(name string, flag int, perm os.FileMode) (*os.File, error) { return file() }
func Stat(name string) (os.FileInfo, error) {
	f, err := dsd.Any[os.FileInfo](), dsd.Any[error]()
	dsd.Assume((f == nil) == (err != nil))
	return f, err
}
func Lstat(name string) (os.FileInfo, error) { return Stat(name) }
func File_Close(f *os.File) error            { return dsd.Any[error]() }

// count returns the results of reading into p or writing p. A nil file has an error.
func count(f *os.File, p []byte) (int, error) {
	n, err := dsd.Any[int](), dsd.Any[error]()
	dsd.Assume(0 <= n && n <= len(p) && (f != nil || n == 0 && err != nil))
	return n, err
}
func File_Read(f *os.File, p []byte) (int, error) {
	n, err := count(f, p)
	from := dsd.Any[[]byte]()
	dsd.Assume(len(from) == n)
	copy(p, from)
	return n, err
}
func File_Write(f *os.File, p []byte) (int, error) { return count(f, p) }
func ReadFile(name string) ([]byte, error)         { return dsd.Any[[]byte](), dsd.Any[error]() }
