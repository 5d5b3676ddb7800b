package blame

import (
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// Signs that speak against a bug.

// isNilReceiver reports whether the receiver of the called function is nil, as the source or the run
// shows.
func isNilReceiver(e *evidence) bool {
	if e.crash.Kind != schemas.NilDeref || e.called == nil || e.called.Obj.Signature().Recv() == nil {
		return false
	}
	return e.site != nil && isReceiver(e) || e.observed != nil &&
		e.observed.nilInput(e.called, e.called.Obj.Signature().Recv())
}

// nilReceiver: methods of a nil pointer may crash, unless the type says otherwise.
func nilReceiver(e *evidence) string {
	if isNilReceiver(e) {
		return "the receiver is nil"
	}
	return ""
}

// nilArgument: the nil that crashes is an argument of the call.
func nilArgument(e *evidence) string {
	if e.crash.Kind == schemas.NilDeref && e.site != nil && e.site.fromParam != nil &&
		!isNilReceiver(e) {
		return fmt.Sprintf("the argument %s is nil", e.site.fromParam.Name())
	}
	return ""
}

// isReceiver reports whether the subject of the panic is the receiver of the called function.
func isReceiver(e *evidence) bool {
	return e.called != nil && e.site.fromParam == e.called.Obj.Signature().Recv()
}

// nilResult: the test passes on a nil that a call returned.
func nilResult(e *evidence) string {
	if e.crash.Kind != schemas.NilDeref || e.observed == nil || e.inputs == nil || isNilReceiver(e) {
		return ""
	}
	if fn := e.observed.returnedNil(e.callsBefore()); fn != "" {
		return symbol.Short(fn) + " returned nil, which the test passes on"
	}
	return ""
}

// contextValue: the function takes a value from a context. Servers put it there before they call it, tests seldom do.
func contextValue(e *evidence) string {
	switch e.crash.Kind {
	case schemas.NilDeref, schemas.TypeAssert, schemas.ExplicitPanic:
	default:
		return ""
	}
	if e.at == nil || e.at.Decl == nil || e.inputs == nil {
		return ""
	}
	found := false
	ast.Inspect(e.at.Decl, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok && x.Sel.Name == "Value" {
			t := e.at.Pkg.Info.TypeOf(x.X)
			found = found || t != nil && t.String() == "context.Context"
		}
		return !found
	})
	if !found {
		return ""
	}
	return symbol.Short(e.at.Name) + " wants a value of the context, which its server sets"
}

// nilByHand: the test writes a nil that no argument of the call is.
func nilByHand(e *evidence) string {
	if e.inputs != nil && len(e.inputs.nils) > 0 && nilArgument(e) == "" && !isNilReceiver(e) {
		return "the test writes a nil " + e.inputs.nils[0]
	}
	return ""
}

// objectByHand: the test writes the fields of a type that has a constructor.
func objectByHand(e *evidence) string {
	if e.inputs != nil && len(e.inputs.made) > 0 {
		return "the test does not use a constructor of " + e.inputs.made[0]
	}
	return ""
}

// zeroObject: the test writes an object of a type without a constructor.
func zeroObject(e *evidence) string {
	if e.inputs != nil && len(e.inputs.objects) > 0 && len(e.inputs.made) == 0 &&
		len(e.inputs.inner) == 0 {
		return "the test writes the fields of " + e.inputs.objects[0]
	}
	return ""
}

// innerObject: the test writes what the package makes itself, such as the tree of a parser.
func innerObject(e *evidence) string {
	if e.inputs != nil && len(e.inputs.inner) > 0 {
		return "the test writes a value of " + e.inputs.inner[0] + ", which the package makes itself"
	}
	return ""
}

// fieldSet: the test changes an object that the package made.
func fieldSet(e *evidence) string {
	field := overwritten(e)
	if field == "" && e.inputs != nil {
		field = e.inputs.tampered
	}
	if field != "" {
		return "the test sets " + field + " after the package made the object"
	}
	return ""
}

// overwritten returns a field of an object that the package made, which the test sets and the panicking
// line uses; "" if there is none.
func overwritten(e *evidence) string {
	if e.inputs == nil || len(e.inputs.overwritten) == 0 {
		return ""
	}
	line, _ := e.code.line(e.line)
	for _, name := range slices.Sorted(maps.Keys(e.inputs.overwritten)) {
		if regexp.MustCompile(`\.` + regexp.QuoteMeta(name) + `\b`).MatchString(line) {
			return e.inputs.overwritten[name]
		}
	}
	return ""
}

// nilAny: a nil is passed where any value is accepted.
func nilAny(e *evidence) string {
	if e.inputs != nil && e.inputs.anyNil {
		return "a nil is passed where any value is accepted"
	}
	return ""
}

// answers: the package calls a function of the test, which returns zero values.
func answers(e *evidence) string {
	if e.inputs != nil && e.inputs.answers > 0 {
		return "a function of the test returns zero values"
	}
	return ""
}

// stubs: the test declares a type that does little, for an interface that the module has types for.
func stubs(e *evidence) string {
	if e.inputs != nil && len(e.inputs.stubs) > 0 {
		return "the test declares a type that returns zero values"
	}
	return ""
}

// hugeInput: a number is implausibly large.
func hugeInput(e *evidence) string {
	if e.inputs != nil && e.inputs.huge != "" {
		return "the test uses the number " + e.inputs.huge
	}
	return ""
}

