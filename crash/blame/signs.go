package blame

import (
	"fmt"
	"regexp"
	"strings"

	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/internal/text"
	"dsd/schemas"
)

// sign is an observation that speaks for or against a bug.
type sign struct {
	name string
	// weight is positive if the sign speaks for a bug.
	weight int
	// decides is the rank of a crash with this sign whatever else is seen; "" for none.
	decides schemas.Rank
	// seen returns the line for the reader, "" if the crash does not have the sign.
	seen func(*evidence) string
}

// signs is the table of all signs, in the order in which readers see them. Of several signs that
// decide the rank, the first does.
var signs = []sign{
	{"convention", -9, schemas.Contract, convened},
	{"documented", -7, schemas.Contract, announced},
	{"ruled-out", -1, "", ruledOut},
	{"must", -7, schemas.Contract, must},
	{"helper", -9, schemas.Unreachable, helperCode},
	{"no-public-way", -5, schemas.Unreachable, noPublicWay},
	{"unexported", -5, "", unexported},
	{"failed-result", -6, "", failedResult},
	{"internal", -1, "", internalPackage},
	{"generated", -6, "", generatedCode},
	{"deprecated", -1, "", deprecated},

	{"returns-error", 3, "", promisesError},
	{"text-inputs", 2, "", textInputs},
	{"text-index", 3, "", textIndex},
	{"nil-from-package", 3, "", innerNil},
	{"state-inputs", 3, "", stateInputs},
	{"plain-inputs", 2, "", plainInputs},
	{"tests-write", 1, "", testsWrite},
	{"zero-allowed", 5, "", zeroAllowed},
	{"below-call", 2, "", deep},
	{"returned-value", 2, "", ownValue},
	{"nil-without-error", 6, "", nilWithoutError},
	{"checked-elsewhere", 1, "", checkedElsewhere},
	{"siblings-check", 3, "", siblingsCheck},
	{"passed-on", 1, "", passedOn},
	{"satisfies-invariants", 1, "", satisfies},
	{"documented-safe", 5, "", promisesNone},
	{"bug-message", 3, "", bugMessage},
	{"library-panics", 3, "", libraryPanics},
	{"unintended-kind", 1, "", memoryKind},

	{"nil-receiver", -4, "", nilReceiver},
	{"nil-argument", -4, "", nilArgument},
	{"nil-by-hand", -3, "", nilByHand},
	{"nil-as-any", -1, "", nilAny},
	{"object-by-hand", -3, "", objectByHand},
	{"zero-without-constructor", -1, "", zeroObject},
	{"package-made-object", -5, "", innerObject},
	{"field-set", -3, "", fieldSet},
	{"stub", -3, "", stubs},
	{"stub-function", -3, "", answers},
	{"huge-number", -4, "", hugeInput},
	{"cyclic-value", -7, "", cyclicValue},
	{"index-argument", -5, "", indexArgument},
	{"callers-check", -2, "", callersCheck},
	{"explicit", -3, "", explicit},
	{"blames-caller", -2, "", blamesCaller},
	{"violates-nil", -3, "", violatesNil},
	{"violates-argument", -1, "", violatesArgument},
	{"dynamic-type", -3, "", dynamicType},
}

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

// libraryPanics: a library refuses what the package passes to it.
func libraryPanics(e *evidence) string {
	if e.crash.Kind == schemas.ExplicitPanic && (e.site == nil || !e.site.raises) &&
		libraryPrefix.MatchString(e.crash.Message) {
		return "the package passes on what a library refuses"
	}
	return ""
}

var libraryPrefix = regexp.MustCompile(`^(reflect|strings|bytes|regexp|time|sync|bufio|math/\w+|` +
	`encoding/\w+|crypto/\w+|slices|unicode|net/\w+|big)[.:]`)

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

// must: a function whose name begins with Must panics where its sibling returns an error.
func must(e *evidence) string {
	if e.called != nil && strings.HasPrefix(e.called.Obj.Name(), "Must") &&
		e.crash.Kind == schemas.ExplicitPanic && libraryPanics(e) == "" {
		return e.called.Obj.Name() + " panics by its name"
	}
	return ""
}

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
	called := map[string]bool{}
	for _, fn := range e.inputs.calls {
		if name := source.FuncName(fn); name != e.crash.Func {
			called[name] = true
		}
	}
	if fn := e.observed.failed(called); fn != "" {
		return symbol.Short(fn) + " returned an error, and the test uses its other result"
	}
	return ""
}

// internalPackage: only the module itself may import the package.
func internalPackage(e *evidence) string {
	if e.called != nil && isInternal(e.called.Pkg.Path) {
		return "only the module itself may import " + e.called.Pkg.Path
	}
	return ""
}

// promisesError: a function that returns an error promises not to panic on data.
func promisesError(e *evidence) string {
	if e.called == nil || e.inputs == nil || !e.inputs.data() {
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
		if f := findFunc(e.code.funcs, e.crash.Stack[i].Func); f != nil && returnsError(f) {
			return f
		}
	}
	return nil
}

// textInputs: the inputs are texts, which often come from outside of the program.
func textInputs(e *evidence) string {
	if e.inputs != nil && e.inputs.data() && e.inputs.texts > 0 &&
		(e.site == nil || e.site.fromParam == nil) {
		return "strings, bytes or a reader are enough"
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
		e.site.fromParam == nil && !isNilReceiver(e) {
		return "the nil is not among the inputs: the package makes it"
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
		e.site.fromParam == nil && e.crash.Kind != schemas.NilDeref {
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

// testsWrite: the module's tests or examples write values of the same type.
func testsWrite(e *evidence) string {
	if e.inputs != nil && e.inputs.fixture != "" && e.inputs.data() {
		return e.inputs.fixture + ", too"
	}
	return ""
}

// zeroAllowed: the documentation of a type says that its zero value may be used.
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
		failedResult(e) == "" {
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
	if e.inputs != nil && e.inputs.tampered != "" {
		return "the test sets " + e.inputs.tampered + " after the package made the object"
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

// indexArgument: as with slices, callers answer for the indices and sizes that they pass.
func indexArgument(e *evidence) string {
	if e.site == nil || e.site.fromParam == nil || !isNumber(e.site.fromParam.Type()) ||
		promisesNone(e) != "" {
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

// isNilOnTheWay reports whether a violation is of a value that must not be nil. A field counts only if
// a line on the stack mentions it: a panic elsewhere has another cause.
func isNilOnTheWay(e *evidence, v *violation) bool {
	if v.inv.Template != "non-nil" || v.list {
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
