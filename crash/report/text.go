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

// maxShown is the number of crashes that a text shows; the document has them all.
const maxShown = 40

// TextOptions say what a text is to show besides the crashes.
type TextOptions struct {
	// Warnings, if not nil, is the document that the crashes come from: a line says what was looked at.
	Warnings *schemas.Warnings
	// Tests is the directory of the tests, as they were written there; "" if there is none.
	Tests string
	// Root is where the sources are, see Root; "" shows none.
	Root string
	// Policy, if All, shows likely misuse, which is counted otherwise.
	Policy Policy
}

// Text writes a crashes document for people: each crash with its position, message, inputs, way and test. First come the
// crashes most likely to be bugs: inputs that users of the package can make, of functions whose inferred preconditions they
// meet.
func Text(w io.Writer, doc *schemas.Crashes, opt TextOptions) error {
	p := &printer{text.Printer{W: w}, doc.Module.Path, sources{root: opt.Root}}
	if opt.Warnings != nil {
		p.looked(doc, opt.Warnings)
	}
	if len(doc.Skipped) > 0 {
		p.Printf("%s not tested\n", text.Count(len(doc.Skipped), "function"))
		p.Skipped("  ", doc.Skipped)
	}
	if doc.Reproduction != nil {
		p.reproduction(doc)
	}
	list := append([]schemas.Crash{}, doc.Crashes...)
	sort.SliceStable(list, func(i, j int) bool { return evidence(&list[i]) > evidence(&list[j]) })
	if doc.Reproduction == nil {
		p.ranks(list)
	}
	if opt.Policy != All && doc.Reproduction == nil {
		list = slices.DeleteFunc(list, func(c schemas.Crash) bool { return Rank(&c) == schemas.LikelyMisuse })
		if n := len(doc.Crashes) - len(list); n > 0 {
			p.Printf("(likely misuse is not shown; --policy all shows it)\n")
		}
	}
	for i := range list {
		if i == maxShown {
			p.Printf("\n... and %d more in the document.\n", len(list)-i)
			break
		}
		p.crash(&list[i], opt.Tests)
	}
	if doc.Incomplete {
		p.Printf("\nThe run was interrupted: this is not all.\n")
	}
	return p.Err
}

// evidence ranks a crash by what speaks for its being a bug.
func evidence(c *schemas.Crash) int {
	n := 0
	if c.BuiltBy == schemas.BySequence {
		n += 2
	}
	if c.SatisfiesInvariants {
		n++
	}
	return n + 10*(len(schemas.Ranks)-slices.Index(schemas.Ranks, Rank(c)))
}

// ranks says how many crashes there are of each rank.
func (p *printer) ranks(list []schemas.Crash) {
	if len(list) == 0 {
		return
	}
	n := map[schemas.Rank]int{}
	for i := range list {
		n[Rank(&list[i])]++
	}
	p.Printf("%s, %d to look at, %d likely misuse\n", text.Count(n[schemas.LikelyBug], "likely bug"), n[schemas.Look], n[schemas.LikelyMisuse])
}

type printer struct {
	text.Printer
	module  string
	sources sources
}

func (p *printer) looked(doc *schemas.Crashes, w *schemas.Warnings) {
	p.Printf("%s: %s checked", w.Module.Path, text.Count(w.Functions, "function"))
	if n := len(w.Skipped); n > 0 {
		p.Printf(" (%d skipped)", n)
	}
	p.Printf(", %s", text.Count(len(w.Warnings), "warning"))
	if w.Assumed {
		p.Printf(" under the inferred invariants")
	}
	p.Printf("\n%s run, %d panicked as warned, %d otherwise, %s reported\n", text.Count(doc.Stats.Candidates, "test"), doc.Stats.Confirmed, doc.Stats.Elsewhere, text.Count(len(doc.Crashes), "crash"))
	p.Skipped("  ", w.Skipped)
}

func (p *printer) crash(c *schemas.Crash, tests string) {
	in := c.Func
	if len(c.Stack) > 0 {
		in = c.Stack[0].Func
	}
	p.Printf("\n%s %s: %s in %s\n", c.ID, c.Pos, c.Kind, in)
	p.Printf("    %s\n", c.Message)
	for i, l := range strings.Split(c.Inputs, "\n") {
		head := "        "
		if i == 0 {
			head = "inputs  "
		}
		p.Printf("    %s%s\n", head, strings.TrimPrefix(l, "\t"))
	}
	p.way(c)
	var notes []string
	if c.SatisfiesInvariants {
		notes = append(notes, "the inputs satisfy what the tests say of them")
	}
	switch {
	case c.UnexportedCalls:
		notes = append(notes, "the test calls unexported functions for its inputs")
	case c.BuiltBy == schemas.ByLiteral:
		notes = append(notes, "the test sets unexported fields or variables")
	}
	if c.Flaky {
		notes = append(notes, "the test did not crash each time")
	}
	if c.GroupSize > 1 && c.Warning != "" {
		notes = append(notes, fmt.Sprintf("%d warnings crash here", c.GroupSize))
	}
	if len(notes) > 0 {
		p.Printf("    note    %s\n", strings.Join(notes, "; "))
	}
	file := c.Test.File
	if tests != "" {
		file = filepath.Join(tests, p.testDir(c), file)
	}
	p.Printf("    test    %s\n", file)
}

// testDir is the directory of a crash's test below that of all tests: where its package is in the module.
func (p *printer) testDir(c *schemas.Crash) string {
	if !strings.HasPrefix(c.Test.Package, p.module) { // of a dependency
		return filepath.FromSlash(c.Test.Package)
	}
	return filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(c.Test.Package, p.module), "/"))
}
