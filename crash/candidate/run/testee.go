//go:build go1.21

package run

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// What the rewritten testee reports: coverage, preconditions, and changes of package-level
// variables.

// blocks are the blocks of the testee's packages.
var blocks []packageBlocks

// packageBlocks are the blocks of a package: seen marks those that have been executed, and reported those that
// the parent knows. Comparing the two after each candidate costs less than a test in each block.
type packageBlocks struct {
	first          int // the number of the first one
	seen, reported []bool
}

// Blocks registers the marks of a package's blocks, which are numbered from first on.
func Blocks(first int, seen []bool) bool {
	blocks = append(blocks, packageBlocks{first, seen, make([]bool, len(seen))})
	return true
}

// anyNew reports whether the package has blocks that have been executed and are not reported.
func (p *packageBlocks) anyNew() bool {
	return unsafe.String((*byte)(unsafe.Pointer(&p.seen[0])), len(p.seen)) !=
		unsafe.String((*byte)(unsafe.Pointer(&p.reported[0])), len(p.reported))
}

// newBlocks returns the blocks that have been executed since the last call.
func newBlocks() (list []int) {
	for i := range blocks {
		p := &blocks[i]
		if !p.anyNew() {
			continue
		}
		for k := range p.seen {
			if p.seen[k] && !p.reported[k] {
				p.reported[k] = true
				list = append(list, p.first+k)
			}
		}
	}
	return list
}

// The calls of the running candidate: the number of calls, of calls whose preconditions were
// checked, and of calls whose preconditions held. expected is the number of the function whose call
// comes next, 0 if it has none.
var called, preChecked, preHeld, argsHeld, expected int

// Enter is called at the beginning of a function with preconditions, whose number is given. args
// evaluates those about its arguments, state those about nothing but its receiver and package-level
// variables; nil if there are none. Only calls by the candidate itself are checked, not those that
// the testee makes in turn.
func Enter(number int, args, state func() bool) {
	if number != expected {
		return
	}
	expected = 0
	preChecked++
	if !evaluate(args) {
		return
	}
	argsHeld++
	if evaluate(state) {
		preHeld++
	}
}

// evaluate evaluates preconditions. One that cannot be evaluated does not hold.
func evaluate(holds func() bool) (held bool) {
	defer func() { recover() }()
	return holds == nil || holds()
}

// resets are the resets of the testee's packages, in the order of their initialization.
var resets []packageReset

// packageReset resets the variables of a package.
type packageReset struct {
	path string
	f    func()
}

// maxRecovered is the number of values that are kept of those that a candidate recovered.
const maxRecovered = 8

// recovered holds the last values that the running candidate recovered, in any goroutine. Most recover none: any says
// whether there are values, so that nothing is locked for these.
var recovered struct {
	any atomic.Bool
	sync.Mutex
	values []any
}

// Recovered keeps a value that the testee recovered, and returns it.
func Recovered(v any) any {
	if v != nil {
		recovered.Lock()
		if len(recovered.values) == maxRecovered {
			recovered.values = append(recovered.values[:0], recovered.values[1:]...)
		}
		recovered.values = append(recovered.values, v)
		recovered.any.Store(true)
		recovered.Unlock()
	}
	return v
}

// lastRecovered returns the last n values that the running candidate recovered, nil if there are fewer.
func lastRecovered(n int) []any {
	recovered.Lock()
	defer recovered.Unlock()
	if n <= 0 || n > len(recovered.values) {
		return nil
	}
	return append([]any(nil), recovered.values[len(recovered.values)-n:]...)
}

// forgetRecovered drops what was recovered before a candidate begins.
func forgetRecovered() {
	if !recovered.any.Load() {
		return
	}
	recovered.Lock()
	recovered.values = recovered.values[:0]
	recovered.any.Store(false)
	recovered.Unlock()
}

// undo takes back the assignments of the running candidate's own statements to package-level variables.
var undo []func()

// Undo registers a function that takes back an assignment to a package-level variable. It runs when the candidate ends,
// after those registered later.
func Undo(f func()) { undo = append(undo, f) }

// undoAll runs the functions that were registered with Undo.
func undoAll() {
	for i := len(undo) - 1; i >= 0; i-- {
		undo[i]()
	}
	undo = undo[:0]
}

// Dirty is set when a function runs that may change a package-level variable.
var Dirty bool

// alwaysDirty reports whether variables may change without Dirty being set, and locks whether there
// are locks among them.
var alwaysDirty, locks bool

// Reset registers a function that resets the variables of a package. The runtime calls it after
// each candidate that leaves Dirty set; with always, after each candidate; and withLocks, also
// after each candidate that did not run to its end. Packages register in the order of their
// initialization.
func Reset(path string, always, withLocks bool, f func()) {
	resets = append(resets, packageReset{path, f})
	alwaysDirty, locks = alwaysDirty || always, locks || withLocks
}
