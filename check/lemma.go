package check

import (
	"sort"

	"dsd/check/ir"
	"dsd/check/lower"
	"dsd/internal/callgraph"
)

// What is shown of a function alone, for any arguments and any memory, need not be asked again in each of its callers.
// So callees come before their callers, and an assertion that cannot fail is a lemma for them: it holds in every call.
//
// Which lemmas a function may use depends on the testee alone, not on what happens to be finished: those of the
// functions that its calls lead to and that are lower in the call graph.
type lemmas struct {
	w      *lower.World
	order  []int // of the roots, callees first
	height map[string]int
	proofs map[string]*proof // by the key of the function
	owner  map[*ir.Assert]*proof
}

// fate is what is known of an assertion in all calls of its function.
type fate int

const (
	unknown fate = iota
	holds        // it cannot fail
	mayFail      // a counterexample was found
	hard         // the solver gave up
)

// proof is what is shown of a function's assertions, complete once done is closed; nil if nothing is.
type proof struct {
	key   string
	done  chan struct{}
	fates map[*ir.Assert]fate
}

// newLemmas orders the roots.
func newLemmas(w *lower.World, roots []*lower.Root) *lemmas {
	l := &lemmas{w: w, proofs: map[string]*proof{}, owner: map[*ir.Assert]*proof{}}
	for _, r := range roots {
		if r.Err != nil {
			continue
		}
		p := &proof{key: r.Key, done: make(chan struct{})}
		l.proofs[r.Key] = p
		for _, a := range asserts(w.Func(r.Key)) {
			l.owner[a] = p
		}
	}
	var keys []string
	for i, r := range roots {
		l.order = append(l.order, i)
		if r.Err == nil {
			keys = append(keys, r.Key)
		}
	}
	// Heights, not components: of two functions that call each other, one may use what is proved of
	// the other.
	l.height = callgraph.Heights(keys, w.Callees)
	sort.SliceStable(l.order, func(i, j int) bool { return l.height[roots[l.order[i]].Key] < l.height[roots[l.order[j]].Key] })
	return l
}

// asserts lists the assertions of a function.
func asserts(f *ir.Func) []*ir.Assert {
	var out []*ir.Assert
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			if a, ok := c.(*ir.Assert); ok {
				out = append(out, a)
			}
		}
	}
	return out
}

// known waits for the functions that calls from one lead to, those lower than it, and returns what is known of their
// assertions.
func (l *lemmas) known(key string) func(*ir.Assert) fate {
	below := map[*proof]bool{}
	seen := map[string]bool{}
	work := []string{key}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range l.w.Callees(k) {
			if seen[c] {
				continue
			}
			seen[c] = true
			work = append(work, c)
			if p := l.proofs[c]; p != nil && l.height[c] < l.height[key] {
				<-p.done
				below[p] = true
			}
		}
	}
	return func(a *ir.Assert) fate {
		if p := l.owner[a]; below[p] {
			return p.fates[a]
		}
		return unknown
	}
}

// finish says what is shown of a function: that all of its assertions hold but those in failed; nothing if failed is
// nil.
func (l *lemmas) finish(key string, failed map[*ir.Assert]fate) {
	p := l.proofs[key]
	if p == nil {
		return
	}
	if failed != nil {
		p.fates = map[*ir.Assert]fate{}
		for _, a := range asserts(l.w.Func(key)) {
			p.fates[a] = max(failed[a], holds)
		}
	}
	close(p.done)
}
