package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"dsd/schemas"
)

// hostile is a text that must stay one.
const hostile = `</script><img src=x onerror=alert(1)>"'&]]>`

// TestWrite: conditions, tests and models are on the page, and no text becomes markup.
func TestWrite(t *testing.T) {
	doc := &schemas.Invariants{}
	doc.Module.Path = "m/" + hostile
	doc.Points = []schemas.Point{
		{Func: "m/p.(*T).Push", At: schemas.AtEntry, Samples: 12, Tests: []string{"m/p.TestPush"},
			Invariants: []schemas.Invariant{{ID: "I1", Expr: "n >= 0", Samples: 12, Confidence: 0.99, Assumed: true}},
			Ambitious:  []schemas.Invariant{{ID: "I2", Expr: "s == " + hostile}}},
		{Func: "m/p.T", At: schemas.AtType, Samples: 1},
	}
	models := &schemas.Models{Models: []schemas.Model{{Type: "m/p.T", Sequences: 7, Transitions: []schemas.Transition{
		{From: "", To: "m/p.New", Count: 7}, {From: "m/p.New", To: "m/p.(*T).Push", Count: 7},
		{From: "m/p.(*T).Push", To: "m/p.(*T).Push", Count: 9}, {From: "m/p.(*T).Push", To: "m/p.New", Count: 1},
		{From: hostile, To: hostile + "{}", Count: 1},
	}}}}
	var b bytes.Buffer
	if err := Write(&b, doc, models, ""); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, want := range []string{
		"2 functions and types, 2 invariants, 1 usage model", "<code>n &gt;= 0</code>", "On entry, 12 calls",
		"TestPush", "not assumed", "7 call sequences", `<rect`, ">Push</text>", ">new object</text>", ">90%</text>",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(out, "<img") || strings.Count(out, "<script") != 1 {
		t.Error("a text became markup")
	}
	svg := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindString(out)
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the drawing is no XML: %v\n%s", err, svg)
		}
	}
	if err := Write(io.Discard, doc, nil, "Gone"); err == nil {
		t.Error("no error for a name that nothing has")
	}
}

// FuzzDraw: models of any shape and with any names become drawings of a finite size.
func FuzzDraw(f *testing.F) {
	f.Add("a b c\nb a 9\n")
	f.Add("\n x 1\nx x 5\ny z 2\n")
	f.Fuzz(func(t *testing.T, text string) {
		m := &schemas.Model{Type: "T"}
		for i, line := range strings.Split(text, "\n") {
			from, to, _ := strings.Cut(line, " ")
			m.Transitions = append(m.Transitions, schemas.Transition{From: from, To: to, Count: int64(i + 1)})
		}
		svg, _ := draw(m)
		numbers := regexp.MustCompile(`>[^<]*<`).ReplaceAllString(string(svg), "><") // without texts
		if strings.Contains(numbers, "NaN") || strings.Contains(numbers, "Inf") {
			t.Errorf("%q: %s", text, svg)
		}
	})
}
