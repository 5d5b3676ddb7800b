package schemas

// Reproduction says what was asked for, and what was done, where a crashes document comes of the text of a panic.
type Reproduction struct {
	// Kind and Message are those of the panic that is to be reproduced, and Frames its stack.
	Kind    Kind         `json:"kind"`
	Message string       `json:"message"`
	Frames  []PanicFrame `json:"frames"`
	// Module is the one whose functions were called, path@version, and Levels how many of the frames are its.
	Module string `json:"module"`
	Levels int    `json:"levels"`
	// Searches are what was tried, in the order in which it ended.
	Searches []Search `json:"searches"`
	// Partial is the candidate that came nearest, if none crashes as asked.
	Partial *Partial `json:"partial,omitempty"`
}

// Search is one try.
type Search struct {
	// Package is the import path of the package whose functions were called.
	Package string `json:"package"`
	// Strategy is search or solve.
	Strategy   Strategy `json:"strategy"`
	Candidates int      `json:"candidates"`
	Seconds    float64  `json:"seconds"`
	// Queries counts the questions put to the solver.
	Queries int `json:"queries,omitempty"`
	// Fitness is that of the best candidate: 0 is the crash that was asked for, 6 the worst.
	Fitness float64 `json:"fitness"`
	// Level counts the frames that the crash which was found has in common with the one that was asked for, 0 if none was found.
	Level int `json:"level"`
}

// Partial is a candidate that does not crash as asked.
type Partial struct {
	// Package is the import path of the package that the inputs are written for.
	Package string  `json:"package"`
	Fitness float64 `json:"fitness"`
	// Func is the innermost function of the stack that it enters.
	Func string `json:"func"`
	// Reached says that it comes to the line of the frame of Func.
	Reached bool `json:"reached"`
	// Missing are the conditions on the way to the line that it does not meet, from the first on, in Go.
	Missing []string `json:"missing"`
	// Inputs is the Go source of the candidate.
	Inputs string `json:"inputs"`
	// Panic is what it panics with instead.
	Panic string `json:"panic,omitempty"`
}
