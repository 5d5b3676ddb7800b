//go:build ignore

package fmt

import (
	"io"

	"dsd"
)

func Errorf(format string, a ...any) error {
	err := dsd.Any[error]()
	dsd.Assume(err != nil)
	return err
}
func Sprintf(format string, a ...any) string {
	if len(a) == 0 && (len(format) == 0 || len(format) == 1 && format[0] != '%') {
		return format
	}
	return dsd.Any[string]()
}
func Sprint(a ...any) string { return dsd.Any[string]() }
func Sprintln(a ...any) string {
	s := dsd.Any[string]()
	dsd.Assume(len(s) > 0 && s[len(s)-1] == '\n')
	return s
}

// written returns the results of a write: any number of bytes and any error.
func written() (n int, err error) {
	n, err = dsd.Any[int](), dsd.Any[error]()
	dsd.Assume(n >= 0)
	return n, err
}
func Fprintf(w io.Writer, format string, a ...any) (n int, err error) {
	w.Write(nil)
	return written()
}
func Fprint(w io.Writer, a ...any) (n int, err error)   { w.Write(nil); return written() }
func Fprintln(w io.Writer, a ...any) (n int, err error) { w.Write(nil); return written() }
func Printf(format string, a ...any) (n int, err error) { return written() }
func Print(a ...any) (n int, err error)                 { return written() }
func Println(a ...any) (n int, err error)               { return written() }
