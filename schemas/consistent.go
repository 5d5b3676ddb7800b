package schemas

import (
	"path"
	"path/filepath"
	"strings"

	"dsd/internal/expr"
)

// This file checks what a JSON Schema cannot express and readers rely on: IDs are unique,
// references lead to objects, a node is one kind of value, a satisfiable warning has inputs, and
// the expressions of invariants can be read.

func (d *Invariants) consistent() *violation {
	ids := idSet{}
	readable := map[string]bool{} // expressions; most occur at several points
	for i, p := range d.Points {
		for j, inv := range p.Invariants {
			bad := ids.add(inv.ID)
			if bad == nil {
				bad = inv.consistent(readable)
			}
			if bad != nil {
				return bad.in(".points" + index(i) + ".invariants" + index(j))
			}
		}
		for j, inv := range p.Ambitious {
			if bad := inv.consistent(readable); bad != nil {
				return bad.in(".points" + index(i) + ".ambitious" + index(j))
			}
		}
	}
	return nil
}

// consistent checks the expression, unless it is among those that were found readable.
func (inv *Invariant) consistent(readable map[string]bool) *violation {
	if readable[inv.Expr] {
		return nil
	}
	if _, err := expr.Parse(inv.Expr); err != nil {
		return violated("%v", err).in(".expr")
	}
	readable[inv.Expr] = true
	return nil
}

func (d *Changes) consistent() *violation { return nil }

func (d *Models) consistent() *violation {
	types := map[string]bool{}
	for i, m := range d.Models {
		if types[m.Type] {
			return violated("%s appears twice", m.Type).in(".models" + index(i) + ".type")
		}
		types[m.Type] = true
	}
	return nil
}

// consistent checks that the numbers are sorted, and not all there are.
func (s *Shards) consistent() *violation {
	for i, n := range s.Have {
		if n > s.Of || i > 0 && n <= s.Have[i-1] {
			return violated("%d: want numbers up to %d, sorted", n, s.Of).in(".have" + index(i))
		}
	}
	if len(s.Have) == 0 {
		return violated("no shard is there").in(".have")
	}
	if len(s.Have) == s.Of {
		return violated("all shards are there").in(".have")
	}
	return nil
}

func (d *Warnings) consistent() *violation {
	if d.Shards != nil {
		if bad := d.Shards.consistent(); bad != nil {
			return bad.in(".shards")
		}
	}
	ids := idSet{}
	for i, w := range d.Warnings {
		bad := ids.add(w.ID)
		if bad == nil && w.Status != Unknown && w.Counterexample == nil {
			bad = violated(`"counterexample" is missing, though the status is %q`, w.Status)
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
	if d.Shards != nil {
		if bad := d.Shards.consistent(); bad != nil {
			return bad.in(".shards")
		}
	}
	ids := idSet{}
	for i := range d.Crashes {
		c := &d.Crashes[i]
		bad := ids.add(c.ID)
		if bad == nil {
			bad = c.Test.consistent()
		}
		if bad != nil {
			return bad.in(".crashes" + index(i))
		}
	}
	return nil
}

// consistent checks that the files of a test stay below the directory that they are written to.
func (t *Test) consistent() *violation {
	if t.File != "" && (t.File != path.Base(t.File) || !isBelow(t.File)) {
		return violated("%q is not the name of a file alone", t.File).in(".test.file")
	}
	for i, f := range t.Files {
		if !isBelow(f.File) {
			return violated("%q does not stay below the test's directory", f.File).in(".test.files" + index(i) + ".file")
		}
	}
	return nil
}

// isBelow reports whether a path, with slashes, stays below the directory that it is relative to.
func isBelow(name string) bool {
	return filepath.IsLocal(name) && !strings.ContainsAny(name, "\\\x00")
}

func (d *Panic) consistent() *violation { return nil }

func (d *Recording) consistent() *violation {
	ids := idSet{}
	for i := range d.Crashes {
		c := &d.Crashes[i]
		bad := ids.add(c.ID)
		if bad == nil {
			bad = c.consistent()
		}
		if bad != nil {
			return bad.in(".crashes" + index(i))
		}
	}
	return nil
}

// idSet is the set of the IDs seen so far in a document.
type idSet map[string]bool

func (s idSet) add(id string) *violation {
	if s[id] {
		return violated("%s appears twice", id).in(".id")
	}
	s[id] = true
	return nil
}

func (c *Counterexample) consistent() *violation {
	return c.walk(func(n *Node) *violation { return n.consistent(len(c.Objects)) })
}

func (c *RecordedCrash) consistent() *violation {
	return c.walk(func(n *Node) *violation { return n.consistent(len(c.Objects)) })
}

// consistent checks n itself, not the nodes inside it. The graph has that many objects.
func (n *Node) consistent(objects int) *violation {
	if n.Ref != nil && (*n.Ref < 0 || *n.Ref >= objects) {
		return violated("%d is not an object (there are %d)", *n.Ref, objects).in(".ref")
	}
	if n.Len != nil && n.Cap != nil && *n.Len > *n.Cap {
		return violated("%d is more than the cap, %d", *n.Len, *n.Cap).in(".len")
	}
	var forms []string
	if n.Lit != "" && !isLiteral(n.Lit) {
		return violated("%.60q is no literal", n.Lit).in(".lit")
	}
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
		return violated("a value has only one of these: %s", strings.Join(forms, ", "))
	}
	return nil
}
