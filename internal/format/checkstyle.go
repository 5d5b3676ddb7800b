package format

import (
	"encoding/xml"
	"io"

	"dsd/internal/symbol"
)

// The elements of Checkstyle's XML, as editors and CI services read it.
type (
	checkstyle struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr,omitempty"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// checkstyleSeverities are the severities of levels.
var checkstyleSeverities = map[Level]string{Error: "error", Warning: "warning", Note: "info"}

// writeCheckstyle writes the findings file by file, in the order of the first finding of each.
func writeCheckstyle(w io.Writer, r *Report) error {
	out := checkstyle{Version: "8.0"}
	index := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		name := r.file(f.place())
		n, ok := index[name]
		if !ok {
			n = len(out.Files)
			index[name] = n
			out.Files = append(out.Files, checkstyleFile{Name: name})
		}
		at := symbol.ParsePos(f.place())
		out.Files[n].Errors = append(out.Files[n].Errors, checkstyleError{
			Line: max(at.Line, 1), Column: at.Col, Severity: checkstyleSeverities[f.Level],
			Message: f.title() + ", in calls of " + f.where() + " [" + f.ID + "]", Source: "dsd." + string(f.Kind),
		})
	}
	return writeXML(w, out)
}
