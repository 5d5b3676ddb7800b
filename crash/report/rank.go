package report

import (
	"slices"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// Rank estimates whether a crash is a bug. It is one if users of the package can call the function
// and make its inputs, and the inputs satisfy the inferred preconditions. A rank that the crash
// already has is kept.
func Rank(c *schemas.Crash) schemas.Rank {
	literal := c.BuiltBy == schemas.ByLiteral
	callable := c.BuiltBy == schemas.BySequence && symbol.Parse(c.Func).Exported()
	switch {
	case c.Rank != "":
		return c.Rank
	case callable && c.SatisfiesInvariants && !Refusal(c.Kind):
		return schemas.LikelyBug
	case literal && !c.SatisfiesInvariants:
		return schemas.LikelyMisuse
	}
	return schemas.Look
}

// Refusal reports whether a function may raise a panic of this kind to reject inputs that its tests
// happen not to show: by an explicit panic, or by comparing interfaces with uncomparable values.
func Refusal(kind schemas.Kind) bool {
	return kind == schemas.ExplicitPanic || kind == schemas.Uncomparable
}

// evidence returns a number that is greater for crashes that are more likely bugs: by rank, then by
// whether users can make the inputs, then by whether the inputs satisfy the preconditions.
func evidence(c *schemas.Crash) int {
	n := 10 * (len(schemas.Ranks) - slices.Index(schemas.Ranks, Rank(c)))
	if c.BuiltBy == schemas.BySequence {
		n += 2
	}
	if c.SatisfiesInvariants {
		n++
	}
	return n
}
