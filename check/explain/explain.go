package explain

import (
	"fmt"
	"io"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// Options configure Text. The zero value works.
type Options struct {
	// Pos returns a position as it is to be written; nil leaves positions as they are.
	Pos func(pos string) string
	// Style colors positions and kinds.
	Style text.Style
	// Quiet says to write nothing if there is nothing to report.
	Quiet bool
}

// pos returns a position as it is to be written.
func (o *Options) pos(pos string) string {
	if o.Pos == nil {
		return pos
	}
	return o.Pos(pos)
}

// Text writes the warnings as compilers do, one line each, and then a summary and the number of
// functions skipped for each reason:
//
//	canvas.go:77:10: index: the index into c.cells is out of range [W12]
//	canvas.go:90:4: nil-deref: c is nil, if a call returns as assumed [W13]
//
// The second is a warning with status free. Warnings for which the solver found no counterexample
// are only counted. With Options.Quiet, nothing is written if nothing was found or left out.
func Text(w io.Writer, doc *schemas.Warnings, opt Options) error {
	if opt.Quiet && len(doc.Warnings)+len(doc.Skipped)+len(doc.Useless()) == 0 && doc.Baseline == nil && !doc.Incomplete {
		return nil
	}
	p := &printer{text.Printer{W: w, Style: opt.Style}}
	free, unknown, ignored := 0, 0, 0
	for i := range doc.Warnings {
		x := &doc.Warnings[i]
		if x.Known || x.Ignored != "" {
			if x.Ignored != "" {
				ignored++
			}
			continue
		}
		condition := ""
		switch x.Status {
		case schemas.Unknown:
			unknown++
			continue
		case schemas.Free:
			free++
			condition = ", if a call returns as assumed"
		}
		if x.Recovered {
			condition += ", and may be recovered"
		}
		p.Printf("%s: %s: %s%s [%s]\n", opt.Style.Bold(opt.pos(x.Pos)), opt.Style.Red(string(x.Kind)), x.Message, condition,
			x.ID)
	}
	p.Printf("%s checked, %s with a counterexample", text.Count(doc.Functions, "function"),
		text.Count(len(doc.Warnings)-unknown, "warning"))
	if free > 0 {
		p.Printf(" (%d if calls return as assumed)", free)
	}
	p.Printf(", %d without", unknown)
	if ignored > 0 {
		p.Printf(", %d ignored", ignored)
	}
	p.Printf("\n")
	for _, d := range doc.Useless() {
		p.Printf("%s: %s: %s\n", opt.Style.Bold(opt.pos(d.Pos)), d.Problem, d.Text)
	}
	if b := doc.Baseline; b != nil {
		p.Printf("%d new, %d known, %d gone since the baseline\n", b.New, b.Known, len(b.Gone))
	}
	p.Skipped("", doc.Skipped)
	if doc.Incomplete {
		p.Printf("The run was interrupted: the results are incomplete.\n")
	}
	return p.Err
}

// Warning writes everything about the warning with that id, in upper or lower case. invariants is
// the document that was assumed, or nil if it is unknown. The error is that there is no such
// warning, or that of w.
func Warning(w io.Writer, doc *schemas.Warnings, id string, invariants *schemas.Invariants) error {
	var x *schemas.Warning
	for i := range doc.Warnings {
		if strings.EqualFold(doc.Warnings[i].ID, id) {
			x = &doc.Warnings[i]
		}
	}
	if x == nil {
		if len(doc.Warnings) == 0 {
			return fmt.Errorf("no warning %s: the document has none", id)
		}
		return fmt.Errorf("no warning %s (want W1 to W%d)", id, len(doc.Warnings))
	}
	p := &printer{text.Printer{W: w}}
	p.Printf("%s  %s: %s\n    %s, when %s is called\n", x.ID, x.Pos, x.Kind, x.Message, x.Func)
	if x.Recovered {
		p.Printf("    a deferred function may recover the panic\n")
	}
	if len(x.Path) > 0 {
		p.Printf("\nPath:\n")
		for _, s := range x.Path {
			p.Printf("    %-24s %s\n", s.Pos, s.Note)
		}
	}
	if x.Counterexample == nil {
		p.Printf("\nThe solver found neither inputs that lead there nor a proof that there are none.\n")
	} else {
		p.inputs(x.Counterexample)
	}
	p.dependsOn(x)
	p.assumed(x, invariants)
	return p.Err
}

type printer struct{ text.Printer }

// inputs writes the parts of a counterexample that are constrained.
func (p *printer) inputs(ce *schemas.Counterexample) {
	v := &values{objects: ce.Objects}
	list := func(title string, inputs []schemas.Input) {
		titled := false
		for i := range inputs {
			value := v.text(&inputs[i].Node)
			if value == "" {
				continue
			}
			if !titled {
				p.Printf("\n%s:\n", title)
				titled = true
			}
			p.Printf("    %s = %s\n", inputs[i].Name, value)
		}
	}
	params := ce.Params
	if ce.Receiver != nil {
		params = append([]schemas.Input{*ce.Receiver}, params...)
	}
	list("Inputs (all others may have any value)", params)
	list("Package-level variables", ce.Globals)
	list("Assumed results of calls that were not followed", ce.Returns)
}

// dependsOn writes what the panic depends on besides the inputs.
func (p *printer) dependsOn(x *schemas.Warning) {
	if len(x.DependsOn) == 0 {
		return
	}
	p.Printf("\nThe panic also depends on\n")
	for _, what := range x.DependsOn {
		p.Printf("    %s\n", what)
	}
}

// assumed writes the invariants that the warning relies on.
func (p *printer) assumed(x *schemas.Warning, invariants *schemas.Invariants) {
	if len(x.Assumed) == 0 {
		return
	}
	exprs := map[string]string{}
	if invariants != nil {
		for _, pt := range invariants.Points {
			for _, inv := range pt.Invariants {
				exprs[inv.ID] = fmt.Sprintf("%s  at the %s of %s", inv.Expr, pt.At, pt.Func)
			}
		}
	}
	p.Printf("\nAssumed, because it held in all tests:\n")
	for _, id := range x.Assumed {
		if e := exprs[id]; e != "" {
			p.Printf("    %s  %s\n", id, e)
		} else {
			p.Printf("    %s\n", id)
		}
	}
}
