package format

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"dsd/internal/kind"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Level is how much a finding matters.
type Level int

const (
	Note Level = iota
	Warning
	Error
)

// Finding is a warning or a crash.
type Finding struct {
	ID, Fingerprint string
	Kind            schemas.Kind
	Level           Level
	// State says how the finding differs from the baseline, as SARIF names that: new, unchanged or absent; "" without
	// a baseline.
	State string
	// Ignored is the reason that a comment in the source gives for ignoring the finding.
	Ignored string
	// Rank is that of a crash, and Status that of a warning; "" for the other.
	Rank   schemas.Rank
	Status schemas.Status
	// Func is the function that is called or analyzed.
	Func string
	// Pos is the position of the panic, as documents write it.
	Pos string
	// Title is what happens, in a line.
	Title string
	// Inputs is Go source that leads to the panic, "" if there is none.
	Inputs string
	// Steps are the way to the panic, which is the last one.
	Steps []Step
	// Reasons speak for or against a bug.
	Reasons []string
	// Fix is a change that prevents the panic, nil if none is known.
	Fix *Fix
	// Test is the file of the test that panics, "" if there is none.
	Test string
}

// Fix is a change of a source file.
type Fix struct {
	// Summary says in a line what it does.
	Summary string
	// File is relative to the testee's root.
	File  string
	Edits []Edit
}

// Edit replaces the text between two positions. Lines and columns begin at 1, columns count bytes.
type Edit struct {
	FromLine, FromCol, ToLine, ToCol int
	Text                             string
}

// Step is a place on the way to a panic.
type Step struct{ Pos, Text string }

// Report is what a format writes.
type Report struct {
	// Tool is the command, "check" or "crash", and Version its version.
	Tool, Version string
	Module        schemas.Module
	// Incomplete reports whether the run was interrupted.
	Incomplete bool
	Findings   []Finding
	// Objects are the warnings or crashes as documents have them, parallel to Findings.
	Objects []any
	// Gone are those that only the baseline has.
	Gone []schemas.Gone
	// Skipped are the functions that were not analyzed or tested.
	Skipped []schemas.Skipped
	// Prefix is the path of the root of positions relative to the directory where the output is read,
	// with slashes; "" if it is that directory.
	Prefix string
	// Line returns a line of a source file, named as in positions; "" if it cannot be read.
	Line func(file string, line int) string
}

// Names lists the formats of Write. HTML is for crashes alone.
var Names = []string{"sarif", "github", "codeclimate", "checkstyle", "junit", "jsonl", "html"}

// Write writes a report in the format of that name, one of Names.
func Write(w io.Writer, name string, r *Report) error {
	switch name {
	case "sarif":
		return writeSARIF(w, r)
	case "github":
		return writeGitHub(w, r)
	case "codeclimate":
		return writeCodeClimate(w, r)
	case "checkstyle":
		return writeCheckstyle(w, r)
	case "junit":
		return writeJUnit(w, r)
	case "jsonl":
		return writeJSONLines(w, r)
	case "html":
		return writeHTML(w, r)
	}
	return fmt.Errorf("unknown format %q (want %s)", name, strings.Join(Names, ", "))
}

// Warnings returns the report of a warnings document.
func Warnings(doc *schemas.Warnings) *Report {
	r := &Report{Tool: "check", Module: doc.Module, Incomplete: doc.Incomplete, Skipped: doc.Skipped}
	states := states{doc.Baseline}
	r.Gone = states.gone()
	for i := range doc.Warnings {
		w := &doc.Warnings[i]
		f := Finding{
			ID: w.ID, Fingerprint: w.Fingerprint, Kind: w.Kind, Level: Note, Status: w.Status, Func: w.Func,
			Pos: w.Pos, Title: w.Message, State: states.of(w.Known), Ignored: w.Ignored,
		}
		if w.Status == schemas.Sat && !w.Recovered {
			f.Level = Warning
		}
		for _, s := range w.Path {
			f.Steps = append(f.Steps, Step{s.Pos, s.Note})
		}
		f.Steps = append(f.Steps, Step{w.Pos, w.Message})
		r.Findings, r.Objects = append(r.Findings, f), append(r.Objects, w)
	}
	return r
}

// Crashes returns the report of the crashes of a document that shown accepts, in the order of compare.
func Crashes(doc *schemas.Crashes, shown func(*schemas.Crash) bool, compare func(a, b *schemas.Crash) int) *Report {
	states := states{doc.Baseline}
	r := &Report{Tool: "crash", Module: doc.Module, Incomplete: doc.Incomplete, Skipped: doc.Skipped}
	r.Gone = states.gone()
	var list []*schemas.Crash
	for i := range doc.Crashes {
		if shown(&doc.Crashes[i]) {
			list = append(list, &doc.Crashes[i])
		}
	}
	slices.SortStableFunc(list, compare)
	for _, c := range list {
		f := Finding{
			ID: c.ID, Fingerprint: c.Fingerprint, Kind: c.Kind, Rank: c.Rank, Func: c.Func, Pos: c.Pos, Title: c.Message,
			Inputs: dedent(c.Inputs), Test: path.Join(c.Test.Package, c.Test.File),
			State: states.of(c.Known), Ignored: c.Ignored,
		}
		switch c.Rank {
		case schemas.LikelyBug:
			f.Level = Error
		case schemas.Look, "":
			f.Level = Warning
		}
		for i := len(c.Stack) - 1; i >= 0; i-- {
			f.Steps = append(f.Steps, Step{c.Stack[i].Pos, "in " + c.Stack[i].Func})
		}
		for _, s := range c.Signs {
			f.Reasons = append(f.Reasons, s.Text)
		}
		r.Findings, r.Objects = append(r.Findings, f), append(r.Objects, c)
	}
	return r
}

// states are those of findings.
type states struct{ baseline *schemas.Baseline }

func (s states) of(known bool) string {
	switch {
	case s.baseline == nil:
		return ""
	case known:
		return "unchanged"
	}
	return "new"
}

func (s states) gone() []schemas.Gone {
	if s.baseline == nil {
		return nil
	}
	return s.baseline.Gone
}

// dedent removes the tab at the beginning of each line.
func dedent(source string) string {
	lines := strings.Split(source, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "\t")
	}
	return strings.Join(lines, "\n")
}

// title returns what happens, with the words for the kind.
func (f *Finding) title() string {
	if d := kind.Of(f.Kind); d != nil && !strings.Contains(f.Title, d.Title) {
		return d.Title + ": " + f.Title
	}
	return f.Title
}

// where returns the function that panics or is called, without the path of its package.
func (f *Finding) where() string { return symbol.Short(f.Func) }

// place returns the position that viewers show: that of the panic or, if it is in another module, where the testee
// calls that.
func (f *Finding) place() string {
	pos := f.Pos
	for i := len(f.Steps) - 1; i >= 0 && strings.Contains(symbol.ParsePos(pos).File, "@"); i-- {
		pos = f.Steps[i].Pos
	}
	return pos
}

// file returns the path of a position's file relative to where the output is read.
func (r *Report) file(pos string) string {
	at := symbol.ParsePos(pos)
	if strings.Contains(at.File, "@") { // in another module
		return at.File
	}
	return path.Join(r.Prefix, at.File)
}
