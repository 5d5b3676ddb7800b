package blame

import (
	"cmp"
	"fmt"
	"slices"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// Names of the signs, besides schemas.SimilarPanic, of crashes that stand back behind others.
const (
	samePanic   = "same-panic"
	moreOfAKind = "more-of-a-kind"
)

// Compare takes back the rank of likely bugs that show nothing new beside others, and returns the crashes;
// if onePerPanic, only the best ranked one of those with the same panic, with new IDs. What an earlier Compare
// of fewer crashes said of them is forgotten.
func Compare(crashes []schemas.Crash, onePerPanic bool) []schemas.Crash {
	for i := range crashes {
		restore(&crashes[i])
	}
	if onePerPanic {
		crashes = onePanicEach(crashes)
	}
	demote(crashes)
	return crashes
}

// restore makes a crash what it was before demote, which changes likely bugs only.
func restore(c *schemas.Crash) {
	n := len(c.Signs)
	c.Signs = slices.DeleteFunc(c.Signs, func(s schemas.Sign) bool {
		return s.Name == samePanic || s.Name == moreOfAKind || s.Name == schemas.SimilarPanic
	})
	if len(c.Signs) < n {
		c.Rank = schemas.LikelyBug
	}
}

// ranks are the ranks, best first.
var ranks = []schemas.Rank{schemas.LikelyBug, schemas.Look, schemas.Contract, schemas.Unreachable}

// onePanicEach returns one crash of those with panics of one kind at one position, and numbers them:
// the one with the best rank, then the highest score, then the shortest inputs.
func onePanicEach(crashes []schemas.Crash) []schemas.Crash {
	best := map[string]int{} // indices
	for i := range crashes {
		c := &crashes[i]
		k := panicKey(c)
		j, ok := best[k]
		if !ok {
			best[k] = i
			continue
		}
		b := &crashes[j]
		order := cmp.Or(
			cmp.Compare(slices.Index(ranks, c.Rank), slices.Index(ranks, b.Rank)),
			cmp.Compare(b.Score, c.Score),
			cmp.Compare(len(c.Inputs), len(b.Inputs)),
		)
		if order < 0 {
			best[k] = i
		}
	}
	out := []schemas.Crash{}
	for i, c := range crashes {
		if best[panicKey(&c)] == i {
			c.ID = fmt.Sprintf("C%d", len(out)+1)
			out = append(out, c)
		}
	}
	return out
}

// panicKey identifies a panic by its kind and position, and an endless recursion, of which any function
// may be the innermost one, by the first of them in the order of their names.
func panicKey(c *schemas.Crash) string {
	if c.Kind != schemas.StackOverflow || len(c.Stack) == 0 {
		return string(c.Kind) + " " + c.Pos
	}
	first := c.Stack[0].Func
	for _, f := range c.Stack {
		first = min(first, f.Func)
	}
	return string(c.Kind) + " " + first
}

// maxOfPackage is the number of likely bugs in calls of one package, and maxOfInternal that of one class of
// panics if only the module may import the package. Most of them are bugs if one is, each with a line of its
// own to mend; more than a few say nothing new, and hide those of other packages.
const (
	maxOfPackage  = 4
	maxOfInternal = 1
)

// demote leaves one likely bug of those with the same panic, maxOfPackage in one package, and maxOfInternal of one
// class in an internal package. In each package it keeps those that random testing found first, in candidates and
// not by the clock: what is easy to reach, and, unlike the highest scores, not others in a run that goes on for longer.
// Of those found together, as by crash confirm, it keeps those with the highest scores, then the shortest inputs.
// All but the first of one class in calls of one function, or in one function, have the sign SimilarPanic.
func demote(crashes []schemas.Crash) {
	likely := []*schemas.Crash{}
	for i := range crashes {
		if crashes[i].Rank == schemas.LikelyBug {
			likely = append(likely, &crashes[i])
		}
	}
	slices.SortStableFunc(likely, func(a, b *schemas.Crash) int {
		return cmp.Or(
			cmp.Compare(symbol.Parse(a.Func).Package, symbol.Parse(b.Func).Package),
			cmp.Compare(a.Candidates, b.Candidates),
			cmp.Compare(b.Score, a.Score),
			cmp.Compare(len(a.Inputs), len(b.Inputs)),
		)
	})
	same := map[string]*schemas.Crash{}
	alike := map[string]*schemas.Crash{} // the first of them
	ofClass, ofPackage := map[string]int{}, map[string]int{}
	for _, c := range likely {
		class := class(c.Kind)
		panics := string(c.Kind) + " " + symbol.Line(c.Pos)
		called := "in calls " + class + " " + c.Func
		around := "in " + class + " "
		if len(c.Stack) > 0 {
			around += c.Stack[0].Func
		} else {
			around += c.Func
		}
		if first := same[panics]; first != nil {
			c.Rank, c.Signs = schemas.Look, append(c.Signs, schemas.Sign{Name: samePanic,
				Text: fmt.Sprintf("%s shows the same panic", first.ID)})
			continue
		}
		pkg := symbol.Parse(c.Func).Package
		inPackage := class + " in " + pkg
		switch {
		case isInternal(pkg) && ofClass[inPackage] == maxOfInternal:
			c.Rank, c.Signs = schemas.Look, append(c.Signs, schemas.Sign{Name: moreOfAKind,
				Text: "another of this kind in this internal package stands first"})
		case ofPackage[pkg] == maxOfPackage:
			c.Rank, c.Signs = schemas.Look, append(c.Signs, schemas.Sign{Name: moreOfAKind,
				Text: fmt.Sprintf("%d others in the package stand first", maxOfPackage)})
		default:
			ofClass[inPackage]++
			ofPackage[pkg]++
		}
		if first := alike[called]; first != nil {
			c.Signs = append(c.Signs, schemas.Sign{Name: schemas.SimilarPanic, Text: fmt.Sprintf(
				"%s shows a similar panic in a call of the same function", first.ID)})
		} else if first := alike[around]; first != nil {
			c.Signs = append(c.Signs, schemas.Sign{Name: schemas.SimilarPanic, Text: fmt.Sprintf(
				"%s shows a similar panic in the same function", first.ID)})
		}
		same[panics] = c
		for _, k := range []string{called, around} {
			if alike[k] == nil {
				alike[k] = c
			}
		}
	}
}

// class returns the kind of a panic, one for indices and for bounds: the same mistake leads to both.
func class(k schemas.Kind) string {
	if k == schemas.SliceBounds {
		k = schemas.Index
	}
	return string(k)
}
