package page

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"dsd/internal/symbol"
	"dsd/internal/text"
	"dsd/schemas"
)

//go:embed page.html
var pageHTML string

//go:embed style.css
var style string

//go:embed page.js
var script string

// pageTemplate escapes all that comes from documents.
var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// The data of the page.
type (
	data struct {
		Title, Summary string
		Style          template.CSS
		Script         template.JS
		Packages       []*pkg
	}
	pkg struct {
		Path  string
		Items []*item
	}
	// item is a function, an interface's method or a type.
	item struct {
		Name, Short, ID string
		Points          []point
		Graph           template.HTML // of a type; "" if there is no model
		GraphText       string
	}
	point struct {
		Title, Tests string
		Invariants   []invariant
	}
	invariant struct {
		schemas.Invariant
		Evidence string
	}
)

// titles say what holds at program points.
var titles = map[schemas.At]string{
	schemas.AtEntry: "On entry", schemas.AtExit: "On return", schemas.AtPanic: "On panic", schemas.AtType: "Always",
}

// Write writes the invariants of functions and types whose names contain match, and the usage models of
// such types. Either document may be nil.
//
// Errors: no name contains match; those of w.
func Write(w io.Writer, doc *schemas.Invariants, models *schemas.Models, match string) error {
	p := &pages{items: map[string]*item{}, match: match}
	d := data{Style: template.CSS(style), Script: template.JS(script)}
	count := 0
	if doc != nil {
		d.Title = "Invariants of " + doc.Module.Path
		for i := range doc.Points {
			count += p.point(&doc.Points[i])
		}
	}
	graphs := 0
	if models != nil {
		if d.Title == "" {
			d.Title = "Usage models of " + models.Module.Path
		}
		for i := range models.Models {
			graphs += p.model(&models.Models[i])
		}
	}
	if len(p.items) == 0 {
		return fmt.Errorf("no function's name contains %q", match)
	}
	d.Summary = text.Count(len(p.items), "function or type")
	if len(p.items) != 1 {
		d.Summary = fmt.Sprintf("%d functions and types", len(p.items))
	}
	d.Summary += ", " + text.Count(count, "invariant")
	if graphs > 0 {
		d.Summary += ", " + text.Count(graphs, "usage model")
	}
	d.Packages = p.packages()
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, d); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// pages collects the items.
type pages struct {
	items map[string]*item
	match string
}

// item returns the item of a name, nil if it is not shown.
func (p *pages) item(name string) *item {
	if !strings.Contains(name, p.match) {
		return nil
	}
	x := p.items[name]
	if x == nil {
		x = &item{Name: name, Short: symbol.Short(name), ID: fmt.Sprintf("f%d", len(p.items))}
		p.items[name] = x
	}
	return x
}

// point adds a program point, and returns how many invariants it has.
func (p *pages) point(x *schemas.Point) int {
	it := p.item(x.Func)
	if it == nil {
		return 0
	}
	title := titles[x.At]
	if title == "" {
		title = "On return " + strings.TrimPrefix(string(x.At), string(schemas.AtExit))
	}
	out := point{Title: title + ", " + text.Count(int(x.Samples), "call")}
	var tests []string
	for _, t := range x.Tests {
		tests = append(tests, t[strings.LastIndexByte(t, '.')+1:])
	}
	out.Tests = strings.Join(tests, ", ")
	for _, inv := range slices.Concat(x.Invariants, x.Ambitious) {
		out.Invariants = append(out.Invariants, invariant{inv,
			fmt.Sprintf("%s, confidence %g", text.Count(int(inv.Samples), "sample"), inv.Confidence)})
	}
	it.Points = append(it.Points, out)
	return len(out.Invariants)
}

// model adds a usage model, and returns 1 if it is shown.
func (p *pages) model(m *schemas.Model) int {
	it := p.item(m.Type)
	if it == nil {
		return 0
	}
	var hidden int
	it.Graph, hidden = draw(m)
	it.GraphText = text.Count(int(m.Sequences), "call sequence")
	if hidden > 0 {
		it.GraphText += fmt.Sprintf("; %s that are seldom are not drawn", text.Count(hidden, "transition"))
	}
	return 1
}

// packages returns the items by package, sorted.
func (p *pages) packages() []*pkg {
	byPath := map[string]*pkg{}
	var out []*pkg
	for _, it := range p.items {
		path := symbol.Parse(it.Name).Package
		if path == "" {
			path = strings.TrimSuffix(it.Name, "."+it.Name[strings.LastIndexByte(it.Name, '.')+1:])
		}
		if byPath[path] == nil {
			byPath[path] = &pkg{Path: path}
			out = append(out, byPath[path])
		}
		byPath[path].Items = append(byPath[path].Items, it)
	}
	slices.SortFunc(out, func(a, b *pkg) int { return cmp.Compare(a.Path, b.Path) })
	for _, x := range out {
		slices.SortFunc(x.Items, func(a, b *item) int { // what is drawn comes first
			return cmp.Or(cmp.Compare(min(len(b.Graph), 1), min(len(a.Graph), 1)), cmp.Compare(a.Name, b.Name))
		})
	}
	return out
}
