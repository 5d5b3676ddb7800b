package schemas

// Reproduction describes the panic that `crash reproduce` looked for, and what it tried.
type Reproduction struct {
	// Kind and Message are those of the wanted panic, and Frames is its stack, innermost first.
	Kind    Kind         `json:"kind"`
	Message string       `json:"message"`
	Frames  []PanicFrame `json:"frames"`
	// Module is the module whose functions were called, path@version.
	Module string `json:"module"`
	// Levels counts the frames in functions of Module.
	Levels int `json:"levels"`
	// Searches are the attempts, in the order in which they ended.
	Searches []Search `json:"searches"`
	// Partial is the candidate closest to the wanted panic, if none reproduces it.
	Partial *Partial `json:"partial,omitempty"`
}

// Search is an attempt to reproduce the panic.
type Search struct {
	// Package is the import path of the package whose functions were called.
	Package string `json:"package"`
	// Strategy is StrategySearch or StrategySolve.
	Strategy   Strategy `json:"strategy"`
	Candidates int      `json:"candidates"`
	Seconds    float64  `json:"seconds"`
	// Queries counts the queries to the solver.
	Queries int `json:"queries,omitempty"`
	// Fitness is the fitness of the best candidate: 0 is the wanted crash, 6 the worst.
	Fitness float64 `json:"fitness"`
	// Level counts the frames that the crash found has in common with the wanted one; 0 if no
	// crash was found.
	Level int `json:"level"`
}

// Partial is a candidate that does not reproduce the panic.
type Partial struct {
	// Package is the import path of the package that the inputs are written for.
	Package string  `json:"package"`
	Fitness float64 `json:"fitness"`
	// Func is the innermost function of the wanted stack that the candidate enters.
	Func string `json:"func"`
	// Reached reports whether it reaches the line of the frame of Func.
	Reached bool `json:"reached"`
	// Missing are the conditions on the path to the line, from the first unsatisfied one on, in
	// Go.
	Missing []string `json:"missing"`
	// Inputs is the Go source of the candidate.
	Inputs string `json:"inputs"`
	// Panic is the text of the panic that it causes instead, if any.
	Panic string `json:"panic,omitempty"`
}
