package report

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// maxShown is the number of crashes that Text prints; the document has all.
const maxShown = 40

// TextOptions configure Text. The zero value works.
type TextOptions struct {
	// Warnings, if not nil, is the document that the crashes come from. It is summarized first.
	Warnings *schemas.Warnings
	// Tests is the directory to which the tests were written; "" if they were not.
	Tests string
	// Root is the directory of the sources, see Root; "" prints no source lines.
	Root string
	// Policy, if All, prints likely misuse, which is only counted otherwise.
	Policy Policy
	// Unconfirmed prints the warnings that are no reported crash, with the reasons.
	Unconfirmed bool
}

// Text prints a crashes document for people: each crash with its position, message, inputs, stack
// and test. The most likely bugs come first.
func Text(w io.Writer, doc *schemas.Crashes, opt TextOptions) error {
	p := &printer{text.Printer{W: w}, doc.Module.Path, sources{root: opt.Root}}
	if opt.Warnings != nil {
		p.warnings(doc, opt.Warnings)
	}
	if len(doc.Skipped) > 0 {
		p.Printf("%s not tested\n", text.Count(len(doc.Skipped), "function"))
		p.Skipped("  ", doc.Skipped)
	}
	list := slices.Clone(doc.Crashes)
	sort.SliceStable(list, func(i, j int) bool {
		return evidence(&list[i]) > evidence(&list[j])
	})
	if doc.Reproduction != nil {
		p.reproduction(doc)
	} else {
		p.ranks(list)
		if opt.Policy != All {
			list = slices.DeleteFunc(list, func(c schemas.Crash) bool {
				return Rank(&c) == schemas.LikelyMisuse
			})
			if len(list) < len(doc.Crashes) {
				p.Printf("(likely misuse is not shown; --policy all shows it)\n")
			}
		}
	}
	for i := range list {
		if i == maxShown {
			p.Printf("\n... and %d more in the document.\n", len(list)-i)
			break
		}
		p.crash(&list[i], opt.Tests)
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
	module  string // its path
	sources sources
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

// ranks prints the number of crashes of each rank.
func (p *printer) ranks(list []schemas.Crash) {
	if len(list) == 0 {
		return
	}
	n := map[schemas.Rank]int{}
	for i := range list {
		n[Rank(&list[i])]++
	}
	p.Printf("%s, %d to look at, %d likely misuse\n",
		text.Count(n[schemas.LikelyBug], "likely bug"), n[schemas.Look],
		n[schemas.LikelyMisuse])
}

// crash prints one crash. tests is TextOptions.Tests.
func (p *printer) crash(c *schemas.Crash, tests string) {
	in := c.Func
	if len(c.Stack) > 0 {
		in = c.Stack[0].Func
	}
	p.Printf("\n%s %s: %s in %s\n", c.ID, c.Pos, c.Kind, in)
	p.Printf("    %s\n", c.Message)
	p.field("inputs", strings.Split(c.Inputs, "\n"))
	p.field("stack", p.sources.stack(c.Stack))
	if list := notes(c); len(list) > 0 {
		p.field("note", []string{strings.Join(list, "; ")})
	}
	file := c.Test.File
	if tests != "" {
		file = filepath.Join(tests, p.testDir(c), file)
	}
	p.field("test", []string{file})
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
	if c.SatisfiesInvariants {
		list = append(list, "the inputs satisfy the inferred preconditions")
	}
	switch {
	case c.UnexportedCalls:
		list = append(list, "the test calls unexported functions to make its inputs")
	case c.BuiltBy == schemas.ByLiteral:
		list = append(list, "the test sets unexported fields or variables")
	}
	if c.Warning != "" && (c.UnexportedCalls || c.BuiltBy == schemas.ByLiteral) {
		list = append(list, "no public way was found")
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
	dir, ok := strings.CutPrefix(c.Test.Package, p.module)
	if !ok {
		return filepath.FromSlash(c.Test.Package)
	}
	return filepath.FromSlash(strings.TrimPrefix(dir, "/"))
}
