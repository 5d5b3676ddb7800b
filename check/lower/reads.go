package lower

import (
	"go/types"
	"maps"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
)

// What is known of package-level variables is made before a function is executed, for those that it may read. A call
// of a method leads to the dynamic types that a function names on the way, and not to all that have the method: what
// is not named is not followed either [Bacon, Sweeney: Fast static analysis of C++ virtual function calls, rapid
// type analysis].

// mention is what the terms of a function name.
type mention struct {
	objects callgraph.Set // package-level variables, as indexes into globalObjs
	tags    []uint32      // dynamic types, and numbers that look like some
	callees []string      // of static calls, and function literals
	calls   []*methodCall
}

// methodCall is a call of an interface's method: the keys of the wrappers of the dynamic types that implement the
// interface, by tag, and in the order of the tags' numbers.
type methodCall struct {
	wrappers map[uint32]string
	keys     []string
}

// computeReads computes what functions mention, and which package-level variables initializers may read.
func (w *World) computeReads(keys []string) {
	w.globalObjs = slices.Sorted(maps.Values(w.globals))
	number := map[uint32]int{}
	for i, o := range w.globalObjs {
		number[o] = i
	}
	w.mentions = map[string]*mention{}
	for _, k := range keys {
		w.mentions[k] = w.mentioned(w.funcs[k], number)
	}
	for _, k := range keys {
		if outer := w.mentions[enclosing(k)]; outer != nil {
			outer.callees = append(outer.callees, k)
		}
	}
	w.initialReads = map[string]callgraph.Set{}
	for _, list := range [][]initializer{w.initials, w.starts} {
		for _, in := range list {
			if w.initialReads[in.key] == nil && w.funcs[in.key] != nil {
				w.initialReads[in.key] = w.mayRead(in.key)
			}
		}
	}
}

// mentioned returns what f mentions. number has the indexes of package-level variables, by their objects.
func (w *World) mentioned(f *ir.Func, number map[uint32]int) *mention {
	out := &mention{}
	seen, tags := map[*logic.Term]bool{}, map[uint32]bool{}
	tag := func(n uint32) {
		if !tags[n] && w.tagKey(n) != "" {
			tags[n] = true
			out.tags = append(out.tags, n)
		}
	}
	var visit func(t *logic.Term)
	visit = func(t *logic.Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if v, ok := t.Const(); ok {
			if i, ok := number[uint32(v)]; ok && t.Sort == logic.Obj {
				out.objects.Add(i)
			}
			if t.Sort == logic.BV(32) {
				tag(uint32(v))
			}
		}
		if t.Var != nil {
			for _, n := range t.Var.Domain.Tags {
				tag(n)
			}
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			for _, t := range ir.Terms(c) {
				visit(t)
			}
			if call, ok := c.(*ir.Call); ok && call.Tag != nil {
				out.calls = append(out.calls, w.methodCall(call))
			} else if ok && call.Fn == nil && w.funcs[call.Static] != nil {
				out.callees = append(out.callees, call.Static)
			}
			if call, ok := c.(*ir.Call); ok && w.funcs[call.Model] != nil {
				out.callees = append(out.callees, call.Model)
			}
		}
		if br, ok := b.End.(ir.Branch); ok {
			visit(br.Cond)
		}
	}
	return out
}

// methodCall returns the wrappers that a call of a method may lead to.
func (w *World) methodCall(c *ir.Call) *methodCall {
	key := c.Method + " " + c.SigKey
	if c.Type != nil {
		key += " " + w.typeKey(c.Type)
	}
	m := w.methodCalls[key]
	if m == nil {
		m = &methodCall{wrappers: map[uint32]string{}}
		for _, tag := range w.tags {
			k := wrapperKey(w.tagKey(tag), c.Method)
			if w.funcs[k] != nil && w.methodSigs[k] == c.SigKey && w.implements(tag, c.Type) {
				m.wrappers[tag], m.keys = k, append(m.keys, k)
			}
		}
		w.methodCalls[key] = m
	}
	return m
}

// mayRead returns the package-level variables that the function with that key or those that it leads to may read, as
// indexes into globalObjs. It may be called concurrently.
func (w *World) mayRead(key string) callgraph.Set {
	if known, ok := w.initialReads[key]; ok {
		return known
	}
	var out callgraph.Set
	seen, tags, calls := map[string]bool{}, map[uint32]bool{}, map[*methodCall]bool{}
	work := []string{key}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		m := w.mentions[k]
		if m == nil || seen[k] {
			continue
		}
		seen[k] = true
		out.Union(m.objects)
		work = append(work, m.callees...)
		for _, tag := range m.tags {
			if !tags[tag] {
				tags[tag] = true
				for c := range calls {
					work = append(work, c.wrappers[tag])
				}
			}
		}
		for _, c := range m.calls {
			if !calls[c] {
				calls[c] = true
				for tag := range tags {
					work = append(work, c.wrappers[tag])
				}
			}
		}
	}
	return out
}

// implements reports whether the dynamic type with a tag has all methods of an interface; true for a nil interface, which
// is not known. Signatures are compared by their keys, so that it does not matter where the types were loaded.
func (w *World) implements(tag uint32, iface *types.Interface) bool {
	t := w.TagType(tag)
	if t == nil || iface == nil || iface.NumMethods() < 2 { // one method was compared
		return true
	}
	signatures := w.signatures(t)
	for m := range iface.Methods() {
		if signatures[m.Id()] != w.typeKey(m.Type()) {
			return false
		}
	}
	return true
}
