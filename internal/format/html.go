package format

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"io"
	"strconv"

	"dsd/internal/kind"
	"dsd/internal/symbol"
	"dsd/internal/text"
	"dsd/schemas"
)

// A page of HTML has all it needs in one file: the crashes and the source lines around them as JSON, and the script
// that shows them. No text becomes part of the page but as text: the JSON has no "<", and the script sets textContent.

//go:embed html/page.html
var htmlPage string

//go:embed html/style.css
var htmlStyle string

//go:embed html/app.js
var htmlScript string

var htmlTemplate = template.Must(template.New("page").Parse(htmlPage))

// aroundHTML is the number of source lines before and after one that is shown.
const aroundHTML = 4

// The data of the page.
type (
	htmlData struct {
		Summary    string                  `json:"summary"`
		Incomplete bool                    `json:"incomplete"`
		Ranks      []schemas.Rank          `json:"ranks"`
		Crashes    []htmlCrash             `json:"crashes"`
		Skipped    []schemas.Skipped       `json:"skipped"`
		Sources    map[string]htmlLines    `json:"sources"` // by file
		Kinds      map[string]htmlKindText `json:"kinds"`
	}
	htmlLines    map[string]string // by number
	htmlKindText struct {
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	htmlCrash struct {
		ID          string       `json:"id"`
		Fingerprint string       `json:"fingerprint"`
		Kind        schemas.Kind `json:"kind"`
		Rank        schemas.Rank `json:"rank"`
		Func        string       `json:"func"`
		Short       string       `json:"short"`
		Package     string       `json:"package"`
		Pos         string       `json:"pos"`
		Message     string       `json:"message"`
		Inputs      string       `json:"inputs"`
		Steps       []htmlStep   `json:"steps"`
		Signs       []htmlSign   `json:"signs"`
		Test        htmlTest     `json:"test"`
		Warning     string       `json:"warning"`
		Satisfies   bool         `json:"satisfies"`
	}
	htmlStep struct {
		Pos  string `json:"pos"`
		Text string `json:"text"`
	}
	htmlSign struct {
		Weight int    `json:"weight"`
		Text   string `json:"text"`
	}
	htmlTest struct {
		File   string `json:"file"`
		Source string `json:"source"`
	}
)

// writeHTML writes a report of crashes as a page.
func writeHTML(w io.Writer, r *Report) error {
	d := htmlData{
		Incomplete: r.Incomplete, Ranks: schemas.Ranks, Crashes: []htmlCrash{}, Skipped: []schemas.Skipped{},
		Sources: map[string]htmlLines{}, Kinds: map[string]htmlKindText{},
	}
	d.Skipped = append(d.Skipped, r.Skipped...)
	for _, k := range kind.Docs {
		d.Kinds[string(k.Kind)] = htmlKindText{k.Title, k.Text}
	}
	count := map[schemas.Rank]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		c, ok := r.Objects[i].(*schemas.Crash)
		if !ok {
			continue
		}
		h := htmlCrash{
			ID: c.ID, Fingerprint: c.Fingerprint, Kind: c.Kind, Rank: c.Rank, Func: c.Func, Short: f.where(),
			Package: symbol.Parse(c.Func).Package, Pos: c.Pos, Message: c.Message, Inputs: f.Inputs,
			Steps: []htmlStep{}, Signs: []htmlSign{}, Test: htmlTest{f.Test, c.Test.Source}, Warning: c.Warning,
			Satisfies: c.SatisfiesInvariants,
		}
		if h.Rank == "" {
			h.Rank = schemas.Look
		}
		count[h.Rank]++
		for _, s := range f.Steps {
			h.Steps = append(h.Steps, htmlStep(s))
			d.addLines(r, s.Pos)
		}
		for _, s := range c.Signs {
			h.Signs = append(h.Signs, htmlSign{s.Weight, s.Text})
		}
		d.Crashes = append(d.Crashes, h)
	}
	d.Summary = text.Count(len(d.Crashes), "crash")
	for _, rank := range schemas.Ranks {
		d.Summary += ", " + strconv.Itoa(count[rank]) + " " + string(rank)
	}
	var data bytes.Buffer
	e := json.NewEncoder(&data) // it escapes <, > and &
	if err := e.Encode(d); err != nil {
		return err
	}
	return htmlTemplate.Execute(w, map[string]any{
		"Title": "Crashes of " + r.Module.Path, "Summary": d.Summary, "Style": template.CSS(htmlStyle),
		"Script": template.JS(htmlScript), "Data": template.JS(data.String()),
	})
}

// addLines adds the source lines around a position.
func (d *htmlData) addLines(r *Report, pos string) {
	at := symbol.ParsePos(pos)
	if r.Line == nil || at.Line == 0 {
		return
	}
	for n := at.Line - aroundHTML; n <= at.Line+aroundHTML; n++ {
		if line := r.Line(at.File, n); line != "" {
			if d.Sources[at.File] == nil {
				d.Sources[at.File] = htmlLines{}
			}
			d.Sources[at.File][strconv.Itoa(n)] = line
		}
	}
}
