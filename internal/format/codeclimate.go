package format

import (
	"encoding/json"
	"fmt"
	"io"

	"dsd/internal/symbol"
)

// The objects of Code Climate's format, as GitLab reads it: a list of issues.
type (
	codeClimateIssue struct {
		Type        string              `json:"type"`
		Check       string              `json:"check_name"`
		Description string              `json:"description"`
		Content     *codeClimateText    `json:"content,omitempty"`
		Categories  []string            `json:"categories"`
		Fingerprint string              `json:"fingerprint"`
		Severity    string              `json:"severity"`
		Location    codeClimateLocation `json:"location"`
	}
	codeClimateText struct {
		Body string `json:"body"`
	}
	codeClimateLocation struct {
		Path  string           `json:"path"`
		Lines codeClimateLines `json:"lines"`
	}
	codeClimateLines struct {
		Begin int `json:"begin"`
	}
)

// codeClimateSeverities are the severities of levels.
var codeClimateSeverities = map[Level]string{Error: "critical", Warning: "major", Note: "info"}

// writeCodeClimate writes the findings as a list of issues.
func writeCodeClimate(w io.Writer, r *Report) error {
	list := []codeClimateIssue{}
	for i := range r.Findings {
		f := &r.Findings[i]
		at := symbol.ParsePos(f.place())
		print := f.Fingerprint
		if print == "" { // of a document of an older version
			print = f.ID
		}
		list = append(list, codeClimateIssue{
			Type: "issue", Check: "dsd/" + string(f.Kind), Description: printable(fmt.Sprintf("%s, in calls of %s", f.title(), f.where())),
			Content: &codeClimateText{printable(r.body(f))}, Categories: []string{"Bug Risk"}, Fingerprint: print,
			Severity: codeClimateSeverities[f.Level], Location: codeClimateLocation{r.file(f.place()), codeClimateLines{max(at.Line, 1)}},
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(list)
}
