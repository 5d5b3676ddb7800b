package blame

import (
	"fmt"
	"regexp"
	"strings"

	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Signs of who may call the function, and of what the documentation, conventions and generators say.

// convened: a method of an interface of the standard library is called as its documentation rules
// out.
func convened(e *evidence) string {
	if e.called == nil {
		return ""
	}
	c := broken(e.called.Obj, e.crash.Kind, isNilReceiver(e))
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s is called with %s", c.method, c.iface, c.text)
}

// announced: the documentation announces the panic. What it announces of a function that panics with
// an error is no panic in another one that returns errors.
func announced(e *evidence) string {
	s := sentence(e.called, announces)
	if s == "" || denies.MatchString(s) || aboutErrors.MatchString(s) && brokenInside(e) != nil {
		return ""
	}
	return "documented: " + s
}

// aboutErrors matches the documentation of a function that turns an error into a panic.
var aboutErrors = regexp.MustCompile(`(?i)\berrors?\b|\bfails?\b`)

// ruledOut: the documentation says which inputs it wants.
func ruledOut(e *evidence) string {
	if s := sentence(e.called, forbids); s != "" && announced(e) == "" {
		return "documented: " + s
	}
	return ""
}

// generatedCode: a generator wrote the function.
func generatedCode(e *evidence) string {
	if e.at != nil && e.code.generated(e.at) {
		return symbol.Short(e.at.Name) + " is generated"
	}
	return ""
}

// deprecated: the documentation advises against the function.
func deprecated(e *evidence) string {
	if e.called != nil && e.called.Decl.Doc != nil &&
		strings.Contains(e.called.Decl.Doc.Text(), "Deprecated:") {
		return symbol.Short(e.called.Name) + " is deprecated"
	}
	return ""
}

// must: a function whose name begins with Must panics where its sibling returns an error.
func must(e *evidence) string {
	if e.called != nil && strings.HasPrefix(e.called.Obj.Name(), "Must") &&
		e.crash.Kind == schemas.ExplicitPanic && libraryPanics(e) == "" {
		return e.called.Obj.Name() + " panics by its name"
	}
	return ""
}

// callsMust: the function has no error to return, and calls one that panics by its name, such as
// regexp.MustCompile.
func callsMust(e *evidence) string {
	if name := mustCalled(e); name != "" && must(e) == "" {
		return "the line calls " + name + ", which panics by its name, and no error could be returned"
	}
	return ""
}

// mustCalled returns the function that panics by its name and that the line calls, of a function that has no error to
// return; "" if there is none.
func mustCalled(e *evidence) string {
	if e.crash.Kind != schemas.ExplicitPanic || returnsError(e.called) || brokenInside(e) != nil {
		return ""
	}
	line, _ := e.code.line(e.line)
	if m := mustCall.FindStringSubmatch(funcName.ReplaceAllString(line, "")); m != nil {
		return m[1]
	}
	return ""
}

var (
	// mustCall matches a call of a function that panics by its name.
	mustCall = regexp.MustCompile(`\b((?:\w+\.)?Must(?:[A-Z]\w*)?)\(`)
	// funcName is the name in a declaration, which is no call.
	funcName = regexp.MustCompile(`^\s*func (?:\([^)]*\) )?\w+`)
)

// helperCode: only tests, examples or tools call the function.
func helperCode(e *evidence) string {
	f := e.called
	if f == nil {
		f = e.at
	}
	if f == nil {
		return ""
	}
	return helper(e.code.prog, f)
}

// noPublicWay: only code inside the package can write the inputs.
func noPublicWay(e *evidence) string {
	switch {
	case unexported(e) != "":
	case e.crash.UnexportedCalls || e.called != nil && !e.called.Obj.Exported():
		return "the test calls unexported functions, and no public way was found"
	case e.crash.BuiltBy == schemas.ByLiteral:
		return "the test sets unexported fields or variables, and no public way was found"
	}
	return ""
}

// unexported: no public way was found, but exported functions lead to the called one, and all it gets
// are texts.
func unexported(e *evidence) string {
	if e.called == nil || e.called.Obj.Exported() || e.crash.BuiltBy == schemas.ByLiteral ||
		e.inputs == nil || !e.inputs.data() || e.inputs.texts == 0 || len(e.inputs.calls) > 1 ||
		!e.code.public(e.called.Obj) {
		return ""
	}
	return symbol.Short(e.called.Name) + " is not exported, and no public way was found"
}

// failedResult: the test ignores an error that a call returned, and uses another result.
func failedResult(e *evidence) string {
	if e.inputs == nil || !e.inputs.ignored || e.observed == nil {
		return ""
	}
	if fn := e.observed.failed(e.callsBefore()); fn != "" {
		return symbol.Short(fn) + " returned an error, and the test uses its other result"
	}
	return ""
}

// callsBefore returns the names of the functions that the test calls before the one that crashes.
func (e *evidence) callsBefore() map[string]bool {
	called := map[string]bool{}
	for _, fn := range e.inputs.calls {
		if name := source.FuncName(fn); name != e.crash.Func {
			called[name] = true
		}
	}
	return called
}

// internalPackage: only the module itself may import the package.
func internalPackage(e *evidence) string {
	if e.called != nil && isInternal(e.called.Pkg.Path) {
		return "only the module itself may import " + e.called.Pkg.Path
	}
	return ""
}
