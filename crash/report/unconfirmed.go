package report

import (
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// outcomeWords say what became of a warning, in a summary.
var outcomeWords = map[schemas.Outcome]string{
	schemas.Refuted:  "refuted by a run",
	schemas.NoWay:    "without a public way",
	schemas.Open:     "not settled",
	schemas.HeldBack: "held back by policy",
	schemas.Ignored:  "ignored",
	"":               "unconfirmed", // in older documents
}

// outcomes prints what became of n warnings: each is counted once.
func (p *printer) outcomes(doc *schemas.Crashes, n int) {
	count := map[schemas.Outcome]int{}
	for _, u := range doc.Unconfirmed {
		count[u.Outcome]++
	}
	p.Printf("%d confirmed", n-len(doc.Unconfirmed))
	if k := doc.Stats.NoPublicWay; k > 0 {
		p.Printf(" (%d by code inside the package only)", k)
	}
	for _, o := range append(schemas.Outcomes, "") {
		if count[o] > 0 {
			p.Printf(", %d %s", count[o], outcomeWords[o])
		}
	}
	p.Printf("\n")
}

// unconfirmed lists the warnings that are no reported crash, by what became of them. Without the
// warnings document w, they have their IDs only.
func (p *printer) unconfirmed(doc *schemas.Crashes, w *schemas.Warnings) {
	byID := map[string]*schemas.Warning{}
	if w != nil {
		for i := range w.Warnings {
			byID[w.Warnings[i].ID] = &w.Warnings[i]
		}
	}
	for _, o := range append(schemas.Outcomes, "") {
		first := true
		for _, u := range doc.Unconfirmed {
			if u.Outcome != o {
				continue
			}
			if first {
				p.Printf("\nWarnings %s:\n", outcomeWords[o])
				first = false
			}
			if x := byID[u.Warning]; x != nil {
				p.Printf("%s %s: %s in %s\n", u.Warning, x.Pos, x.Kind, x.Func)
				p.Printf("    %s\n", text.Message(x.Message, "    "))
			} else {
				p.Printf("%s\n", u.Warning)
			}
			p.Printf("    %s\n", text.Indent(strings.TrimPrefix(u.Reason, PolicyReason), "    "))
		}
	}
}
