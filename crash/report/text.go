package report

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// maxShown is the number of crashes that Text prints if no rank is asked for; the document has all.
const maxShown = 10

// TextOptions configure Text. The zero value works.
type TextOptions struct {
	// Warnings, if not nil, is the document that the crashes come from. It is summarized first.
	Warnings *schemas.Warnings
	// Tests is the directory to which the tests were written; "" if they were not.
	Tests string
	// Root is the directory of the sources, see Root; "" prints no source lines.
	Root string
	// Pos returns a position as it is to be written; nil leaves positions as they are.
	Pos func(pos string) string
	// Style colors positions and ranks.
	Style text.Style
	// Ranks are the ranks of the crashes to print; nil stands for the likely bugs, of which at
	// most maxShown are printed, and counts of the others.
	Ranks []schemas.Rank
	// File is the name of the document, "" if it is not known: the text names commands that show
	// more.
	File string
	// Known prints also the crashes that the baseline has.
	Known bool
	// Ignored prints also the crashes that comments in the source say to ignore.
	Ignored bool
	// Unconfirmed prints the warnings that are no reported crash, with the reasons.
	Unconfirmed bool
}

// Text prints a crashes document for people: each crash with its position, message, inputs, stack,
// test, and the signs that speak for and against a bug. The most likely bugs come first. Of a
// reproduction, the crash is printed whatever its rank.
func Text(w io.Writer, doc *schemas.Crashes, opt TextOptions) error {
	p := newPrinter(w, doc, &opt)
	if opt.Warnings != nil {
		p.warnings(doc, opt.Warnings)
	}
	if len(doc.Skipped) > 0 {
		p.Printf("%s not tested\n", text.Count(len(doc.Skipped), "function"))
		p.Skipped("  ", doc.Skipped)
	}
	if doc.Reproduction != nil {
		p.reproduction(doc)
	}
	for _, c := range p.shown(doc, opt) {
		p.crash(&c, opt.Tests)
	}
	if opt.Unconfirmed {
		p.unconfirmed(doc, opt.Warnings)
	}
	if doc.Incomplete {
		p.Printf("\nThe run was interrupted: there may be more crashes.\n")
	}
	return p.Err
}

// printer prints a document about a module.
type printer struct {
	text.Printer
	module  *schemas.Module
	sources sources
	style   text.Style
}

func newPrinter(w io.Writer, doc *schemas.Crashes, opt *TextOptions) *printer {
	pos := opt.Pos
	if pos == nil {
		pos = func(pos string) string { return pos }
	}
	return &printer{text.Printer{W: w, Style: opt.Style}, &doc.Module, sources{root: opt.Root, pos: pos}, opt.Style}
}

// rankStyle colors a text as a rank.
func (p *printer) rankStyle(r schemas.Rank, s string) string {
	switch r {
	case schemas.LikelyBug:
		return p.style.Red(s)
	case schemas.Look:
		return p.style.Yellow(s)
	case schemas.Contract:
		return p.style.Blue(s)
	}
	return p.style.Faint(s)
}

// warnings prints how many functions were checked, and what became of the warnings.
func (p *printer) warnings(doc *schemas.Crashes, w *schemas.Warnings) {
	p.Printf("%s: %s checked", w.Module.Path, text.Count(w.Functions, "function"))
	if n := len(w.Skipped); n > 0 {
		p.Printf(" (%d skipped)", n)
	}
	p.Printf(", %s", text.Count(len(w.Warnings), "warning"))
	if w.Assumed {
		p.Printf(" under the inferred invariants")
	}
	p.Printf("\n")
	p.outcomes(doc, len(w.Warnings))
	p.Printf("%s run, %d panicked differently, %s reported\n",
		text.Count(doc.Stats.Candidates, "test"), doc.Stats.Elsewhere,
		text.Count(len(doc.Crashes), "crash"))
	p.Skipped("  ", w.Skipped)
}

