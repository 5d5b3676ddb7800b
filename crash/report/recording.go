package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"dsd/internal/symbol"
	"dsd/internal/text"
	"dsd/schemas"
)

// maxLiteral is the number of bytes of a literal that are printed; its length follows.
const maxLiteral = 200

// Recording prints a recording for people who want to know what it contains before they send it to
// others: every string and number, by frame, as Go literals. A value that two frames share is
// printed once [REC 5.2].
func Recording(w io.Writer, doc *schemas.Recording) error {
	p := &printer{text.Printer{W: w}, &doc.Module, sources{}, false}
	p.Printf("recorded with %s for %s/%s", doc.Build.Go, doc.Build.OS, doc.Build.Arch)
	if doc.Label != "" {
		p.Printf(", %s", doc.Label)
	}
	p.Printf(", values copied: %s\n", doc.Copy)
	if len(doc.Build.Command) > 0 {
		p.Printf("command %s\n", quoted(doc.Build.Command))
	}
	for i := range doc.Crashes {
		p.recordedCrash(&doc.Crashes[i])
	}
	return p.Err
}

// recordedCrash prints the message of a panic, how it ended, and the values of its frames.
func (p *printer) recordedCrash(c *schemas.RecordedCrash) {
	message, _, _ := strings.Cut(c.Panic, "\n\ngoroutine ")
	message = strings.ReplaceAll(strings.TrimSpace(message), "\n", "\n    ")
	p.Printf("\n%s %s\n", c.ID, message)
	switch c.Ended {
	case "":
	case "program":
		p.Printf("    it ended the program\n")
	default:
		p.Printf("    it was recovered %s\n", c.Ended)
	}
	v := &valuePrinter{p: p, crash: c, printed: map[int]string{}}
	if c.Value != nil {
		v.node("panic value", c.Value)
	}
	for i := range c.Frames {
		f := &c.Frames[i]
		if f.Func == "" {
			continue
		}
		p.Printf("\n    %s at %s:%d\n", shortName(f.Func), filepath.Base(f.File), f.Line)
		if f.Receiver != nil {
			v.node(f.Receiver.Name, &f.Receiver.Node)
		}
		for j := range f.Params {
			v.node(f.Params[j].Name, &f.Params[j].Node)
		}
		for j := range f.Globals {
			v.node(shortName(f.Globals[j].Name), &f.Globals[j].Node)
		}
	}
	for _, l := range c.Lost {
		p.Printf("    cannot be replayed: %s, %d times\n", l.Reason, l.Count)
	}
}

// shortName returns a name, or the address of one, without the directories of its import path.
func shortName(name string) string {
	if rest, ok := strings.CutPrefix(name, "&"); ok {
		return "&" + symbol.Short(rest)
	}
	return symbol.Short(name)
}

func quoted(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%q", s))
	}
	return strings.Join(out, " ")
}

// valuePrinter prints the values of one crash.
type valuePrinter struct {
	p     *printer
	crash *schemas.RecordedCrash
	// printed has the path under which each object was printed, by the object's index.
	printed map[int]string
}

// node prints the values in a node under a path.
func (v *valuePrinter) node(path string, n *schemas.Node) {
	switch {
	case n.Var != "":
		v.line(path, shortName(n.Var))
	case n.Lit != "" && n.Lost != "":
		v.line(path, n.Lit+" ("+n.Lost+")")
		return
	case n.Lit != "" && n.Lit != "nil":
		v.line(path, n.Lit)
	case n.Dynamic != nil:
		v.node(path, n.Dynamic)
	case n.Ref != nil:
		v.object(path, n)
	}
	if n.Lost != "" {
		v.line(path, "("+n.Lost+")")
	}
	for i := range n.Fields {
		v.node(path+"."+n.Fields[i].Name, &n.Fields[i].Node)
	}
	for i := range n.Elems {
		v.elem(path, &n.Elems[i])
	}
}

// elem prints the values in an element of a slice, array or map.
func (v *valuePrinter) elem(path string, e *schemas.Elem) {
	index := fmt.Sprintf("[%d]", e.Index)
	if e.Key != nil {
		if e.Key.Lit != "" {
			index = "[" + e.Key.Lit + "]"
		} else {
			v.node(path+".key"+index, e.Key)
		}
		empty := e.Value.Lit == "" && e.Value.Ref == nil && e.Value.Dynamic == nil
		if empty && len(e.Value.Fields) == 0 {
			v.line(path+index, "") // the key is all there is to see
		}
	}
	v.node(path+index, &e.Value)
}

// object prints the object that a node refers to, or the path under which it was printed before.
func (v *valuePrinter) object(path string, n *schemas.Node) {
	if at, ok := v.printed[*n.Ref]; ok {
		if at != path {
			v.line(path, "= "+at+n.Path)
		}
		return
	}
	v.printed[*n.Ref] = path
	v.node(path, &v.crash.Objects[*n.Ref])
}

// line prints a literal, cut off if it is long.
func (v *valuePrinter) line(path, lit string) {
	if len(lit) > maxLiteral {
		lit = fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(lit[:maxLiteral], "?"),
			len(lit))
	}
	v.p.Printf("        %s %s\n", path, lit)
}
