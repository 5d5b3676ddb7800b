package schemas

import "strings"

// This file names the values of the documents' enumerations. The JSON Schemas list the same values,
// and a test compares the two.

// Kind is a kind of panic, in documents and flags.
type Kind string

const (
	NilDeref      Kind = "nil-deref"      // use of a nil pointer or a nil function
	Index         Kind = "index"          // index out of range
	SliceBounds   Kind = "slice-bounds"   // bounds of a slice expression out of range
	DivZero       Kind = "div-zero"       // integer division by zero
	TypeAssert    Kind = "type-assert"    // a type assertion that fails
	MakeSlice     Kind = "makeslice"      // size of a slice or channel out of range
	NilMap        Kind = "nil-map"        // assignment to an entry of a nil map
	Conversion    Kind = "conversion"     // of a slice to a longer array
	Shift         Kind = "shift"          // negative shift count
	Chan          Kind = "chan"           // send on a closed channel, close of a nil or closed one
	Uncomparable  Kind = "uncomparable"   // comparison or hashing of uncomparable values
	ExplicitPanic Kind = "explicit-panic" // a call of panic
	StackOverflow Kind = "stack-overflow" // recursion that does not end
)

// Kinds lists all kinds of panics.
var Kinds = []Kind{
	NilDeref, Index, SliceBounds, DivZero, TypeAssert, MakeSlice, NilMap, Conversion,
	Shift, Chan, Uncomparable, ExplicitPanic, StackOverflow,
}

// Rank estimates whether a crash is a bug.
type Rank string

const (
	// LikelyBug is a crash for which more speaks that it is a bug than against it.
	LikelyBug Rank = "likely-bug"
	// Look is any other crash: a person has to decide.
	Look Rank = "look"
	// Contract is a crash by which a function refuses inputs: its documentation, a convention of
	// Go, or a check of its own rules them out.
	Contract Rank = "contract"
	// Unreachable is a crash whose inputs only code inside the package, its tests or its tools
	// can make, as far as was found.
	Unreachable Rank = "unreachable"
)

// Ranks lists all ranks, the most likely bugs first.
var Ranks = []Rank{LikelyBug, Look, Contract, Unreachable}

// Outcome is what became of a warning that is no reported crash.
type Outcome string

const (
	// Refuted is a warning whose inputs a real run contradicts.
	Refuted Outcome = "refuted"
	// NoWay is a warning whose inputs code of the function's package cannot write, and for which
	// no calls were found that make them.
	NoWay Outcome = "no-public-way"
	// Open is a warning that was not settled in the budget.
	Open Outcome = "open"
	// HeldBack is a warning that crashed, and whose crash the policy does not report.
	HeldBack Outcome = "policy"
	// Ignored is a warning that a comment in the source says to ignore.
	Ignored Outcome = "ignored"
)

// Outcomes lists all outcomes.
var Outcomes = []Outcome{Refuted, NoWay, Open, HeldBack, Ignored}

// At is what a program point observes. Documents made from Daikon's traces also hold "exit7" and
// the like, for one of several returns.
type At string

const (
	AtEntry At = "entry" // the arguments
	AtExit  At = "exit"  // the results, and the arguments before and after
	AtPanic At = "panic" // the arguments of calls that panicked
	AtType  At = "type"  // a receiver, at the entry and exit of all exported methods of its type
)

// Status is what the solver found out about a warning.
type Status string

const (
	// Sat means that a counterexample exists, and that an execution of the function with its inputs,
	// calls followed deeper than in the formula, comes to the panic.
	Sat Status = "sat"
	// Free is like Sat, but the counterexample also chooses what no caller can write: what calls
	// return or write that check does not follow, or the unexported fields of objects of another
	// package, which are what calls of that package made. Whether they ever do, only a run can
	// show.
	Free Status = "free"
	// Unknown means that the solver gave up, or that its model does not satisfy the formula.
	Unknown Status = "unknown"
)

// BuiltBy is how a test builds its inputs.
type BuiltBy string

const (
	// BySequence means that the test calls exported functions, as a user of the package could.
	BySequence BuiltBy = "sequence"
	// ByLiteral means that the test sets or calls what is not exported.
	ByLiteral BuiltBy = "literal"
)

// Strategy is what found a crash.
type Strategy string

const (
	StrategyTests     Strategy = "tests"     // calls that the package's tests make
	StrategyValues    Strategy = "values"    // small values, and values from the stack trace
	StrategySearch    Strategy = "search"    // guided search
	StrategySolve     Strategy = "solve"     // the solver alone
	StrategyPath      Strategy = "path"      // the solver, starting from a candidate of the search
	StrategyRecording Strategy = "recording" // recorded values
)

// Rep is how the values of a variable are written in a trace.
type Rep string

const (
	RepInt    Rep = "int"
	RepUint   Rep = "uint"
	RepFloat  Rep = "float"
	RepBool   Rep = "bool"
	RepString Rep = "string"
	// RepRef is "nil", or a number that is equal for equal pointers within one sample.
	RepRef Rep = "ref"
	// RepType is the name of a dynamic type, or "nil".
	RepType Rep = "type"
	// The rest are sequences of such values.
	RepInts    Rep = "ints"
	RepUints   Rep = "uints"
	RepFloats  Rep = "floats"
	RepStrings Rep = "strings"
	RepRefs    Rep = "refs"
	RepBools   Rep = "bools" // only in Daikon's traces, never in ours
)

// ChangeKind is how an invariant differs between two documents.
type ChangeKind string

const (
	Appeared     ChangeKind = "appeared"
	Vanished     ChangeKind = "vanished"
	Weakened     ChangeKind = "weakened"
	Strengthened ChangeKind = "strengthened"
)

// Join is strings.Join for the values of an enumeration.
func Join[E ~string](values []E, sep string) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, string(v))
	}
	return strings.Join(texts, sep)
}
