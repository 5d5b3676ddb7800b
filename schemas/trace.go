package schemas

// TraceHeader is the first line of a trace. Every later line is a Sample.
type TraceHeader struct {
	Header
	// Packages are the import paths that were instrumented, sorted.
	Packages []string `json:"packages"`
	// Tests counts the test functions whose samples the trace holds.
	Tests int `json:"tests"`
	// LeftOut are the test functions whose samples are not in the trace, sorted, with the
	// reason. A name is "import/path.TestName", or "import/path" for a whole package.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// Witnesses are the names of the test functions whose samples the trace holds, sorted.
	Witnesses []string `json:"witnesses,omitempty"`
	// Sampled are the functions of whose calls only some were observed, sorted.
	Sampled []Sampled `json:"sampled,omitempty"`
	// Dropped counts the samples that were not written because a process had made too many
	// different ones.
	Dropped int64 `json:"dropped,omitempty"`
	// Samples counts the lines that follow, so that a trace whose end is missing is not taken for a
	// whole one; 0 if it is not known.
	Samples int64 `json:"samples,omitempty"`
	// Points are the program points. A Sample names one by its index here.
	Points []TracePoint `json:"points"`
}

// Sampled is a function of whose calls only some were observed.
type Sampled struct {
	Func     string `json:"func"`
	Calls    int64  `json:"calls"`
	Observed int64  `json:"observed"`
}

// TracePoint declares a program point.
type TracePoint struct {
	// Func is the function's name as in a Go stack trace, or "pkg.I.M" for the method of an
	// interface as its callers see it.
	Func string `json:"func"`
	// At is AtEntry, AtExit or AtPanic.
	At At `json:"at"`
	// Interface reports whether the point is that of an interface's method.
	Interface bool `json:"interface,omitempty"`
	// Implementers are the functions that a call of the interface's method may execute, sorted.
	Implementers []string `json:"implementers,omitempty"`
	// Receiver, Params and Results are the names in the source, "" where there is none.
	Receiver string   `json:"receiver,omitempty"`
	Params   []string `json:"params,omitempty"`
	Results  []string `json:"results,omitempty"`
	// Conditions are the conditions over the variables that the function's source tests, as
	// written there, in order.
	Conditions []string   `json:"conditions,omitempty"`
	Vars       []TraceVar `json:"vars"`
}

// TraceVar declares a variable observed at a program point.
type TraceVar struct {
	// Name is a Go expression: x, len(x), x.f, result, old(x.f).
	Name string `json:"name"`
	// Type is the Go type, as written inside the package.
	Type string `json:"type"`
	// Rep is how values are written.
	Rep Rep `json:"rep"`
	// Pointer is the name of the nearest pointer that must not be nil for the variable to
	// exist, if there is one.
	Pointer string `json:"pointer,omitempty"`
	// Result reports whether the variable is reached from a result of the function.
	Result bool `json:"result,omitempty"`
}

// Sample is a line of a trace: a combination of values seen at a program point.
type Sample struct {
	// Point is an index into TraceHeader.Points.
	Point int `json:"p"`
	// Count is how often the combination was seen.
	Count int64 `json:"n"`
	// Test is the number of the first test that made the sample, in the order of
	// TraceHeader.Witnesses and counted from 1; 0 if it is unknown.
	Test int `json:"t,omitempty"`
	// Values line up with the point's Vars. A value is a Go literal, "nil", "~HASH" for a long
	// string (equal strings have equal hashes), or "-" if the variable did not exist.
	Values []string `json:"v"`
}
