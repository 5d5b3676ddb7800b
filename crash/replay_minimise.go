package crash

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dsd/crash/compose"
	"dsd/internal/source"
	"dsd/schemas"
)

// writer writes a recorded call as a test.
type writer func(prog *source.Program, f *source.Func, call *schemas.Counterexample, name, file, comment string) (*compose.Test, error)

// maxParts is how many parts of a call are left out one by one, and maxRounds how often what is left is looked at again.
const (
	maxParts  = 200
	maxRounds = 5
)

// minimise leaves out of a recorded call what its test crashes without: fields, elements, what pointers and interfaces lead to, texts. All
// that can be left out by itself is tried together, and parts of that if it cannot; a round is compiled at once.
func (p *replay) minimise(ctx context.Context, r *reproduction, at *frame, test *schemas.Crash, call *schemas.Counterexample, write writer) (*schemas.Crash, error) {
	best := test
	call = compose.Prune(call)
	for round := 0; round < maxRounds; round++ {
		n := min(parts(call), maxParts)
		var sets []map[int]bool
		for i := range n {
			sets = append(sets, map[int]bool{i: true})
		}
		crashing, err := p.tryWithout(ctx, r, at, call, sets, write, round)
		if err != nil {
			return nil, err
		}
		var each []int
		for i, c := range crashing {
			if c != nil && c.Level >= test.Level {
				each = append(each, i)
			}
		}
		if len(each) == 0 {
			return best, nil
		}
		// All of them, and halves, quarters and so on.
		sets = nil
		for size := len(each); size > 0; size /= 2 {
			for chunk := range slices.Chunk(each, size) {
				set := map[int]bool{}
				for _, i := range chunk {
					set[i] = true
				}
				sets = append(sets, set)
			}
			if len(sets) > maxParts {
				break
			}
		}
		if crashing, err = p.tryWithout(ctx, r, at, call, sets, write, round); err != nil {
			return nil, err
		}
		found := -1
		for i, c := range crashing {
			if c != nil && c.Level >= test.Level && (found < 0 || len(sets[i]) > len(sets[found])) {
				found = i
			}
		}
		if found < 0 {
			return best, nil
		}
		best, call = crashing[found], without(call, sets[found])
	}
	return best, nil
}

// tryWithout runs a call without each of some sets of parts; those that crash as they should are not nil.
func (p *replay) tryWithout(ctx context.Context, r *reproduction, at *frame, call *schemas.Counterexample, sets []map[int]bool, write writer, round int) ([]*schemas.Crash, error) {
	out := make([]*schemas.Crash, len(sets))
	var list []*schemas.Crash
	var number []int
	for i, set := range sets {
		suffix := fmt.Sprintf("Zz%dx%d", round, i)
		file := strings.TrimSuffix(at.file, "_test.go") + strings.ToLower(suffix) + "_test.go"
		c, err := write(r.prog, at.fn, without(call, set), at.name+suffix, file, at.comment)
		if err != nil {
			continue
		}
		list = append(list, at.crash(c))
		number = append(number, i)
	}
	if len(list) == 0 {
		return out, nil
	}
	why, err := r.runTests(ctx, at.fn.Pkg, list)
	if err != nil {
		return nil, err
	}
	for j, c := range list {
		if why[j] == "" {
			out[number[j]] = c
		}
	}
	return out, nil
}

// parts is how many parts of a call can be left out.
func parts(call *schemas.Counterexample) int {
	n := 0
	cut(call, func(int) bool { n++; return false })
	return n
}

// without is a call without some of its parts.
func without(call *schemas.Counterexample, set map[int]bool) *schemas.Counterexample {
	set = maps.Clone(set)
	return cut(call, func(i int) bool { return set[i] })
}

// cut copies a call without the parts that drop names. Parts are numbered as they come: the fields and elements that are not zero, what
// is not nil, and texts.
func cut(call *schemas.Counterexample, drop func(i int) bool) *schemas.Counterexample {
	next := 0
	dropped := func() bool {
		next++
		return drop(next - 1)
	}
	var node func(n schemas.Node) schemas.Node
	node = func(n schemas.Node) schemas.Node {
		var fields []schemas.Input
		for _, f := range n.Fields {
			gone := dropped()
			f.Node = node(f.Node)
			if !gone {
				fields = append(fields, f)
			}
		}
		var elems []schemas.Elem
		for _, e := range n.Elems {
			gone := dropped()
			if e.Key != nil {
				key := node(*e.Key)
				e.Key = &key
			}
			e.Value = node(e.Value)
			if !gone {
				elems = append(elems, e)
			}
		}
		n.Fields, n.Elems = fields, elems
		if n.Dynamic != nil {
			d := node(*n.Dynamic)
			n.Dynamic = &d
		}
		return n
	}
	inputs := func(list []schemas.Input) (out []schemas.Input) {
		for _, in := range list {
			gone := (in.Ref != nil || in.Dynamic != nil || strings.HasPrefix(in.Lit, `"`) && in.Lit != `""` || in.Lit == "func") && dropped()
			if in.Node = node(in.Node); gone {
				in.Node = schemas.Node{Type: in.Type}
				if strings.HasPrefix(in.Type, "*") || strings.HasPrefix(in.Type, "[]") || strings.HasPrefix(in.Type, "map[") || strings.HasPrefix(in.Type, "func") {
					in.Node.Lit = "nil"
				}
			}
			out = append(out, in)
		}
		return out
	}
	out := *call
	if call.Receiver != nil {
		recv := *call.Receiver
		recv.Node = node(recv.Node)
		out.Receiver = &recv
	}
	out.Params, out.Objects, out.Globals = inputs(call.Params), nil, nil
	for _, g := range call.Globals {
		if !dropped() {
			out.Globals = append(out.Globals, g)
		}
	}
	for _, o := range call.Objects {
		out.Objects = append(out.Objects, node(o))
	}
	return &out
}
