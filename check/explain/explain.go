package explain

import (
	"fmt"
	"io"
	"strings"

	"dsd/internal/text"
	"dsd/schemas"
)

// Text writes the warnings as compilers do, a line each, and then what was not looked at:
//
//	canvas.go:77:10: index: the index into c.cells is out of range [W12]
//
// Warnings of which the solver found no counterexample are only counted.
func Text(w io.Writer, doc *schemas.Warnings) error {
	p := &printer{text.Printer{W: w}}
	open := 0
	for i := range doc.Warnings {
		x := &doc.Warnings[i]
		if x.Status != schemas.Sat {
			open++
			continue
		}
		p.Printf("%s: %s: %s [%s]\n", x.Pos, x.Kind, x.Message, x.ID)
	}
	p.Printf("%s\n", text.Count(doc.Functions, "function")+" checked, "+text.Count(len(doc.Warnings)-open, "warning")+" with a counterexample, "+fmt.Sprint(open)+" without")
	p.Skipped("", doc.Skipped)
	if doc.Incomplete {
		p.Printf("The run was interrupted: this is not all.\n")
	}
	return p.Err
}

// Warning writes all there is to say of the warning named id. invariants, if not nil, are those that the document
// assumed. The error says that there is no such warning, or that writing failed.
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
	if len(x.Path) > 0 {
		p.Printf("\nThe way there:\n")
		for _, s := range x.Path {
			p.Printf("    %-24s %s\n", s.Pos, s.Note)
		}
	}
	if x.Counterexample == nil {
		p.Printf("\nThe solver could neither find inputs that lead there nor show that there are none.\n")
	} else {
		p.inputs(x.Counterexample)
	}
	p.assumed(x, invariants)
	return p.Err
}

type printer struct{ text.Printer }

func (p *printer) inputs(ce *schemas.Counterexample) {
	g := &graph{ce: ce}
	list := func(title string, ins []schemas.Input) {
		any := false
		for i := range ins {
			value := g.text(&ins[i].Node)
			if value == "" {
				continue
			}
			if !any {
				p.Printf("\n%s:\n", title)
				any = true
			}
			p.Printf("    %s = %s\n", ins[i].Name, value)
		}
	}
	params := ce.Params
	if ce.Receiver != nil {
		params = append([]schemas.Input{*ce.Receiver}, params...)
	}
	list("Inputs (what is not named may be anything)", params)
	list("Package-level variables", ce.Globals)
	list("Calls that were not followed are taken to return", ce.Returns)
}

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

// graph prints nodes of a counterexample in Go syntax.
type graph struct {
	ce   *schemas.Counterexample
	open []int // objects being printed
}

// maxText is about how long the text of a value may become.
const maxText = 200

// text is the node as Go would write it, "" if it may be anything. An object inside itself is "...".
func (g *graph) text(n *schemas.Node) string {
	t := short(n.Type)
	switch {
	case strings.HasPrefix(n.Type, "func(") && n.Lit == "func":
		return "any function but nil"
	case strings.HasPrefix(n.Type, "func(") && len(n.Elems) > 0:
		return "a function that returns, call by call, {" + g.elems(n) + "}"
	case n.Lit != "":
		return n.Lit
	case n.Ref != nil:
		return g.reference(n, t)
	case n.Dynamic != nil:
		if s := g.text(n.Dynamic); s != "" {
			if n.Dynamic.Lit != "" && n.Dynamic.Lit != "nil" {
				return short(n.Dynamic.Type) + "(" + s + ")"
			}
			return s
		}
		return "any " + short(n.Dynamic.Type)
	case len(n.Fields) > 0:
		return t + "{" + g.fields(n) + "}"
	case len(n.Elems) > 0:
		return t + "{" + g.elems(n) + "}"
	}
	return ""
}

func (g *graph) reference(n *schemas.Node, t string) string {
	for _, o := range g.open {
		if o == *n.Ref {
			return "... (the same object again)"
		}
	}
	if *n.Ref >= len(g.ce.Objects) {
		return "?"
	}
	g.open = append(g.open, *n.Ref)
	defer func() { g.open = g.open[:len(g.open)-1] }()
	o := &g.ce.Objects[*n.Ref]
	inside := g.fields(o)
	if inside == "" {
		inside = g.elems(o)
	}
	if o.Closed {
		inside = strings.TrimPrefix(inside+", closed", ", ")
	}
	if len(inside) > maxText {
		inside = inside[:maxText] + "..."
	}
	switch {
	case strings.HasPrefix(t, "*"):
		return "&" + t[1:] + "{" + inside + "}"
	case strings.HasPrefix(t, "[]") && n.Len != nil:
		size := fmt.Sprintf("len %d", *n.Len)
		if n.Cap != nil {
			size += fmt.Sprintf(", cap %d", *n.Cap)
		}
		return fmt.Sprintf("%s{%s} (%s)", t, inside, size)
	}
	return t + "{" + inside + "}"
}

func (g *graph) fields(n *schemas.Node) string {
	var parts []string
	for i := range n.Fields {
		if s := g.text(&n.Fields[i].Node); s != "" {
			parts = append(parts, n.Fields[i].Name+": "+s)
		}
	}
	return strings.Join(parts, ", ")
}

func (g *graph) elems(n *schemas.Node) string {
	var parts []string
	for i := range n.Elems {
		e := &n.Elems[i]
		s := g.text(&e.Value)
		switch {
		case e.Key != nil && s == "":
			parts = append(parts, g.text(e.Key)+": any")
		case e.Key != nil:
			parts = append(parts, g.text(e.Key)+": "+s)
		case s != "":
			parts = append(parts, fmt.Sprintf("%d: %s", e.Index, s))
		}
	}
	return strings.Join(parts, ", ")
}

// short drops the directories of package paths from a type.
func short(t string) string {
	var out strings.Builder
	word := 0
	for i := 0; i <= len(t); i++ {
		if i < len(t) && !strings.ContainsRune("*[]{}(), ", rune(t[i])) {
			continue
		}
		w := t[word:i]
		if j := strings.LastIndexByte(w, '/'); j >= 0 {
			w = w[j+1:]
		}
		out.WriteString(w)
		if i < len(t) {
			out.WriteByte(t[i])
		}
		word = i + 1
	}
	return out.String()
}
