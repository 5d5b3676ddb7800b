package ir

import "dsd/check/logic"

// Live returns, for each block, which local variables (by index) may still be read when control enters it. Joins need
// to merge those alone.
func (f *Func) Live() [][]bool {
	live := make([][]bool, len(f.Blocks))
	for i := range live {
		live[i] = make([]bool, f.NumVars)
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			in := make([]bool, f.NumVars)
			b := f.Blocks[i]
			for _, s := range Successors(b) {
				for v, l := range live[s] {
					in[v] = in[v] || l
				}
			}
			switch e := b.End.(type) {
			case Branch:
				uses(e.Cond, in, map[*logic.Term]bool{})
			case Return:
				for _, r := range f.Results {
					in[r.Index] = true
				}
			}
			for c := len(b.Cmds) - 1; c >= 0; c-- {
				flow(b.Cmds[c], in)
			}
			if f.Unwind != 0 { // a panic may happen anywhere
				in[f.Unwound.Index] = true
				for v, l := range live[f.Unwind] {
					in[v] = in[v] || l
				}
			}
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

// flow turns what is live after a command into what is live before it.
func flow(c Cmd, live []bool) {
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
	case *Call:
		kill(c.Results...)
	}
	seen := map[*logic.Term]bool{}
	for _, t := range Terms(c) {
		if t != nil {
			uses(t, live, seen)
		}
	}
}

func uses(t *logic.Term, live []bool, seen map[*logic.Term]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Op == logic.OpVar && t.Sort.Kind != logic.KMemory {
		live[t.Var.Index] = true
	}
	for _, a := range t.Args {
		uses(a, live, seen)
	}
}
