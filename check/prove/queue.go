package prove

import (
	"cmp"
	"slices"
	"sync"

	"dsd/check/lower"
)

// Queue schedules the analysis of functions on several workers. It skips a function while a callee that it awaits is
// not analyzed, because a worker that took it would block. The schedule does not change what a function may use of
// its callees: that depends on the call graph alone (see Cache).
type Queue struct {
	c     *Cache
	roots []*lower.Root
	order []int // indices of roots, callees first

	mu      sync.Mutex
	changed *sync.Cond // signals a change of the fields below
	next    int        // index into order of the first function that was not considered
	ready   []waiting  // functions to consider again, sorted by place
	blocked map[*proof][]waiting
	stopped bool
}

// waiting is a function, by its index into order, with the proofs that it awaits.
type waiting struct {
	place  int
	proofs []*proof
}

// Queue returns a queue of the roots whose indices are in order. Each must come after those that it awaits.
func (c *Cache) Queue(roots []*lower.Root, order []int) *Queue {
	q := &Queue{c: c, roots: roots, order: order, blocked: map[*proof][]waiting{}}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// Next returns the index of the next root to analyze, and blocks while all that are left are blocked. ok is false if
// none is left, or after Stop. The caller must call Done with the index when the analysis has ended.
func (q *Queue) Next() (i int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped {
		var w waiting
		switch {
		case len(q.ready) > 0:
			w, q.ready = q.ready[0], q.ready[1:]
		case q.next < len(q.order):
			w = waiting{q.next, q.proofs(q.order[q.next])}
			q.next++
		case len(q.blocked) > 0:
			q.changed.Wait()
			continue
		default:
			return 0, false
		}
		w.proofs = slices.DeleteFunc(w.proofs, (*proof).isDone)
		if len(w.proofs) == 0 {
			return q.order[w.place], true
		}
		q.blocked[w.proofs[0]] = append(q.blocked[w.proofs[0]], w)
	}
	return 0, false
}

// proofs returns the unfinished proofs that the i-th root awaits.
func (q *Queue) proofs(i int) []*proof {
	if q.roots[i].Err != nil {
		return nil
	}
	var list []*proof
	for _, n := range q.c.awaited(q.c.index[q.roots[i].Key]) {
		if p := q.c.nodes[n].proof; !p.isDone() {
			list = append(list, p)
		}
	}
	return list
}

// isDone reports whether statuses is complete.
func (p *proof) isDone() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Done records that the analysis of the i-th root has ended, and unblocks the functions that awaited it.
func (q *Queue) Done(i int) {
	if q.roots[i].Err != nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.c.proof(q.roots[i].Key)
	for _, w := range q.blocked[p] {
		at, _ := slices.BinarySearchFunc(q.ready, w, func(x, y waiting) int { return cmp.Compare(x.place, y.place) })
		q.ready = slices.Insert(q.ready, at, w)
	}
	delete(q.blocked, p)
	q.changed.Broadcast()
}

// Stop makes all calls of Next return, also those that are blocked. Functions whose callees were not begun would
// otherwise block forever.
func (q *Queue) Stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.changed.Broadcast()
}
