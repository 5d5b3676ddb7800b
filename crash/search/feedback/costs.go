package feedback

import (
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
)

// Costs says how a Monitor measures candidates that end their process, never end, or are slow, and what it does
// about them.
type Costs uint8

const (
	// ByTime measures them in seconds. Their operations are avoided while more than maxLost of the time goes there.
	ByTime Costs = iota
	// ByWork measures them in cheap candidates, by what they did and not by the clock, so that a search makes the
	// same choices each time. Running time counts only above slowTime. Operations are avoided as in ByTime.
	ByWork
	// ByWorkAlone is ByWork without regard to what takes very long: for searches that are not bounded by time.
	ByWorkAlone
	// Never has operations avoided for good that were costly once. Slowness does not count.
	Never
)

// The costs of ByWork, in candidates of some microseconds each.
const (
	workPasses = 2000    // it made run.ManyPasses
	workHang   = 4000    // it made all passes that it may
	workKilled = 200_000 // its process had to be killed
	workExit   = 1000    // it called os.Exit, or its process did
	workDeath  = 5000    // its process died otherwise
	workSlow   = 20_000  // it took longer than slowTime
)

// slowTime is far longer than a candidate takes that makes less than run.ManyPasses, unless functions of other modules
// or the runtime do the work.
const slowTime = 50 * time.Millisecond

// of returns the cost of what happened to a candidate; 0 if that costs nothing.
func (c Costs) of(e *candidate.Event) float64 {
	switch e.Kind {
	case run.KindSlow, run.KindHang, run.KindExit, run.KindFatal:
	default:
		return 0
	}
	switch {
	case c == ByTime:
		return max(e.Took, time.Nanosecond).Seconds()
	case c == Never && e.Kind == run.KindSlow:
		return 0
	case e.Kind == run.KindHang && e.Killed:
		return workKilled
	case e.Kind == run.KindHang:
		return workHang
	case e.Kind == run.KindExit:
		return workExit
	case e.Kind == run.KindFatal:
		return workDeath
	case e.ManyPasses:
		return workPasses
	case e.Took >= slowTime && c == ByWork:
		return workSlow
	}
	return 0
}
