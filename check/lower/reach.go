package lower

import (
	"go/types"
	"strings"

	"dsd/check/ir"
)

// reachable returns the objects that f, a function without a body, can write through its arguments:
// those that pointers and slices refer to, also pointers that the call puts into interfaces, but not
// what is further away.
func (em *emitter) reachable(f *types.Func, args []Value) []ir.Reach {
	var out []ir.Reach
	throughInterfaces := !readsOnly(f)
	var add func(args []Value)
	add = func(args []Value) {
		for _, a := range args {
			switch u := a.Type.Underlying().(type) {
			case *types.Pointer:
				out = append(out, ir.Reach{Obj: a.Leaves[0], Memories: em.w.Contents(u.Elem())})
			case *types.Slice:
				out = append(out, ir.Reach{Obj: a.Leaves[0], Memories: em.w.Contents(u.Elem())})
				add(em.packed[a.Leaves[0]])
			case *types.Interface:
				tag, ok := a.Leaves[0].Const()
				if !ok || !throughInterfaces {
					continue
				}
				if t := em.w.TagType(uint32(tag)); t != nil && pointee(t) != nil {
					out = append(out, ir.Reach{Obj: a.Leaves[1], Memories: em.w.Contents(pointee(t))})
				}
			}
		}
	}
	add(args)
	return out
}

// readsOnly reports whether f is a function of the standard library that does not write what the
// pointers in its interface arguments point to: it formats, encodes, compares or keeps them.
func readsOnly(f *types.Func) bool {
	if f.Pkg() == nil || !isStandard(f.Pkg().Path()) {
		return false
	}
	name := f.Name()
	switch f.Pkg().Path() {
	case "fmt":
		return !strings.Contains(strings.ToLower(name), "scan")
	case "errors":
		return name != "As"
	case "log", "log/slog", "testing", "reflect", "context", "sync", "sync/atomic", "runtime",
		"container/list", "container/ring", "net/http", "time", "strings", "html/template",
		"text/template", "text/tabwriter", "os", "expvar":
		return true
	}
	for _, prefix := range []string{"Marshal", "Encode", "Write", "Size", "Append", "New"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
