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

// maxLit is how much of a literal is shown; how long it is stands behind it.
const maxLit = 200

// Recording writes what a recording holds, for people who are to send it to others: every string and number, by frame and in Go's words.
// What two frames share is shown once [REC 5.2].
func Recording(w io.Writer, doc *schemas.Recording) error {
	p := &printer{text.Printer{W: w}, doc.Module.Path, sources{}}
	p.Printf("recorded with %s for %s/%s", doc.Build.Go, doc.Build.OS, doc.Build.Arch)
	if doc.Label != "" {
		p.Printf(", %s", doc.Label)
	}
	p.Printf(", values copied: %s\n", doc.Copy)
	if len(doc.Build.Command) > 0 {
		p.Printf("command %s\n", quoted(doc.Build.Command))
	}
	for i := range doc.Crashes {
		c := &doc.Crashes[i]
		p.Printf("\n%s ", c.ID)
		message, _, _ := strings.Cut(c.Panic, "\n\ngoroutine ")
		p.Printf("%s\n", strings.ReplaceAll(strings.TrimSpace(message), "\n", "\n    "))
		if c.Ended == "program" {
			p.Printf("    it ended the program\n")
		} else if c.Ended != "" {
			p.Printf("    it was recovered %s\n", c.Ended)
		}
		v := &values{p: p, crash: c, shown: map[int]string{}}
		if c.Value != nil {
			v.show("panic value", c.Value)
		}
		for j := range c.Frames {
			f := &c.Frames[j]
			if f.Func == "" {
				continue
			}
			p.Printf("\n    %s at %s:%d\n", short(f.Func), filepath.Base(f.File), f.Line)
			if f.Receiver != nil {
				v.show(f.Receiver.Name, &f.Receiver.Node)
			}
			for k := range f.Params {
				v.show(f.Params[k].Name, &f.Params[k].Node)
			}
			for k := range f.Globals {
				v.show(short(f.Globals[k].Name), &f.Globals[k].Node)
			}
		}
		for _, l := range c.Lost {
			p.Printf("    not to be made again: %s, %d times\n", l.Reason, l.Count)
		}
	}
	return p.Err
}

// short is a name without the directories of its import path.
func short(name string) string {
	star := ""
	if strings.HasPrefix(name, "&") {
		star, name = "&", name[1:]
	}
	return star + symbol.Short(name)
}

func quoted(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%q", s))
	}
	return strings.Join(out, " ")
}

// values prints the values of one crash.
type values struct {
	p     *printer
	crash *schemas.RecordedCrash
	shown map[int]string // objects, and the path under which each was shown
}

// show prints what a node holds, under a path.
func (v *values) show(path string, n *schemas.Node) {
	switch {
	case n.Var != "":
		v.line(path, short(n.Var))
	case n.Lit != "" && n.Lost != "":
		v.line(path, n.Lit+" ("+n.Lost+")")
		return
	case n.Lit != "" && n.Lit != "nil":
		v.line(path, n.Lit)
	case n.Dynamic != nil:
		v.show(path, n.Dynamic)
	case n.Ref != nil:
		v.object(path, n)
	}
	if n.Lost != "" {
		v.line(path, "("+n.Lost+")")
	}
	v.parts(path, n)
}

// parts prints the fields and elements of a node.
func (v *values) parts(path string, n *schemas.Node) {
	for i := range n.Fields {
		v.show(path+"."+n.Fields[i].Name, &n.Fields[i].Node)
	}
	for i := range n.Elems {
		e := &n.Elems[i]
		index := fmt.Sprintf("[%d]", e.Index)
		if e.Key != nil {
			if e.Key.Lit != "" {
				index = "[" + e.Key.Lit + "]"
			} else {
				v.show(path+".key"+index, e.Key)
			}
			if e.Value.Lit == "" && e.Value.Ref == nil && e.Value.Dynamic == nil && len(e.Value.Fields) == 0 { // the key is what there is to see
				v.line(path+index, "")
			}
		}
		v.show(path+index, &e.Value)
	}
}

// object prints what a node refers to, or where that is shown already.
func (v *values) object(path string, n *schemas.Node) {
	if at, ok := v.shown[*n.Ref]; ok {
		if at != path {
			v.line(path, "= "+at+n.Path)
		}
		return
	}
	v.shown[*n.Ref] = path
	v.show(path, &v.crash.Objects[*n.Ref])
}

func (v *values) line(path, lit string) {
	if len(lit) > maxLit {
		lit = fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(lit[:maxLit], "?"), len(lit))
	}
	v.p.Printf("        %s %s\n", path, lit)
}
