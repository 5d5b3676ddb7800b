package prove

import (
	"cmp"
	"slices"

	"dsd/check/ir"
	"dsd/check/lower"
	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// Cache holds what is proved of the assertions of functions. What is proved of a function alone,
// for any arguments and any memory, holds in each of its callers; so callees are analyzed first,
// and their proved assertions are not asked about again.
//
// Which results a function may use depends on the call graph alone, not on what happens to be
// finished: those of the functions that its calls lead to and that are lower than it.
type Cache struct {
	// Order are the indices of the roots, callees first.
	Order []int

	w     *lower.World
	nodes []node
	index map[string]int // into nodes, by the key of the function
	owner map[*ir.Assert]*proof
}

// node is a function of the call graph.
type node struct {
	key     string
	callees []int
	height  int    // see callgraph.Heights
	proof   *proof // of a root without an error, or of Know; nil for others
}

// Status is what is known of an assertion in all calls of its function.
type Status int

const (
	Unknown   Status = iota // nothing
	Holds                   // it cannot fail
	MayFail                 // a counterexample was found
	Undecided               // the solver gave up
)

// proof is what is proved of a function's assertions. statuses is complete once done is closed, and
// nil if nothing is proved.
type proof struct {
	key      string
	done     chan struct{}
	statuses map[*ir.Assert]Status
}

// NewCache returns an empty cache for the functions roots. Those with an error have no proofs, and
// come first in Order.
func NewCache(w *lower.World, roots []*lower.Root) *Cache {
	c := &Cache{w: w, index: map[string]int{}, owner: map[*ir.Assert]*proof{}}
	var keys []string
	for i, r := range roots {
		c.Order = append(c.Order, i)
		if r.Err != nil {
			continue
		}
		keys = append(keys, r.Key)
		c.own(c.add(r.Key))
	}
	// Heights, not components: of two functions that call each other, one may use what is
	// proved of the other.
	heights := callgraph.Heights(keys, w.Callees)
	for n := 0; n < len(c.nodes); n++ { // it grows
		callees := w.Callees(c.nodes[n].key)
		list := make([]int, len(callees))
		for i, k := range callees {
			list[i] = c.add(k)
		}
		c.nodes[n].callees, c.nodes[n].height = list, heights[c.nodes[n].key]
	}
	slices.SortStableFunc(c.Order, func(i, j int) int {
		return cmp.Compare(heights[roots[i].Key], heights[roots[j].Key])
	})
	return c
}

// add returns the index of the function with that key.
func (c *Cache) add(key string) int {
	n, ok := c.index[key]
	if !ok {
		n = len(c.nodes)
		c.index[key], c.nodes = n, append(c.nodes, node{key: key})
	}
	return n
}

// own makes room for what is proved of a function's assertions.
func (c *Cache) own(n int) {
	p := &proof{key: c.nodes[n].key, done: make(chan struct{})}
	c.nodes[n].proof = p
	for _, a := range asserts(c.w.Func(p.key)) {
		c.owner[a] = p
	}
}

// proof returns what is proved of the function with that key; nil if that is no matter of this cache.
func (c *Cache) proof(key string) *proof {
	if n, ok := c.index[key]; ok {
		return c.nodes[n].proof
	}
	return nil
}

// height returns the height of a root in the call graph.
func (c *Cache) height(r *lower.Root) int { return c.nodes[c.index[r.Key]].height }

// Know records what was proved before of the assertions of a function that is no root, in their order; nil if
// nothing was. All roots that lead to it may use that. It must be called before the first analysis.
func (c *Cache) Know(key string, statuses []Status) {
	n := c.add(key)
	c.own(n)
	c.nodes[n].height = -1
	c.Add(key, statuses)
}

// Proved returns what is proved of the assertions of a function whose analysis is over, as Know takes it.
func (c *Cache) Proved(key string) []Status {
	p := c.proof(key)
	if p == nil || p.statuses == nil {
		return nil
	}
	out := []Status{}
	for _, a := range asserts(c.w.Func(key)) {
		out = append(out, p.statuses[a])
	}
	return out
}

// Promising changes Order so that the most promising functions come first, each after those that it
// waits for: those of the lowest rank, of these the exported ones, and of these the ones with the most
// assertions. The cost is linear in the size of the call graph.
func (c *Cache) Promising(roots []*lower.Root, rank func(*source.Func) int) {
	byKey := map[string]int{}
	assertions, ranks := make([]int, len(roots)), make([]int, len(roots))
	for i, r := range roots {
		ranks[i] = rank(r.Func)
		if r.Err == nil {
			byKey[r.Key] = i
			assertions[i] = len(asserts(c.w.Func(r.Key)))
		}
	}
	first := slices.Clone(c.Order)
	slices.SortStableFunc(first, func(i, j int) int {
		if ranks[i] != ranks[j] {
			return ranks[i] - ranks[j]
		}
		if x, y := exported(roots[i]), exported(roots[j]); x != y {
			if x {
				return -1
			}
			return 1
		}
		return assertions[j] - assertions[i]
	})
	var starts []string
	c.Order = c.Order[:0:0]
	for _, i := range first {
		if r := roots[i]; r.Err == nil {
			starts = append(starts, r.Key)
		} else {
			c.Order = append(c.Order, i)
		}
	}
	// Components come after those that they lead to; within one, lower functions come first.
	for _, component := range callgraph.Components(starts, c.w.Callees) {
		at := len(c.Order)
		for _, key := range component {
			if i, ok := byKey[key]; ok {
				c.Order = append(c.Order, i)
			}
		}
		slices.SortFunc(c.Order[at:], func(i, j int) int {
			return cmp.Or(c.height(roots[i])-c.height(roots[j]), i-j)
		})
	}
}

// Needed returns those of Order that are wanted, and those that they wait for.
func (c *Cache) Needed(roots []*lower.Root, wanted []bool) []int {
	if !slices.Contains(wanted, false) {
		return c.Order
	}
	needed := make([]bool, len(c.nodes))
	for i, r := range roots {
		if wanted[i] && r.Err == nil {
			for _, n := range c.awaited(c.index[r.Key]) {
				needed[n] = true
			}
		}
	}
	var order []int
	for _, i := range c.Order {
		if wanted[i] || roots[i].Err == nil && needed[c.index[roots[i].Key]] {
			order = append(order, i)
		}
	}
	return order
}

// Assertions returns the number of assertions of the function with that key.
func Assertions(w *lower.World, key string) int { return len(asserts(w.Func(key))) }

func exported(r *lower.Root) bool { return symbol.Parse(r.Func.Name).Exported() }

// asserts returns the assertions of a function.
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

// Awaited returns the keys of the functions whose proofs the one named key may use: the roots that calls from it
// lead to, also through functions that are no roots, and that are lower than it; and those of Know.
func (c *Cache) Awaited(key string) []string {
	var out []string
	for _, n := range c.awaited(c.index[key]) {
		out = append(out, c.nodes[n].key)
	}
	return out
}

// awaited is Awaited for indexes. The cost is linear in the part of the call graph that the function leads to.
func (c *Cache) awaited(start int) []int {
	var out []int
	seen := make([]bool, len(c.nodes))
	height := c.nodes[start].height
	work := []int{start}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, callee := range c.nodes[n].callees {
			if seen[callee] {
				continue
			}
			seen[callee] = true
			work = append(work, callee)
			if f := &c.nodes[callee]; f.proof != nil && f.height < height {
				out = append(out, callee)
			}
		}
	}
	return out
}

