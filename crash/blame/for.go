package blame

import (
	"fmt"
	"regexp"

	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/internal/text"
	"dsd/schemas"
)

// Signs that speak for a bug.

// promisesError: a function that returns an error promises not to panic on data. One that only its package calls may rely
// on what its callers have checked.
func promisesError(e *evidence) string {
	if e.called == nil || e.inputs == nil || !e.inputs.data() || unexported(e) != "" {
		return ""
	}
	if returnsError(e.called) {
		return symbol.Short(e.called.Name) + " returns an error, but panics"
	}
	if f := brokenInside(e); f != nil && f.Obj.Exported() && must(e) == "" {
		return symbol.Short(f.Name) + ", which it calls, returns an error, but panics"
	}
	return ""
}

// brokenInside returns the outermost function that the called one calls on the way to the panic and
// that returns an error; nil if there is none.
func brokenInside(e *evidence) *source.Func {
	for i := len(e.crash.Stack) - 2; i >= 0; i-- {
		if f := verify.Func(e.code.funcs, e.crash.Stack[i].Func); f != nil && returnsError(f) {
			return f
		}
	}
	return nil
}

// textInputs: the inputs are texts, which often come from outside of the program.
func textInputs(e *evidence) string {
	if e.inputs != nil && e.inputs.data() && e.inputs.texts > 0 &&
		(e.site == nil || e.site.fromParam == nil) && overwritten(e) == "" {
		return "strings, bytes, a reader or a request are enough"
	}
	return ""
}

// textIndex: an index, a size or a divisor that the package computes from texts is out of range.
func textIndex(e *evidence) string {
	if textInputs(e) == "" {
		return ""
	}
	switch e.crash.Kind {
	case schemas.Index, schemas.SliceBounds:
		return "the package computes the index from them"
	case schemas.DivZero, schemas.MakeSlice, schemas.Shift:
		return "the package computes the number from them"
	}
	return ""
}

// innerNil: the package makes the nil that it follows.
func innerNil(e *evidence) string {
	if e.crash.Kind == schemas.NilDeref && e.inputs != nil && e.inputs.data() &&
		(e.inputs.texts > 0 || e.inputs.anyNil) && e.site != nil && e.site.subject != nil &&
		e.site.fromParam == nil && !isNilReceiver(e) && nilResult(e) == "" && overwritten(e) == "" {
		return "the nil is not among the inputs: the package makes it"
	}
	return ""
}

// promisesNone: the documentation rules a panic out.
func promisesNone(e *evidence) string {
	if s := sentence(e.called, denies); s != "" {
		return "documented: " + s
	}
	return ""
}

// stateInputs: the package's own calls make a state that crashes one of them.
func stateInputs(e *evidence) string {
	if e.inputs != nil && e.inputs.data() && e.inputs.texts == 0 && e.inputs.own &&
		len(e.inputs.calls) > 2 && e.site != nil && e.site.subject != nil &&
		e.site.fromParam == nil && e.crash.Kind != schemas.NilDeref && overwritten(e) == "" {
		return "the package's own calls make a state that crashes"
	}
	return ""
}

// plainInputs: numbers and records are enough.
func plainInputs(e *evidence) string {
	in := e.inputs
	if in != nil && in.data() && in.texts == 0 && !in.own && in.numbers+in.records > 0 &&
		e.site != nil && e.site.subject != nil && e.site.fromParam == nil {
		return "numbers and records without a constructor are enough"
	}
	return ""
}

// zeroArgument: a function that does more than divide is given the divisor 0, as ordinary a number as any.
func zeroArgument(e *evidence) string {
	if e.crash.Kind == schemas.DivZero && e.inputs != nil && e.inputs.data() && e.site != nil && e.site.fromParam != nil &&
		indexArgument(e) == "" {
		return "0 is an ordinary " + e.site.fromParam.Name()
	}
	return ""
}

// testsWrite: the module's tests or examples write values of the same type.
func testsWrite(e *evidence) string {
	if e.inputs != nil && e.inputs.fixture != "" && e.inputs.data() {
		return e.inputs.fixture + ", too"
	}
	return ""
}

