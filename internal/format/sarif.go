package format

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dsd/internal/kind"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// The parts of SARIF 2.1.0 that are written, with the specification's names.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool            `json:"tool"`
		Invocations []sarifInvocation    `json:"invocations"`
		BaseIDs     map[string]sarifBase `json:"originalUriBaseIds"`
		ColumnKind  string               `json:"columnKind"`
		Results     []sarifResult        `json:"results"`
	}
	sarifBase struct {
		Description sarifText `json:"description"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Name    string    `json:"name"`
		Short   sarifText `json:"shortDescription"`
		Full    sarifText `json:"fullDescription"`
		Help    sarifText `json:"help"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifText struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		State        string            `json:"baselineState,omitempty"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		CodeFlows    []sarifCodeFlow   `json:"codeFlows,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
		// Suppressions is empty, rather than absent, if it is known that there are none.
		Suppressions []sarifSuppression `json:"suppressions"`
		Properties   map[string]string  `json:"properties"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
	sarifCodeFlow struct {
		Threads []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifThreadLocation `json:"locations"`
	}
	sarifThreadLocation struct {
		Location sarifLocation `json:"location"`
	}
)

const (
	sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"
	// sarifBaseID names the directory that paths are relative to.
	sarifBaseID = "SRCROOT"
	// sarifFingerprint names our fingerprint, with its version.
	sarifFingerprint = "dsd/v1"
)

var sarifLevels = map[Level]string{Error: "error", Warning: "warning", Note: "note"}

// writeSARIF writes a SARIF log with one run.
func writeSARIF(w io.Writer, r *Report) error {
	run := sarifRun{
		Tool:    sarifTool{sarifDriver{Name: "dsd " + r.Tool, Version: r.Version}},
		BaseIDs: map[string]sarifBase{sarifBaseID: {sarifText{Text: "the directory in which dsd ran"}}},
		// Ours count bytes; they are converted where the source can be read, and left out elsewhere.
		ColumnKind:  "utf16CodeUnits",
		Invocations: []sarifInvocation{{Successful: !r.Incomplete}},
		Results:     []sarifResult{},
	}
	for _, s := range r.Skipped {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{
			"note", sarifText{Text: fmt.Sprintf("%s is skipped: %s", s.Func, s.Reason)},
		})
	}
	rules := map[schemas.Kind]int{}
	for i, d := range kind.Docs {
		rules[d.Kind] = i
		rule := sarifRule{
			ID: "dsd/" + string(d.Kind), Name: camelCase(d.Title), Short: sarifText{Text: d.Title},
			Full: sarifText{Text: d.Text}, Help: sarifText{Text: d.Text, Markdown: d.Markdown()},
		}
		rule.Default.Level = "warning"
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		result := sarifResult{
			RuleID: "dsd/" + string(f.Kind), RuleIndex: rules[f.Kind], State: f.State, Level: sarifLevels[f.Level],
			Message: f.sarifMessage(), Locations: []sarifLocation{r.location(f.place(), f.Func, "")},
			Properties: map[string]string{"id": f.ID}, Suppressions: []sarifSuppression{},
		}
		if f.Ignored != "" {
			result.Suppressions = append(result.Suppressions, sarifSuppression{"inSource", f.Ignored})
		}
		if f.Fingerprint != "" {
			result.Fingerprints = map[string]string{sarifFingerprint: f.Fingerprint}
		}
		for name, value := range map[string]string{"rank": string(f.Rank), "status": string(f.Status), "test": f.Test} {
			if value != "" {
				result.Properties[name] = value
			}
		}
		if len(f.Steps) > 1 {
			var flow sarifThreadFlow
			for _, s := range f.Steps {
				flow.Locations = append(flow.Locations, sarifThreadLocation{r.location(s.Pos, "", s.Text)})
			}
			result.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{flow}}}
		}
		if f.Fix != nil {
			result.Fixes = []sarifFix{r.sarifFix(f.Fix)}
		}
		run.Results = append(run.Results, result)
	}
	for _, g := range r.Gone {
		run.Results = append(run.Results, sarifResult{
			RuleID: "dsd/" + string(g.Kind), RuleIndex: rules[g.Kind], State: "absent", Level: "none",
			Message:      sarifText{Text: fmt.Sprintf("%s in calls of %s: gone", g.Kind, symbol.Short(g.Func))},
			Locations:    []sarifLocation{r.location(g.Pos, g.Func, "")},
			Fingerprints: map[string]string{sarifFingerprint: g.Fingerprint}, Properties: map[string]string{"id": g.ID},
			Suppressions: []sarifSuppression{},
		})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// sarifMessage returns what a viewer shows of a finding.
func (f *Finding) sarifMessage() sarifText {
	m := sarifText{Text: fmt.Sprintf("%s, in calls of %s", f.title(), f.where())}
	if f.Inputs != "" {
		m.Text += ":\n" + f.Inputs
		m.Markdown = fmt.Sprintf("%s, in calls of %s:\n\n%s", plainMarkdown(f.title()), plainMarkdown(f.where()),
			fenced(f.Inputs))
	}
	return m
}

// location returns a place, with the function that it belongs to and a message, "" for none.
func (r *Report) location(pos, function, message string) sarifLocation {
	var out sarifLocation
	at := symbol.ParsePos(pos)
	if at.File != "" {
		p := &sarifPhysical{Artifact: r.artifact(pos)}
		if at.Line > 0 {
			p.Region = &sarifRegion{StartLine: at.Line, StartColumn: r.column(at)}
		}
		out.Physical = p
	}
	if function != "" {
		out.Logical = []sarifLogical{{function, "function"}}
	}
	if message != "" {
		out.Message = &sarifText{Text: message}
	}
	return out
}

// artifact returns the file of a position.
func (r *Report) artifact(pos string) sarifArtifact {
	a := sarifArtifact{URI: (&url.URL{Path: r.file(pos)}).String()}
	if !strings.Contains(symbol.ParsePos(pos).File, "@") {
		a.BaseID = sarifBaseID
	}
	return a
}

// sarifFix returns a change as a viewer applies it.
func (r *Report) sarifFix(f *Fix) sarifFix {
	change := sarifChange{Artifact: r.artifact(f.File + ":1")}
	for _, e := range f.Edits {
		change.Replacements = append(change.Replacements, sarifReplacement{
			sarifRegion{
				e.FromLine, r.column(symbol.Pos{File: f.File, Line: e.FromLine, Col: e.FromCol}),
				e.ToLine, r.column(symbol.Pos{File: f.File, Line: e.ToLine, Col: e.ToCol}),
			},
			sarifText{Text: e.Text},
		})
	}
	return sarifFix{sarifText{Text: f.Summary}, []sarifChange{change}}
}

// column returns the column of a position in UTF-16 code units, 0 if it is not known.
func (r *Report) column(at symbol.Pos) int {
	if at.Col == 0 || r.Line == nil {
		return 0
	}
	line := r.Line(at.File, at.Line)
	if at.Col-1 > len(line) {
		return 0
	}
	n := 1
	for _, c := range line[:at.Col-1] {
		if c == utf8.RuneError {
			n++ // a byte that is no UTF-8
			continue
		}
		n += len(utf16.AppendRune(nil, c))
	}
	return n
}

// camelCase returns the words of a title as a name.
func camelCase(title string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(title, func(c rune) bool { return c < 'A' || c > 'z' }) {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// plainMarkdown escapes what has a meaning in Markdown.
func plainMarkdown(s string) string {
	var out strings.Builder
	for _, c := range s {
		if strings.ContainsRune("\\`*_{}[]<>()#+-.!|~&", c) {
			out.WriteByte('\\')
		}
		if c == '\n' || c == '\r' {
			c = ' '
		}
		out.WriteRune(c)
	}
	return out.String()
}

// fenced returns Go source as a block of Markdown, with a fence that is not in it.
func fenced(source string) string {
	fence := "```"
	for strings.Contains(source, fence) {
		fence += "`"
	}
	return fence + "go\n" + source + "\n" + fence + "\n"
}
