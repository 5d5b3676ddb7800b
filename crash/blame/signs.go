package blame

import "dsd/schemas"

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
	{"ruled-out", -2, "", ruledOut},
	{"must", -7, schemas.Contract, must},
	{"helper", -9, schemas.Unreachable, helperCode},
	{"calls-must", -5, "", callsMust},
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
	{"zero-argument", 2, "", zeroArgument},
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
	{"nil-result", -2, "", nilResult},
	{"nil-by-hand", -3, "", nilByHand},
	{"context-value", -5, "", contextValue},
	{"nil-as-any", -1, "", nilAny},
	{"object-by-hand", -3, "", objectByHand},
	{"zero-without-constructor", -1, "", zeroObject},
	{"package-made-object", -5, "", innerObject},
	{"field-set", -3, "", fieldSet},
	{"stub", -3, "", stubs},
	{"stub-function", -3, "", answers},
	{"huge-number", -4, "", hugeInput},
	{"no-constant", -4, "", noConstant},
	{"cyclic-value", -7, "", cyclicValue},
	{"index-argument", -5, "", indexArgument},
	{"callers-check", -2, "", callersCheck},
	{"reflect-argument", -5, "", reflectArgument},
	{"refused-calls", -3, "", refusedCalls},
	{"explicit", -3, "", explicit},
	{"blames-caller", -2, "", blamesCaller},
	{"violates-nil", -1, "", violatesNil},
	{"violates-argument", -1, "", violatesArgument},
	{"dynamic-type", -5, "", dynamicType},
}
