package stack

import (
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// A Place returns the name of a source file as documents write it, "" if the file is in no module of
// the build, and reports whether it belongs to the testee; see source.Program.Place.
type Place func(file string) (name string, own bool)

// Within returns the frames of the panic that lie in the testee, crash first, as documents write them,
// and above them those of other modules of the build in which it was raised: none if the testee, or
// the standard library that it called, raised it. Both stop at the first frame in a file for which stop
// returns true: the test, or the generated code that called the testee.
func (p *Panic) Within(place Place, stop func(file string) bool) (above, own []schemas.Frame) {
	for _, f := range p.Frames {
		if stop(f.File) {
			break
		}
		name, isOwn := place(f.File)
		if name == "" {
			continue
		}
		pos := symbol.Pos{File: name, Line: f.Line}
		frame := schemas.Frame{Func: f.Func, Pos: pos.String()}
		switch {
		case isOwn:
			own = append(own, frame)
		case len(own) == 0:
			above = append(above, frame)
		}
	}
	return above, own
}

// RaisedOutside reports whether code outside the testee called panic: a library that it calls.
func (p *Panic) RaisedOutside(place Place) bool {
	for _, f := range p.Frames {
		if f.Func != "panic" && !strings.HasPrefix(f.Func, "runtime.") {
			_, own := place(f.File)
			return !own
		}
	}
	return false
}