// shown returns the crashes to print, the most likely bugs first, and prints how many there are of
// each rank, with the commands that show the others.
func (p *printer) shown(doc *schemas.Crashes, opt TextOptions) []schemas.Crash {
	list := slices.Clone(doc.Crashes)
	slices.SortStableFunc(list, func(a, b schemas.Crash) int { return MoreLikely(&a, &b) })
	if b := doc.Baseline; b != nil {
		p.Printf("%d new, %d known, %d gone since the baseline\n", b.New, b.Known, len(b.Gone))
		for _, g := range b.Gone {
			p.Printf("    gone  %s: %s in %s\n", p.sources.pos(g.Pos), g.Kind, g.Func)
		}
		if !opt.Known {
			list = slices.DeleteFunc(list, func(c schemas.Crash) bool { return c.Known })
		}
	}
	if !opt.Ignored {
		n := len(list)
		list = slices.DeleteFunc(list, func(c schemas.Crash) bool { return c.Ignored != "" })
		if n -= len(list); n > 0 {
			p.Printf("%d ignored\n", n)
		}
	}
	if doc.Reproduction != nil || len(list) == 0 {
		return list
	}
	n := map[schemas.Rank]int{}
	for i := range list {
		n[Rank(&list[i])]++
	}
	if n := doc.Stats.Unverified; n > 0 {
		p.Printf("%s more found; there was no time to run their tests\n", text.Count(n, "crash"))
	}
	p.Printf("%s, %d to look at, %d by contract, %d unreachable\n",
		text.Count(n[schemas.LikelyBug], "likely bug"), n[schemas.Look], n[schemas.Contract],
		n[schemas.Unreachable])
	ranks := opt.Ranks
	if ranks == nil {
		ranks = []schemas.Rank{schemas.LikelyBug}
	}
	list = slices.DeleteFunc(list, func(c schemas.Crash) bool {
		return !slices.Contains(ranks, Rank(&c))
	})
	more := 0
	if opt.Ranks == nil {
		more = len(list)
		list = list[:min(len(list), maxShown)]
		more -= len(list)
	}
	if more > 0 {
		p.more(fmt.Sprintf("%d more", more), schemas.LikelyBug, opt)
	}
	for _, r := range schemas.Ranks {
		if n[r] > 0 && !slices.Contains(ranks, r) {
			p.more(fmt.Sprintf("%d %s", n[r], r), r, opt)
		}
	}
	return list
}

// more prints the command that shows crashes that are not printed.
func (p *printer) more(what string, rank schemas.Rank, opt TextOptions) {
	file := ""
	if opt.File != "" {
		file = " " + opt.File
	}
	p.Printf("    %-16s crash report --rank %s%s\n", what, rank, file)
}

// crash prints one crash. tests is TextOptions.Tests.
func (p *printer) crash(c *schemas.Crash, tests string) {
	in := c.Func
	if len(c.Stack) > 0 {
		in = c.Stack[0].Func
	}
	p.Printf("\n%s %s: %s in %s\n", p.rankStyle(Rank(c), c.ID), p.style.Bold(p.sources.pos(c.Pos)), c.Kind, in)
	p.Printf("    %s\n", text.Message(c.Message, "    "))
	p.field("inputs", strings.Split(c.Inputs, "\n"))
	p.field("stack", p.sources.stack(c.Stack))
	if list := notes(c); len(list) > 0 {
		p.field("note", []string{strings.Join(list, "; ")})
	}
	p.signs(c)
	file := c.Test.File
	if tests != "" {
		file = filepath.Join(tests, p.testDir(c), file)
	}
	p.field("test", []string{file})
}

// signs prints what speaks for a bug and what against it.
func (p *printer) signs(c *schemas.Crash) {
	var speaksFor, against []string
	for _, s := range c.Signs {
		if s.Weight > 0 {
			speaksFor = append(speaksFor, s.Text)
		} else {
			against = append(against, s.Text)
		}
	}
	if len(speaksFor) > 0 {
		p.field("for", speaksFor)
	}
	if len(against) > 0 {
		p.field("against", against)
	}
}

// field prints lines under a name, without their first tab.
func (p *printer) field(name string, lines []string) {
	for _, l := range lines {
		p.Printf("    %-7s %s\n", name, strings.TrimPrefix(l, "\t"))
		name = ""
	}
}

// notes returns what a person should know about a crash.
func notes(c *schemas.Crash) []string {
	var list []string
	switch {
	case len(c.Signs) > 0:
	case c.UnexportedCalls:
		list = append(list, "the test calls unexported functions to make its inputs")
	case c.BuiltBy == schemas.ByLiteral:
		list = append(list, "the test sets unexported fields or variables")
	}
	if c.Flaky {
		list = append(list, "the test did not crash every time")
	}
	if c.GroupSize > 1 && c.Warning != "" {
		list = append(list, fmt.Sprintf("%d warnings crash here", c.GroupSize))
	}
	return list
}

// testDir returns the directory of a crash's test below that of all tests: the directory of its
// package in the module, or, for a dependency, one named after the import path.
func (p *printer) testDir(c *schemas.Crash) string {
	module, dir := p.module.Of(c.Test.Package)
	if module == "" {
		return filepath.FromSlash(c.Test.Package)
	}
	return filepath.FromSlash(path.Join(dir, strings.TrimPrefix(c.Test.Package, module)))
}
