package schemas

// The names of the documents, without "dsd/" and the version.
const (
	TraceName      = "trace"
	InvariantsName = "invariants"
	WarningsName   = "warnings"
	CrashesName    = "crashes"
)

// Header begins every document.
type Header struct {
	// Schema is "dsd/NAME/vN".
	Schema string `json:"schema"`
	// Module is the testee.
	Module Module `json:"module"`
	// Incomplete is set when the run was interrupted: what is there is true, but more was to come.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Module identifies the testee.
type Module struct {
	Path string `json:"path"`
	// Dir is where the module was, if the writer chose to say it; the tools do not, so that documents can be compared.
	Dir string `json:"dir,omitempty"`
	// Go is the language version of the module's go.mod, such as "1.22"; empty if it names none.
	Go string `json:"go,omitempty"`
}

// TraceHeader is the first line of a trace; every later line is a Sample.
type TraceHeader struct {
	Header
	// Packages are the import paths that were instrumented, sorted.
	Packages []string `json:"packages"`
	// Tests counts the test functions whose samples the trace holds.
	Tests int `json:"tests"`
	// LeftOut are the test functions ("import/path.TestName", or "import/path" for a whole package) whose
	// samples are not in the trace, sorted, with the reason.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// Witnesses are the test functions whose samples the trace holds, as LeftOut has them, sorted.
	Witnesses []string `json:"witnesses,omitempty"`
	// Sampled are the functions not all of whose calls were observed, sorted.
	Sampled []Sampled `json:"sampled,omitempty"`
	// Dropped counts the samples that were not written because a process had made too many different ones.
	Dropped int64 `json:"dropped,omitempty"`
	// Points are the program points; a Sample names one by its index here.
	Points []TracePoint `json:"points"`
}

// Sampled is a function not all of whose calls were observed.
type Sampled struct {
	Func     string `json:"func"`
	Calls    int64  `json:"calls"`
	Observed int64  `json:"observed"`
}

// LeftOut is something that was not analysed.
type LeftOut struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// TracePoint declares a program point.
type TracePoint struct {
	// Func is the name as in a Go stack trace, or "pkg.I.M" for an interface's method seen by its callers.
	Func string `json:"func"`
	// At is "entry", "exit" or "panic".
	At At `json:"at"`
	// Interface marks the point of an interface's method.
	Interface bool `json:"interface,omitempty"`
	// Implementers are the functions that a call of an interface's method may execute, sorted.
	Implementers []string `json:"implementers,omitempty"`
	// Receiver, Params and Results are what they are called, "" where they are not.
	Receiver string   `json:"receiver,omitempty"`
	Params   []string `json:"params,omitempty"`
	Results  []string `json:"results,omitempty"`
	// Conditions are those that the function's source asks of the variables, as it has them, in order.
	Conditions []string   `json:"conditions,omitempty"`
	Vars       []TraceVar `json:"vars"`
}

// TraceVar declares a variable of a program point.
type TraceVar struct {
	// Name is a Go expression: x, len(x), x.f, result, old(x.f).
	Name string `json:"name"`
	// Type is the Go type, as written inside the package.
	Type string `json:"type"`
	// Rep says how values are written: int, uint, float, bool, string, ref, type.
	// A ref is "nil" or a number that is equal for equal pointers within one sample. A type is a dynamic type or "nil".
	Rep Rep `json:"rep"`
	// Pointer is the name of the nearest pointer that must be non-nil for the variable to exist, if any.
	Pointer string `json:"pointer,omitempty"`
	// Result marks what is reached from a result of the function.
	Result bool `json:"result,omitempty"`
}

// Sample is a line of a trace: one combination of values seen at a point.
type Sample struct {
	// Point indexes TraceHeader.Points.
	Point int `json:"p"`
	// Count is how often the combination was seen.
	Count int64 `json:"n"`
	// Test numbers the first test, in the order of TraceHeader.Witnesses and from 1, that made the sample; 0 for unknown.
	Test int `json:"t,omitempty"`
	// Values line up with the point's Vars: Go literals, "nil", "~HASH" for a long string
	// (equal ones have equal hashes), or "-" for a variable that did not exist.
	Values []string `json:"v"`
}

// Invariants is what `infer invariants` writes.
type Invariants struct {
	Header
	// Points are sorted by function, entry before exit.
	Points []Point `json:"points"`
}

// Point is a program point with the invariants that held there.
type Point struct {
	// Func is a function ("pkg/path.(*T).M"), or an interface's method ("pkg/path.I.M").
	Func string `json:"func"`
	// At is "entry", "exit", "panic" or "type"; or "exit7" of one of several ways out, which Daikon's traces tell.
	At At `json:"at"`
	// Samples counts all samples seen, equal ones included.
	Samples    int64       `json:"samples"`
	Invariants []Invariant `json:"invariants"`
	// Ambitious are those that check does not assume: of sequences, affixes and dynamic types [DSD 6.4.2].
	Ambitious []Invariant `json:"ambitious,omitempty"`
}

// Invariant is a condition that held whenever its point was reached.
type Invariant struct {
	// ID is unique in the document: "I12".
	ID string `json:"id"`
	// Template is the name of the template: constant, one-of, non-nil, always-nil, lower-bound, upper-bound,
	// non-zero, equal, not-equal, less, less-equal, unchanged, error-result, linear, modulus, power-of-two, prefix, suffix.
	Template string `json:"template"`
	// Vars are the variables that fill the template, in the template's order.
	Vars []string `json:"vars"`
	// Params are the template's constants, as Go literals.
	Params []string `json:"params,omitempty"`
	// Expr is the condition in Go syntax, with result, old(x), len(x), implies(a, b) and functions of package strings.
	Expr string `json:"expr"`
	// Samples counts the samples in which all Vars existed.
	Samples int64 `json:"samples"`
	// Confidence is 1 minus the probability that the condition held by chance; 0 to 1, rounded to 4 digits.
	Confidence float64 `json:"confidence"`
	// Assumed says that check assumes the invariant.
	Assumed bool `json:"assumed"`
}

// Warnings is what `check` writes.
type Warnings struct {
	Header
	// Assumed says whether an invariants document was assumed (user level) or not (language level).
	Assumed bool `json:"assumed"`
	// Functions counts the functions analysed; skipped ones are not among them.
	Functions int `json:"functions"`
	// Warnings are sorted by position, then function.
	Warnings []Warning `json:"warnings"`
	// Skipped are the functions that were not analysed, sorted.
	Skipped []Skipped `json:"skipped"`
	// Bounded are functions analysed only up to a bound, with what was cut, sorted.
	Bounded []Skipped  `json:"bounded"`
	Stats   CheckStats `json:"stats"`
}

// CheckStats counts work done; nothing here depends on the machine's speed.
type CheckStats struct {
	// Assertions counts the places where a panic was possible, after inlining and unrolling.
	Assertions int `json:"assertions"`
	// Folded counts the assertions that simplified to true without the solver.
	Folded int `json:"folded"`
	// Queries counts the questions put to the solver, and Unsat, Sat and Unknown its answers.
	Queries int `json:"queries"`
	Unsat   int `json:"unsat"`
	Sat     int `json:"sat"`
	Unknown int `json:"unknown"`
	// Guessed counts the counterexamples that were found without the solver.
	Guessed int `json:"guessed,omitempty"`
}

// Skipped is a function and why it was not (or not wholly) analysed.
type Skipped struct {
	Func   string `json:"func"`
	Reason string `json:"reason"`
}

// Warning is a panic that the solver holds possible.
type Warning struct {
	// ID is unique in the document: "W12".
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// Func is the function analysed; the panic may be in a function that it calls.
	Func string `json:"func"`
	// Pos is where it would panic, "file:line:col".
	Pos string `json:"pos"`
	// Message says what goes wrong, in words and Go syntax.
	Message string `json:"message"`
	// Path is the way from Func to Pos: calls, and conditions that were decided, in their order.
	Path []Step `json:"path"`
	// Assumed are the ids of the invariants that the warning's formula contains.
	Assumed []string `json:"assumed"`
	// Counterexample are inputs that lead to the panic; absent if Status is unknown.
	Counterexample *Counterexample `json:"counterexample,omitempty"`
	// Status is "sat", or "unknown" if the solver gave up or its model did not hold.
	Status Status `json:"status"`
	// Param names the parameter that is dereferenced, if the panic is the nil dereference of a bare parameter.
	Param string `json:"param,omitempty"`
	// Preconditions says that entry invariants of Func were known and assumed.
	Preconditions bool `json:"preconditions,omitempty"`
}

// Step is a point on a path.
type Step struct {
	Pos  string `json:"pos"`
	Note string `json:"note"`
}

// Counterexample gives the inputs; what it does not name is free.
type Counterexample struct {
	// Receiver is absent for functions.
	Receiver *Input `json:"receiver,omitempty"`
	// Params line up with the parameters.
	Params []Input `json:"params"`
	// TypeArgs are the type arguments of a generic function or receiver, as Go types.
	TypeArgs []string `json:"type_args,omitempty"`
	// Globals are package-level variables whose value matters.
	Globals []Input `json:"globals,omitempty"`
	// Returns are the values that calls left open are assumed to return, in the order of the calls.
	Returns []Input `json:"returns,omitempty"`
	// Objects are the nodes that values refer to by index.
	Objects []Node `json:"objects,omitempty"`
	// Types are what dynamic types are made of that others than the program cannot name; in recordings alone.
	Types []TypeDef `json:"types,omitempty"`
}

// Input is a named value.
type Input struct {
	Name string `json:"name"`
	Node
}

// Node is a value of an object graph: a literal, or a composite, or a reference. One of Lit, Ref, Fields and
// Elems is set; none of them means that any value of the type will do.
type Node struct {
	// Type is the Go type with full import paths.
	Type string `json:"type"`
	// Lit is a Go literal: 12, -1, true, "a\x00", nil, math.NaN(); func of any function but nil.
	Lit string `json:"lit,omitempty"`
	// Ref is the index in Objects of what a pointer points to, or what a slice is a slice of.
	Ref *int `json:"ref,omitempty"`
	// Len and Cap are those of a slice given by Ref.
	Len *int64 `json:"len,omitempty"`
	Cap *int64 `json:"cap,omitempty"`
	// Fields are the constrained fields of a struct, in declaration order.
	Fields []Input `json:"fields,omitempty"`
	// Elems are the constrained elements of an array, sorted by index, the entries of a map, what is received from
	// a channel, in order, or what a function returns when it is called for the index-th time: the result, or Fields "0",
	// "1" for several.
	Elems []Elem `json:"elems,omitempty"`
	// Closed says that a channel is closed, once Elems are received.
	Closed bool `json:"closed,omitempty"`
	// Dynamic is the value inside an interface; of the interface's own type if any implementation will do.
	Dynamic *Node `json:"dynamic,omitempty"`

	// The rest is in recordings alone. Path is the part of the object that a pointer given by Ref points to, or whose array a slice is of,
	// as a Go selector: .items[3].name. Offset is where in the array the slice begins.
	Path   string `json:"path,omitempty"`
	Offset int64  `json:"offset,omitempty"`
	// Elem is the type of what a value of package reflect that can be set, given by Ref, is.
	Elem string `json:"elem,omitempty"`
	// Var is the package-level variable that holds the value, &example.com/m.V if it is the address of that, or the function that it is.
	Var string `json:"var,omitempty"`
	// Lost is why the value cannot be made again as it was.
	Lost string `json:"lost,omitempty"`
}

// Elem is an element of an array or an entry of a map.
type Elem struct {
	// Index of an array's element.
	Index int64 `json:"index"`
	// Key of a map's entry.
	Key   *Node `json:"key,omitempty"`
	Value Node  `json:"value"`
}

// Crashes is what `crash` writes.
type Crashes struct {
	Header
	// Crashes are sorted by position, then function.
	Crashes []Crash `json:"crashes"`
	// Unconfirmed are the warnings that did not become a crash, in the order of the warnings.
	Unconfirmed []Unconfirmed `json:"unconfirmed"`
	// Unreplayed are the recorded calls of which no test crashes as was recorded.
	Unreplayed []Unreplayed `json:"unreplayed,omitempty"`
	// Skipped are the functions that were not tested at random.
	Skipped []Skipped  `json:"skipped,omitempty"`
	Stats   CrashStats `json:"stats"`
	// Reproduction says what was asked for, if a panic was to be reproduced.
	Reproduction *Reproduction `json:"reproduction,omitempty"`
}

// Crash is a panic that was seen to happen.
type Crash struct {
	// ID is unique in the document: "C3".
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// Func is the function that the test calls first.
	Func string `json:"func"`
	// Pos is where it panicked, "file:line" or "file:line:col", relative to the module's root.
	Pos string `json:"pos"`
	// Message is the panic's own text.
	Message string `json:"message"`
	// Stack are the frames of the testee, crash first.
	Stack []Frame `json:"stack"`
	// Warning is the id of the warning that led here.
	Warning string `json:"warning,omitempty"`
	// SatisfiesInvariants says that the inputs meet the inferred preconditions of Func, of which there are some.
	SatisfiesInvariants bool `json:"satisfies_invariants"`
	// Inputs is the Go source of the inputs and the call.
	Inputs string `json:"inputs"`
	Test   Test   `json:"test"`
	// BuiltBy is "sequence" if a user of the package could make the inputs, "literal" if they set what is not exported.
	BuiltBy BuiltBy `json:"built_by"`
	// UnexportedCalls says that it is not exported functions that the test calls in place of literals.
	UnexportedCalls bool `json:"unexported_calls,omitempty"`
	// FoundAfter is how many seconds after the first candidate of its package it was seen, at random; of a panic that was to be
	// reproduced, after the start.
	FoundAfter float64 `json:"found_after,omitempty"`
	// Strategy is what found it, if a panic was to be reproduced: tests, values, search, solve or path; or recording, if
	// one was replayed.
	Strategy Strategy `json:"strategy,omitempty"`
	// Candidates is how many candidates were tried until then.
	Candidates int `json:"candidates,omitempty"`
	// Flaky says that the test did not crash each time.
	Flaky bool `json:"flaky,omitempty"`
	// Rank is one of Ranks: what speaks for the crash being a bug.
	Rank Rank `json:"rank,omitempty"`
	// GroupSize counts the warnings that led to the same stack.
	GroupSize int `json:"group_size"`
	// Level counts the frames of the stack that matched what was asked for.
	Level int `json:"level"`
}

// Frame is a stack frame.
type Frame struct {
	Func string `json:"func"`
	Pos  string `json:"pos"`
}

// Test is a Go test that crashes.
type Test struct {
	// Package is the import path of the directory that the file belongs into.
	Package string `json:"package"`
	File    string `json:"file"`
	Name    string `json:"name"`
	Source  string `json:"source"`
	// Files are those that it needs besides its own, in the same directory: what loads recorded values, and these.
	Files []TestFile `json:"files,omitempty"`
}

// TestFile is a file that a test needs.
type TestFile struct {
	// File is relative to the directory of the test.
	File    string `json:"file"`
	Content string `json:"content"`
}

// Unconfirmed is a warning that did not become a reported crash.
type Unconfirmed struct {
	Warning string `json:"warning"`
	Reason  string `json:"reason"`
}

// Unreplayed is a recorded call of which no test crashes as was recorded.
type Unreplayed struct {
	// Crash is the id in the recording, and Func the function, "" if it is the whole crash.
	Crash  string `json:"crash"`
	Func   string `json:"func,omitempty"`
	Reason string `json:"reason"`
}

// CrashStats counts work done.
type CrashStats struct {
	// Candidates counts the tests that were run.
	Candidates int `json:"candidates"`
	// Confirmed counts the warnings that crashed as warned, reported or suppressed by the policy.
	Confirmed int `json:"confirmed"`
	// BySequence counts those of them whose inputs are made by calls of exported functions.
	BySequence int `json:"by_sequence,omitempty"`
	// Elsewhere counts the candidates that crashed elsewhere or otherwise than warned.
	Elsewhere int `json:"elsewhere"`
	// Suppressed counts the crashes that the policy does not report.
	Suppressed int `json:"suppressed,omitempty"`
}