// cyclicValue: the test puts a value into a part of itself, or values into others, which makes a
// recursion endless.
func cyclicValue(e *evidence) string {
	if e.inputs != nil && e.inputs.cycle {
		return "the test puts a value into a part of itself"
	}
	if e.inputs != nil && e.inputs.links > 0 && e.crash.Kind == schemas.StackOverflow {
		return "the test puts values into others, perhaps a value into itself"
	}
	return ""
}

// noConstant: a value of a type with named constants is none of them.
func noConstant(e *evidence) string {
	if e.inputs != nil && e.inputs.noConstant != "" {
		return e.inputs.noConstant
	}
	return ""
}

// indexArgument: as with slices, callers answer for the indices and sizes that they pass; for a divisor
// only if dividing is what the function is for: the zero of a width or a count is a usual value.
func indexArgument(e *evidence) string {
	if e.site == nil || e.site.fromParam == nil || !isNumber(e.site.fromParam.Type()) ||
		promisesNone(e) != "" || e.crash.Kind == schemas.DivZero && len(e.at.Decl.Body.List) > 1 {
		return ""
	}
	switch e.crash.Kind {
	case schemas.Index, schemas.SliceBounds, schemas.MakeSlice, schemas.Shift, schemas.DivZero,
		schemas.ExplicitPanic:
		if e.site.raises {
			return ""
		}
		return fmt.Sprintf("the index, size or divisor is the argument %s", e.site.fromParam.Name())
	}
	return ""
}

// reflectArgument: the call describes a value by its reflect.Kind or Type, for which callers answer as
// they do to package reflect.
func reflectArgument(e *evidence) string {
	if e.called == nil {
		return ""
	}
	params := e.called.Obj.Signature().Params()
	for i := range params.Len() {
		t := namedOf(params.At(i).Type())
		if t != nil && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "reflect" &&
			t.Obj().Name() != "Value" {
			return "the argument " + params.At(i).Name() + " is a reflect." + t.Obj().Name() +
				", which has to fit the others"
		}
	}
	return ""
}

// explicit: the package calls panic itself, or what it calls does so for its own reasons.
func explicit(e *evidence) string {
	if e.crash.Kind != schemas.ExplicitPanic || e.site == nil || libraryPanics(e) != "" ||
		promisesError(e) != "" && textInputs(e) != "" {
		return ""
	}
	if e.site.raises {
		return "the package calls panic"
	}
	return "what the package calls panics on purpose"
}

// blamesCaller: the message of an explicit panic blames the caller.
func blamesCaller(e *evidence) string {
	if e.crash.Kind == schemas.ExplicitPanic && bugMessage(e) == "" &&
		libraryPanics(e) == "" && !(promisesError(e) != "" && textInputs(e) != "") && aboutCaller.MatchString(e.crash.Message) {
		return "the message blames the caller"
	}
	return ""
}

// violatesNil: in the tests, the nil was never nil.
func violatesNil(e *evidence) string {
	return violated(e, func(v *violation) bool { return isNilOnTheWay(e, v) })
}

// violatesArgument: the inputs violate other invariants of the functions called.
func violatesArgument(e *evidence) string {
	return violated(e, func(v *violation) bool { return !isNilOnTheWay(e, v) })
}

// isNilOnTheWay reports whether a violation is of a value that must not be nil, and the panic may be due
// to a nil. A field counts only if
// a line on the stack mentions it: a panic elsewhere has another cause.
func isNilOnTheWay(e *evidence, v *violation) bool {
	if v.inv.Template != "non-nil" || v.list {
		return false
	}
	switch e.crash.Kind {
	case schemas.NilDeref, schemas.NilMap, schemas.Chan, schemas.TypeAssert, schemas.ExplicitPanic:
	default:
		return false
	}
	name := strings.TrimSuffix(v.inv.Expr, " != nil")
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 || len(e.crash.Stack) == 0 {
		return true
	}
	field := regexp.MustCompile(`\b` + regexp.QuoteMeta(name[dot+1:]) + `\b`)
	for _, f := range e.crash.Stack {
		if line, ok := e.code.line(f.Pos); !ok || field.MatchString(line) {
			return true
		}
	}
	return false
}

// violated returns a line about the violated invariants that a predicate selects.
func violated(e *evidence, selects func(*violation) bool) string {
	if e.observed == nil {
		return ""
	}
	first, more := "", 0
	for i := range e.observed.violated {
		v := &e.observed.violated[i]
		switch {
		case !selects(v):
		case first == "":
			first = fmt.Sprintf("in the tests, %s holds for %s", v.inv.Expr, symbol.Short(v.fn))
		default:
			more++
		}
	}
	if more > 0 {
		first += fmt.Sprintf(" (and %d more)", more)
	}
	return first
}

// dynamicType: a value of a type that the function does not expect. A nil interface has none.
func dynamicType(e *evidence) string {
	if e.crash.Kind == schemas.TypeAssert && !strings.Contains(e.crash.Message, " is nil, not ") ||
		e.crash.Kind == schemas.Uncomparable {
		return "a value has a type that the function does not expect"
	}
	return ""
}

// refusedCalls: the confinement refused the test something, which may be why it crashes.
func refusedCalls(e *evidence) string {
	if e.observed == nil || len(e.observed.refused) == 0 {
		return ""
	}
	return fmt.Sprintf("the test was refused %s, as it is confined: with --no-sandbox it may end otherwise",
		strings.Join(e.observed.refused, ", "))
}
