package schemas

import "strings"

// This file checks what a schema cannot say and readers count on: ids name one thing, references lead somewhere,
// a node is one kind of value, and what is sure to crash says on which inputs.

func (d *Invariants) consistent() *violation {
	ids := map[string]bool{}
	for i, p := range d.Points {
		for j, inv := range p.Invariants {
			if bad := claim(ids, inv.ID); bad != nil {
				return bad.in(".points" + index(i) + ".invariants" + index(j))
			}
		}
	}
	return nil
}

func (d *Warnings) consistent() *violation {
	ids := map[string]bool{}
	for i, w := range d.Warnings {
		bad := claim(ids, w.ID)
		if bad == nil && w.Status == "sat" && w.Counterexample == nil {
			bad = violated(`"counterexample" is missing, though the status is "sat"`)
		}
		if bad == nil && w.Counterexample != nil {
			bad = w.Counterexample.consistent().in(".counterexample")
		}
		if bad != nil {
			return bad.in(".warnings" + index(i))
		}
	}
	return nil
}

func (d *Crashes) consistent() *violation {
	ids := map[string]bool{}
	for i, c := range d.Crashes {
		if bad := claim(ids, c.ID); bad != nil {
			return bad.in(".crashes" + index(i))
		}
	}
	return nil
}

// claim enters an id into those seen so far.
func claim(ids map[string]bool, id string) *violation {
	if ids[id] {
		return violated("%s is there twice", id).in(".id")
	}
	ids[id] = true
	return nil
}

func (c *Counterexample) consistent() *violation {
	return c.walk(func(n *Node) *violation { return n.consistent(len(c.Objects)) })
}

func (c *RecordedCrash) consistent() *violation {
	return c.walk(func(n *Node) *violation { return n.consistent(len(c.Objects)) })
}

// consistent checks n alone, not the nodes inside it. The graph has that many objects.
func (n *Node) consistent(objects int) *violation {
	if n.Ref != nil && (*n.Ref < 0 || *n.Ref >= objects) {
		return violated("%d is not an object (there are %d)", *n.Ref, objects).in(".ref")
	}
	if n.Len != nil && n.Cap != nil && *n.Len > *n.Cap {
		return violated("%d is more than the cap, %d", *n.Len, *n.Cap).in(".len")
	}
	var forms []string
	if n.Lit != "" {
		forms = append(forms, "lit")
	}
	if n.Ref != nil {
		forms = append(forms, "ref")
	}
	if len(n.Fields) > 0 {
		forms = append(forms, "fields")
	}
	if len(n.Elems) > 0 {
		forms = append(forms, "elems")
	}
	if n.Dynamic != nil {
		forms = append(forms, "dynamic")
	}
	if len(forms) > 1 {
		return violated("a value has one of these, not all: %s", strings.Join(forms, ", "))
	}
	return nil
}
