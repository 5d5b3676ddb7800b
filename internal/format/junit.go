package format

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/internal/symbol"
	"dsd/internal/text"
)

// The elements of JUnit's XML, as CI services read it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitFailure `xml:"failure"`
		Skipped *junitSkipped `xml:"skipped"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// writeJUnit writes a test suite per package and a test case per finding: a failure, or skipped if the finding is
// only a note.
func writeJUnit(w io.Writer, r *Report) error {
	out := junitSuites{Name: "dsd " + r.Tool}
	suites := map[string]*junitSuite{}
	var names []string
	for i := range r.Findings {
		f := &r.Findings[i]
		pkg := symbol.Parse(f.Func).Package
		s := suites[pkg]
		if s == nil {
			s = &junitSuite{Name: pkg}
			suites[pkg] = s
			names = append(names, pkg)
		}
		at := symbol.ParsePos(f.place())
		c := junitCase{
			Name: fmt.Sprintf("%s in %s [%s]", f.Kind, f.where(), f.ID), Class: pkg, File: r.file(f.place()), Line: at.Line,
		}
		s.Tests++
		if f.Level == Note {
			s.Skipped++
			c.Skipped = &junitSkipped{f.why()}
		} else {
			s.Failures++
			c.Failure = &junitFailure{Message: f.title(), Type: string(f.Kind), Text: r.body(f)}
		}
		s.Cases = append(s.Cases, c)
		out.Tests++
	}
	slices.Sort(names)
	for _, name := range names {
		out.Suites = append(out.Suites, *suites[name])
		out.Failures += suites[name].Failures
	}
	return writeXML(w, out)
}

// writeXML writes an element. Logs show such files as they are, so characters that a terminal acts on are escaped, as in
// texts for people.
func writeXML(w io.Writer, element any) error {
	out, err := xml.MarshalIndent(element, "", "  ")
	if err == nil {
		_, err = io.WriteString(w, xml.Header+text.Visible(string(out))+"\n")
	}
	return err
}

// why returns why a finding is only a note.
func (f *Finding) why() string {
	if f.Rank != "" {
		return fmt.Sprintf("%s: %s", f.Rank, f.Title)
	}
	return fmt.Sprintf("%s: %s", f.Status, f.Title)
}

// body returns everything about a finding, for people.
func (r *Report) body(f *Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.Title)
	for _, s := range f.Steps {
		at := symbol.ParsePos(s.Pos)
		at.File = r.file(s.Pos)
		fmt.Fprintf(&b, "    %s: %s\n", at, s.Text)
	}
	if f.Inputs != "" {
		fmt.Fprintf(&b, "\n%s\n", f.Inputs)
	}
	if len(f.Reasons) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(f.Reasons, "\n"))
	}
	return b.String()
}
