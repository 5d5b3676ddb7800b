package report

import (
	"slices"

	"dsd/schemas"
)

// Rank returns the rank of a crash, Look if it has none.
func Rank(c *schemas.Crash) schemas.Rank {
	if c.Rank == "" {
		return schemas.Look
	}
	return c.Rank
}

// MoreLikely compares crashes: by rank, then those without a similar panic among the better ones, then
// by score, then by whether users can make the inputs. It is negative if a is more likely a bug.
func MoreLikely(a, b *schemas.Crash) int {
	if n := slices.Index(schemas.Ranks, Rank(a)) - slices.Index(schemas.Ranks, Rank(b)); n != 0 {
		return n
	}
	if n := similar(a) - similar(b); n != 0 {
		return n
	}
	if n := b.Score - a.Score; n != 0 {
		return n
	}
	return writable(b) - writable(a)
}

// similar returns 1 if a better crash shows a similar panic, else 0.
func similar(c *schemas.Crash) int {
	for _, s := range c.Signs {
		if s.Name == schemas.SimilarPanic {
			return 1
		}
	}
	return 0
}
