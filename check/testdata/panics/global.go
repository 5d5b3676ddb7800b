package panics

import (
	"errors"
	"io"
	"os"
)

var (
	errGone  = errors.New("gone")
	table    = []int{3, 1, 2}
	names    = map[string]int{"one": 1}
	std      = newLogger(os.Stderr)
	limit    = len(table) + 1
	hook     func() // set by SetHook
	quiet    bool
	unset    *logger
	replaced = newLogger(nil)
)

type logger struct {
	out   io.Writer
	level int
}

func newLogger(w io.Writer) *logger { return &logger{out: w, level: 2} }

func SetHook(f func()) { hook = f }

func Replace(l *logger) { replaced = l }

func GlobalError(e error) string {
	if e == errGone {
		return errGone.Error()
	}
	return ""
}

func GlobalTable(i int) int {
	if i < 0 || i >= 3 {
		return 0
	}
	return table[i] / (limit - 3) // the limit is 4
}

func GlobalTableEnd() int { return table[limit-1] } // want index

func GlobalMap() { names["two"] = 2 }

func GlobalStd(p []byte) { std.out.Write(p) }

func GlobalLevel() int { return 1 / (std.level - 2) } // want div-zero

func GlobalUnset() int { return unset.level } // want nil-deref

func GlobalReplaced() int { return replaced.level } // want nil-deref

func GlobalHook() {
	hook() // want nil-deref
}

func GlobalQuiet(a []int) int {
	if quiet {
		return a[0]
	}
	return 0
}

func Stdlib(r io.Reader) error {
	_, err := r.Read(nil)
	if err == io.EOF {
		return errors.New(io.EOF.Error())
	}
	return err
}
