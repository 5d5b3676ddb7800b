package check

import (
	"cmp"
	"fmt"
	"slices"

	"dsd/internal/fingerprint"
	"dsd/internal/ignore"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// interrupted is the reason of functions that were not analyzed before the run was stopped.
const interrupted = "interrupted"

// NewDocument returns a warnings document without warnings.
func NewDocument(prog *source.Program) *schemas.Warnings {
	return &schemas.Warnings{
		Header:   prog.Header(),
		Platform: prog.Foreign(), Tests: prog.Tests,
		Warnings: []schemas.Warning{}, Skipped: []schemas.Skipped{}, Bounded: []schemas.Skipped{},
	}
}

// document puts the results together, in an order that depends on the testee alone. A function without a
// result is skipped, for the reason notReached.
func (c *checker) document(notReached string) *schemas.Warnings {
	doc := NewDocument(c.prog)
	doc.Assumed, doc.Shards = c.opt.Assume != nil, c.opt.Shard.Header()
	if c.opt.Shard.First() {
		for _, b := range c.prog.Broken {
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: b.Path, Reason: b.Reason()})
		}
	}
	for _, res := range c.results {
		skip := func(reason string) {
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: res.name, Reason: reason})
		}
		switch {
		case res.Result == nil:
			skip(notReached)
			continue
		case res.Err != nil:
			skip(res.Err.Error())
			continue
		}
		doc.Functions++
		for _, b := range res.Bounded {
			doc.Bounded = append(doc.Bounded, schemas.Skipped{Func: res.name, Reason: b})
		}
		addStats(&doc.Stats, &res.Stats)
		doc.Warnings = append(doc.Warnings, res.Warnings...)
	}
	fingerprint.Warnings(c.prog, doc.Warnings)
	if c.opt.Functions == nil {
		c.ignore(doc)
	}
	if kinds := c.opt.Kinds; kinds != nil {
		doc.Warnings = slices.DeleteFunc(doc.Warnings, func(w schemas.Warning) bool { return !slices.Contains(kinds, w.Kind) })
	}
	sortDocument(doc)
	return doc
}

// ignore marks the warnings that comments in the source say to ignore, and adds these comments.
func (c *checker) ignore(doc *schemas.Warnings) {
	directives := ignore.Read(c.prog)
	if len(directives.List) == 0 {
		return
	}
	for i := range doc.Warnings {
		w := &doc.Warnings[i]
		w.Ignored = directives.Reason(w.Kind, w.Pos)
	}
	analyzed := map[string]bool{}
	for _, res := range c.results {
		analyzed[res.name] = res.Result != nil && res.Err == nil
	}
	directives.Judge(c.prog, analyzed)
	doc.Directives = directives.Documented()
}

// sortDocument brings the parts of a document into their order, and numbers the warnings.
func sortDocument(doc *schemas.Warnings) {
	slices.SortStableFunc(doc.Warnings, func(a, b schemas.Warning) int {
		switch {
		case a.Pos == b.Pos:
			return cmp.Compare(a.Func, b.Func)
		case symbol.PosLess(a.Pos, b.Pos):
			return -1
		}
		return 1
	})
	for i := range doc.Warnings {
		doc.Warnings[i].ID = fmt.Sprintf("W%d", i+1)
	}
	fingerprint.NumberWarnings(doc.Warnings)
	byName := func(a, b schemas.Skipped) int { return cmp.Compare(a.Func, b.Func) }
	slices.SortStableFunc(doc.Skipped, byName)
	slices.SortStableFunc(doc.Bounded, byName)
}

func addStats(to, more *schemas.CheckStats) {
	to.Assertions += more.Assertions
	to.Folded += more.Folded
	to.Queries += more.Queries
	to.Unsat += more.Unsat
	to.Sat += more.Sat
	to.Unknown += more.Unknown
	to.Guessed += more.Guessed
	to.Refuted += more.Refuted
}
