package page

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"dsd/internal/symbol"
	"dsd/schemas"
)

const (
	// maxNodes is the number of calls that are drawn, those that are made most often.
	maxNodes = 30
	// minShare is the least share of the transitions from a call that is drawn, of more than fewTransitions.
	minShare       = 0.05
	fewTransitions = 12
	// The sizes of the drawing.
	nodeHeight, rowHeight, columnGap, letter, margin = 30, 58, 90, 7.3, 34
	maxLetters                                       = 28
)

// node is a call in a drawing, or the object before any call.
type node struct {
	name, label   string
	layer, row    int
	x, y, w       float64
	count, outSum int64
}

// draw returns a model as SVG: calls from left to right in the order in which they can first be made,
// and arrows with the share of the objects that go that way. hidden is the number of transitions that are left out.
func draw(m *schemas.Model) (svg template.HTML, hidden int) {
	nodes := map[string]*node{}
	of := func(name string) *node {
		n := nodes[name]
		if n == nil {
			n = &node{name: name, label: label(name)}
			if utf8.RuneCountInString(n.label) > maxLetters {
				n.label = string([]rune(n.label)[:maxLetters-1]) + "…"
			}
			nodes[name] = n
		}
		return n
	}
	for _, t := range m.Transitions {
		of(t.From).outSum += t.Count
		of(t.To).count += t.Count
	}
	shown := map[string]bool{"": true}
	byCount := slices.SortedFunc(maps.Values(nodes), func(a, b *node) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.name, b.name))
	})
	for _, n := range byCount[:min(maxNodes, len(byCount))] {
		shown[n.name] = true
	}
	most := map[string]schemas.Transition{} // the way to a call that is taken most often
	for _, t := range m.Transitions {
		if shown[t.From] && t.From != t.To && t.Count > most[t.To].Count {
			most[t.To] = t
		}
	}
	var edges []schemas.Transition
	for _, t := range m.Transitions {
		share := float64(t.Count) / float64(of(t.From).outSum)
		seldom := len(m.Transitions) > fewTransitions && share < minShare && most[t.To] != t
		if !shown[t.From] || !shown[t.To] || seldom {
			hidden++
			continue
		}
		edges = append(edges, t)
	}
	of("")
	width, height := place(nodes, edges)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="%s">`,
		width, height, width, height, template.HTMLEscapeString("Usage model of "+m.Type))
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" ` +
		`markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>`)
	for _, t := range edges {
		from := of(t.From)
		writeEdge(&b, from, of(t.To), float64(t.Count)/float64(from.outSum), t.Count)
	}
	for _, n := range byLayer(nodes) {
		class := "node"
		if n.name == "" {
			class = "node start"
		}
		fmt.Fprintf(&b, `<g class="%s"><title>%s: %d</title><rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="6"/>`+
			`<text x="%.1f" y="%.1f">%s</text></g>`, class, template.HTMLEscapeString(n.label), n.count,
			n.x, n.y, n.w, nodeHeight, n.x+n.w/2, n.y+nodeHeight/2+5, template.HTMLEscapeString(n.label))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String()), hidden
}

// label returns the name of a call in the drawing: that of the method or function.
func label(call string) string {
	if call == "" {
		return "new object"
	}
	if n := symbol.Parse(call); n.Func != "" && !strings.HasSuffix(call, "{}") {
		return n.Func
	}
	return symbol.Short(call)
}

// place gives the nodes that edges lead to their places, drops the others, and returns the size of the drawing.
// The layer of a node is the least number of calls before it.
func place(nodes map[string]*node, edges []schemas.Transition) (width, height float64) {
	next := map[string][]string{}
	for _, t := range edges {
		next[t.From] = append(next[t.From], t.To)
	}
	reached := map[string]bool{}
	rows := []int{}
	visit := func(names []string) {
		for layer := 0; len(names) > 0; layer++ {
			var after []string
			for _, name := range names {
				if reached[name] {
					continue
				}
				reached[name] = true
				if layer == len(rows) {
					rows = append(rows, 0)
				}
				n := nodes[name]
				n.layer, n.row = layer, rows[layer]
				rows[layer]++
				to := next[name]
				slices.SortStableFunc(to, func(a, b string) int { return cmp.Compare(nodes[b].count, nodes[a].count) })
				after = append(after, to...)
			}
			names = after
		}
	}
	visit([]string{""})
	for _, t := range edges { // what no way leads to
		visit([]string{t.From})
	}
	maps.DeleteFunc(nodes, func(name string, _ *node) bool { return !reached[name] })
	widths := make([]float64, len(rows))
	for _, n := range nodes {
		n.w = letter*float64(utf8.RuneCountInString(n.label)) + 20
		widths[n.layer] = max(widths[n.layer], n.w)
	}
	most := slices.Max(rows)
	x := float64(margin)
	for layer, w := range widths {
		for _, n := range nodes {
			if n.layer == layer {
				n.x = x + (w-n.w)/2
				n.y = margin + rowHeight*(float64(n.row)+float64(most-rows[layer])/2)
			}
		}
		x += w + columnGap
	}
	return x - columnGap + 2*margin, 2*margin + rowHeight*float64(most-1) + nodeHeight
}

// byLayer returns the nodes in the order of the drawing.
func byLayer(nodes map[string]*node) []*node {
	return slices.SortedFunc(maps.Values(nodes), func(a, b *node) int {
		return cmp.Or(a.layer-b.layer, a.row-b.row, cmp.Compare(a.name, b.name))
	})
}

// writeEdge draws an arrow, and the share beside it.
func writeEdge(b *strings.Builder, from, to *node, share float64, count int64) {
	var path string
	x1, y1 := from.x+from.w, from.y+nodeHeight/2
	x2, y2 := to.x, to.y+nodeHeight/2
	lx, ly := (x1+x2)/2, (y1+y2)/2-4
	switch {
	case from == to:
		x := from.x + from.w/2
		path = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x-12, from.y, x-26, from.y-24, x+26, from.y-24, x+12, from.y)
		lx, ly = x, from.y-21
	case to.layer > from.layer:
		bend := (x2 - x1) / 2
		path = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)
	default: // back, or within a layer: around the outside
		x1, x2 = from.x+from.w/2, to.x+to.w/2
		down := 1.0
		y1, y2 = from.y+nodeHeight, to.y+nodeHeight
		if to.y < from.y || to.layer == from.layer && to.row < from.row {
			down, y1, y2 = -1, from.y, to.y
		}
		bend := down * (16 + math.Abs(x1-x2)/10)
		side := 0.0
		if to.layer == from.layer {
			side = max(from.w, to.w)/2 + 22
			x1, x2 = from.x+from.w, to.x+to.w
			y1, y2, bend = from.y+nodeHeight/2, to.y+nodeHeight/2, 0
		}
		path = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1+side, y1+bend, x2+side, y2+bend, x2, y2)
		lx, ly = (x1+x2)/2+side*0.75, (y1+y2)/2+bend*0.75
	}
	fmt.Fprintf(b, `<g class="edge"><title>%s to %s: %d</title><path d="%s" style="stroke-width:%.1f" marker-end="url(#tip)"/>`+
		`<text x="%.1f" y="%.1f">%s</text></g>`, template.HTMLEscapeString(from.label), template.HTMLEscapeString(to.label),
		count, path, 0.8+2.2*share, lx, ly, percent(share))
}

// percent returns a share as text.
func percent(share float64) string {
	if share < 0.01 {
		return "&lt;1%"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}
