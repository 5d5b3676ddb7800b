package ir

import "dsd/check/logic"

// Live returns, for each block, which variables of f may still be read when control enters the
// block: live[i][v] belongs to Blocks[i] and the variable with index v. Where executions join, only
// live variables have to be merged. Memories are always live and are not in the result.
//
// It is the usual backward data-flow analysis, iterated to the least fixed point:
//
//	out(b) = union of in(s) over the successors s of b
//	in(b)  = out(b), changed by the commands of b, last one first:
//	         written variables are removed, then read variables are added
//
// A panic may happen in any command, so everything that is live at the Unwind block is live
// everywhere.
func (f *Func) Live() [][]bool {
	live := make([][]bool, len(f.Blocks))
	for i := range live {
		live[i] = make([]bool, f.NumVars)
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			in := f.liveIn(f.Blocks[i], live)
			for v := range in {
				if in[v] != live[i][v] {
					live[i] = in
					changed = true
					break
				}
			}
		}
	}
	return live
}

// liveIn returns the variables that are live at the start of b, given those of the other blocks.
func (f *Func) liveIn(b *Block, live [][]bool) []bool {
	in := make([]bool, f.NumVars)
	add := func(vars []bool) {
		for v, l := range vars {
			in[v] = in[v] || l
		}
	}
	for _, s := range Successors(b) {
		add(live[s])
	}
	switch e := b.End.(type) {
	case Branch:
		seen := map[*logic.Term]bool{}
		addReads(e.Cond, in, seen)
		for _, c := range e.Comparisons {
			addReads(c.X, in, seen)
			addReads(c.Y, in, seen)
		}
	case Return:
		for _, r := range f.Results {
			in[r.Index] = true
		}
	}
	for c := len(b.Cmds) - 1; c >= 0; c-- {
		liveBefore(b.Cmds[c], in)
	}
	if f.Unwind != 0 {
		in[f.Unwound.Index] = true
		add(live[f.Unwind])
	}
	return in
}

// liveBefore turns the variables that are live after c into those that are live before it.
func liveBefore(c Cmd, live []bool) {
	kill := func(vars ...*logic.Var) {
		for _, v := range vars {
			if v.Sort.Kind != logic.KMemory {
				live[v.Index] = false
			}
		}
	}
	switch c := c.(type) {
	case *Assign:
		kill(c.Dst)
	case *Havoc:
		kill(c.Vars...)
	case *Alloc:
		kill(c.Var)
	case *Grow:
		kill(c.Var)
	case *Call:
		kill(c.Results...)
	}
	seen := map[*logic.Term]bool{}
	for _, t := range Terms(c) {
		if t != nil {
			addReads(t, live, seen)
		}
	}
}

// addReads marks the scalar variables in t as live. Terms share subterms, so seen holds those that
// are done.
func addReads(t *logic.Term, live []bool, seen map[*logic.Term]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Op == logic.OpVar && t.Sort.Kind != logic.KMemory {
		live[t.Var.Index] = true
	}
	for _, a := range t.Args {
		addReads(a, live, seen)
	}
}
