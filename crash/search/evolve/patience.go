package evolve

import "time"

const (
	// maxRun is how long a candidate may take, and maxPasses how many loop passes and calls it
	// may make. Most candidates that take more never end.
	maxRun    = 300 * time.Millisecond
	maxPasses = 1 << 20
	// deepRun and deepPasses are the same for a stack overflow, since a deep recursion must not end, and for a patient
	// search.
	deepRun    = 2 * time.Second
	deepPasses = 32 << 20
	// maxNearHangs is the number of candidates as near as any that run out of passes or time before a search becomes
	// patient, and maxHangs that of candidates that do so nevertheless before it is as it was.
	maxNearHangs = 3
	maxHangs     = 20
)

// patience says how long candidates may take. Where those that come nearest to the crash are cut off on their way, much
// may have to be computed before it, and a search is patient for a while: perhaps they only take long.
type patience struct {
	near, hangs int
	state, want patienceState
}

type patienceState int

const (
	short patienceState = iota // it was never patient
	patient
	spent // it was, in vain
)

// hung notes a candidate that ran out of passes or time. near reports whether none came nearer to the crash.
func (p *patience) hung(near bool) {
	switch {
	case p.state == patient:
		if p.hangs++; p.hangs == maxHangs {
			p.want = spent
		}
	case p.state == short && near:
		if p.near++; p.near == maxNearHangs {
			p.want = patient
		}
	}
}

// changes reports whether other limits hold from now on.
func (p *patience) changes() bool {
	if p.want == p.state {
		return false
	}
	p.state = p.want
	return true
}

// limits returns how long a candidate may take, and how many passes it may make.
func (p *patience) limits() (time.Duration, int64) {
	if p.state == patient {
		return deepRun, deepPasses
	}
	return maxRun, maxPasses
}