// Knowledge is what is known of the assertions of others when a function is analyzed.
type Knowledge struct {
	c      *Cache
	usable map[*proof]bool
	asked  map[string]bool // the keys of the functions of assertions that Status was asked about
}

// Known waits for the functions that calls from the one named key lead to, those lower than it, and
// returns what is known of their assertions.
func (c *Cache) Known(key string) *Knowledge {
	k := &Knowledge{c: c, usable: map[*proof]bool{}, asked: map[string]bool{}}
	for _, n := range c.awaited(c.index[key]) {
		p := c.nodes[n].proof
		<-p.done
		k.usable[p] = true
	}
	return k
}

// Status returns what is known of an assertion.
func (k *Knowledge) Status(a *ir.Assert) Status {
	p := k.c.owner[a]
	if p == nil {
		return Unknown
	}
	k.asked[p.key] = true
	if !k.usable[p] {
		return Unknown
	}
	return p.statuses[a]
}

// answer returns what is known of all assertions of the function with that key, a byte each.
func (k *Knowledge) answer(key string) []byte {
	p := k.c.proof(key)
	if p == nil || !k.usable[p] {
		return nil
	}
	out := []byte{1}
	for _, a := range asserts(k.c.w.Func(key)) {
		out = append(out, byte(p.statuses[a]))
	}
	return out
}

// Add records the analysis of the function named key: the statuses of its assertions, in their order.
// Nil records that nothing is proved.
func (c *Cache) Add(key string, statuses []Status) {
	p := c.proof(key)
	if p == nil {
		return
	}
	if list := asserts(c.w.Func(key)); len(list) == len(statuses) {
		p.statuses = map[*ir.Assert]Status{}
		for i, a := range list {
			p.statuses[a] = statuses[i]
		}
	}
	close(p.done)
}

// statuses returns those of the assertions of the function named key, all of which hold but for those in
// failed.
func (c *Cache) statuses(key string, failed map[*ir.Assert]Status) []Status {
	out := []Status{}
	for _, a := range asserts(c.w.Func(key)) {
		out = append(out, max(failed[a], Holds))
	}
	return out
}
