package explain

import (
	"fmt"
	"strings"

	"dsd/schemas"
)

// values prints the nodes of an object graph in Go syntax.
type values struct {
	objects []schemas.Node
	stack   []int // the objects that are being printed, outermost first
}

// maxText is the length in bytes at which the text of an object is cut off.
const maxText = 200

// text returns a node in Go syntax, or "" if the node may have any value. A reference to an object
// inside itself is "...".
func (v *values) text(n *schemas.Node) string {
	t := short(n.Type)
	switch {
	case strings.HasPrefix(n.Type, "func(") && n.Lit == "func":
		return "any function but nil"
	case strings.HasPrefix(n.Type, "func(") && len(n.Elems) > 0:
		return "a function that returns, call by call, {" + v.elems(n) + "}"
	case n.Lit != "":
		return n.Lit
	case n.Ref != nil:
		return v.reference(n, t)
	case n.Dynamic != nil:
		return v.dynamic(n.Dynamic)
	case len(n.Fields) > 0:
		return t + "{" + v.fields(n) + "}"
	case len(n.Elems) > 0:
		return t + "{" + v.elems(n) + "}"
	}
	return ""
}

// dynamic returns the value in an interface. A literal alone would not show its type.
func (v *values) dynamic(n *schemas.Node) string {
	s := v.text(n)
	switch {
	case s == "":
		return "any " + short(n.Type)
	case n.Lit != "" && n.Lit != "nil":
		return short(n.Type) + "(" + s + ")"
	}
	return s
}

// reference returns a pointer, slice, map or channel of type t with the contents of its object.
func (v *values) reference(n *schemas.Node, t string) string {
	for _, o := range v.stack {
		if o == *n.Ref {
			return "... (the same object again)"
		}
	}
	if *n.Ref >= len(v.objects) {
		return "?"
	}
	v.stack = append(v.stack, *n.Ref)
	defer func() { v.stack = v.stack[:len(v.stack)-1] }()
	o := &v.objects[*n.Ref]
	inside := v.fields(o)
	if inside == "" {
		inside = v.elems(o)
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

func (v *values) fields(n *schemas.Node) string {
	var parts []string
	for i := range n.Fields {
		if s := v.text(&n.Fields[i].Node); s != "" {
			parts = append(parts, n.Fields[i].Name+": "+s)
		}
	}
	return strings.Join(parts, ", ")
}

func (v *values) elems(n *schemas.Node) string {
	var parts []string
	for i := range n.Elems {
		e := &n.Elems[i]
		s := v.text(&e.Value)
		switch {
		case e.Key != nil && s == "":
			parts = append(parts, v.text(e.Key)+": any")
		case e.Key != nil:
			parts = append(parts, v.text(e.Key)+": "+s)
		case s != "":
			parts = append(parts, fmt.Sprintf("%d: %s", e.Index, s))
		}
	}
	return strings.Join(parts, ", ")
}

// short removes the directories of import paths from a type.
func short(t string) string {
	var out strings.Builder
	begin := 0 // of the current word
	for i := 0; i <= len(t); i++ {
		if i < len(t) && !strings.ContainsRune("*[]{}(), ", rune(t[i])) {
			continue
		}
		word := t[begin:i]
		if j := strings.LastIndexByte(word, '/'); j >= 0 {
			word = word[j+1:]
		}
		out.WriteString(word)
		if i < len(t) {
			out.WriteByte(t[i])
		}
		begin = i + 1
	}
	return out.String()
}