// zeroAllowed: a type is documented to be usable as its zero value.
func zeroAllowed(e *evidence) string {
	if e.inputs != nil && len(e.inputs.zeros) > 0 && e.inputs.data() &&
		e.crash.Kind != schemas.ExplicitPanic {
		return "the documentation allows the zero value of " + e.inputs.zeros[0]
	}
	return ""
}

// deep: the panic is below the called function, which had the chance to check.
func deep(e *evidence) string {
	if n := len(e.crash.Stack); n > 1 && e.crash.Kind != schemas.ExplicitPanic {
		return fmt.Sprintf("the panic is %s below the call", text.Count(n-1, "call"))
	}
	return ""
}

// ownValue: the value that crashes the call was just returned by this API.
func ownValue(e *evidence) string {
	if e.inputs != nil && e.inputs.own && e.inputs.data() && !isNilReceiver(e) &&
		failedResult(e) == "" && overwritten(e) == "" {
		return "the call uses what the package's own functions returned"
	}
	return ""
}

// nilWithoutError: a call returned nil and no error, and a method of the nil crashes.
func nilWithoutError(e *evidence) string {
	if e.inputs != nil && e.inputs.own && e.inputs.ignored && e.observed != nil && isNilReceiver(e) &&
		failedResult(e) == "" {
		return "the nil receiver was returned without an error"
	}
	return ""
}

// checkedElsewhere: the function makes the missing check at another place.
func checkedElsewhere(e *evidence) string {
	if g := guardElsewhere(e.site); g != "" {
		return fmt.Sprintf("%s checks %s elsewhere", symbol.Short(e.at.Name), g)
	}
	return ""
}

// siblingsCheck: similar functions check what this one does not.
func siblingsCheck(e *evidence) string {
	if e.crash.Kind != schemas.NilDeref {
		return ""
	}
	return e.code.deviant(e)
}

// satisfies: the inputs satisfy all that the tests show about inputs.
func satisfies(e *evidence) string {
	if e.crash.SatisfiesInvariants && e.observed != nil {
		return fmt.Sprintf("the inputs satisfy the inferred preconditions (%d)", e.observed.known)
	}
	return ""
}

var (
	aboutBug = regexp.MustCompile(
		`(?i)unreachable|internal error|\bbug\b|impossible|(should|must) (never|not) (happen|be reached)|` +
			`not reached|assertion|inconsistent|corrupt`)
	aboutCaller = regexp.MustCompile(
		`(?i)invalid|must|\bnil\b|negative|out of (range|bounds)|illegal|cannot|can't|not allowed|` +
			`unsupported|require|expect|unknown|mismatch|already|\bbad\b|wrong|too (large|small|many|few|` +
			`long|short)|empty|undefined|not (found|implemented|set)|overflow|missing|length`)
)

// bugMessage: the message calls the panic a fault of the package.
func bugMessage(e *evidence) string {
	if e.crash.Kind == schemas.ExplicitPanic && aboutBug.MatchString(e.crash.Message) {
		return "the message calls it a fault of the package"
	}
	return ""
}

// memoryKind: an index, a slice bound or a recursion is out of hand, which hardly any function does
// on purpose.
func memoryKind(e *evidence) string {
	switch e.crash.Kind {
	case schemas.Index, schemas.SliceBounds, schemas.StackOverflow, schemas.DivZero, schemas.NilMap,
		schemas.Conversion, schemas.Shift:
		return "hardly any function panics so on purpose"
	}
	return ""
}

// libraryPanics: a library refuses what the package passes to it.
func libraryPanics(e *evidence) string {
	if e.crash.Kind == schemas.ExplicitPanic && (e.site == nil || !e.site.raises) && mustCalled(e) == "" &&
		libraryPrefix.MatchString(e.crash.Message) {
		return "the package passes on what a library refuses"
	}
	return ""
}

var libraryPrefix = regexp.MustCompile(`^(reflect|strings|bytes|regexp|time|sync|bufio|math/\w+|` +
	`encoding/\w+|crypto/\w+|slices|unicode|net/\w+|big)[.:]`)
