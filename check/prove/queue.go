package prove

import (
	"cmp"
	"slices"
	"sync"

	"dsd/check/lower"
)

// A Queue hands out functions to workers. A function whose callees are still analyzed stays behind, and those after
// it come first: a worker that took it could only wait. What a function may use of others does not depend on that.
type Queue struct {
	c     *Cache
	roots []*lower.Root
	order []int // indices of roots, callees first

	mu      sync.Mutex
	changed *sync.Cond // the state below
	next    int        // the place in order of the first function that was not looked at
	ready   []waiting  // functions that were behind, and may no longer be, in order
	behind  map[*proof][]waiting
	stopped bool
}

// waiting is a function, by its place in order, and the proofs that it waits for.
type waiting struct {
	place  int
	proofs []*proof
}

// Queue returns the queue of those of roots whose indices are in order, each after those that it waits for.
func (c *Cache) Queue(roots []*lower.Root, order []int) *Queue {
	q := &Queue{c: c, roots: roots, order: order, behind: map[*proof][]waiting{}}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// Next returns the index of the next root to analyze. It waits if others have to be done before. ok is false if there
// is none. The caller calls Done when the root is analyzed.
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
		case len(q.behind) > 0:
			q.changed.Wait()
			continue
		default:
			return 0, false
		}
		w.proofs = slices.DeleteFunc(w.proofs, (*proof).isDone)
		if len(w.proofs) == 0 {
			return q.order[w.place], true
		}
		q.behind[w.proofs[0]] = append(q.behind[w.proofs[0]], w)
	}
	return 0, false
}

// proofs returns the proofs that the i-th root waits for.
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

// Done says that the i-th root is analyzed.
func (q *Queue) Done(i int) {
	if q.roots[i].Err != nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.c.proof(q.roots[i].Key)
	for _, w := range q.behind[p] {
		at, _ := slices.BinarySearchFunc(q.ready, w, func(x, y waiting) int { return cmp.Compare(x.place, y.place) })
		q.ready = slices.Insert(q.ready, at, w)
	}
	delete(q.behind, p)
	q.changed.Broadcast()
}

// Stop ends all calls of Next.
func (q *Queue) Stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.changed.Broadcast()
}
