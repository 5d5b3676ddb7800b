package feedback

import (
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/crash/search/constants"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
)

// Stats counts what a search has done.
type Stats struct {
	Candidates, Panics int
	// Blocks is the number of executed basic blocks of the testee, and All the number of all.
	Blocks, All int
	// Crashes is the number of different crashes.
	Crashes int
	// Hangs, Exits and Deaths count the candidates that had to be stopped, that exited the
	// process, and that ended it by a fatal error. Killed counts the hangs that cost a process,
	// too.
	Hangs, Exits, Deaths, Killed int
	// Processes is the number of processes that ran candidates.
	Processes int
	// Elapsed is the time that drawing, running and shrinking candidates took, without the build.
	Elapsed time.Duration
}

const (
	// maxCorpus is the number of candidates that are kept to be mutated.
	maxCorpus = 2000
	// maxLost is the share of a search that may go into candidates that end their process or are slow.
	maxLost = 0.25
)

// Monitor collects what running candidates reveals, apart from crashes.
type Monitor struct {
	Stats Stats
	// Corpus holds the candidates that reached new code.
	Corpus []candidate.Program

	g       *paramgraph.Graph
	begin   time.Time
	covered []bool // by block
	// costly are the operations that ended their process or were slow, by magnitude.
	costly [magnitudes]map[int]bool
	costs  Costs
	lost   float64 // in candidates with costly operations
	// required are operations that are never avoided.
	required map[int]bool
}

// NewMonitor returns a monitor of the candidates of a graph, whose harness counts blocks. Operations
// in required are never avoided.
func NewMonitor(
	g *paramgraph.Graph, blocks int, costs Costs, required map[int]bool,
) *Monitor {
	m := &Monitor{
		g: g, begin: time.Now(), covered: make([]bool, blocks),
		costs: costs, required: required,
	}
	m.Stats.All = blocks
	for i := range m.costly {
		m.costly[i] = map[int]bool{}
	}
	return m
}

// Elapsed returns the time since the monitor was made.
func (m *Monitor) Elapsed() time.Duration { return time.Since(m.begin) }

// Note records what happened to a candidate.
func (m *Monitor) Note(p candidate.Program, e candidate.Event) {
	switch e.Kind {
	case run.KindNew:
		fresh := 0
		for _, b := range e.Blocks {
			if !m.covered[b] { // an earlier process may have executed it
				m.covered[b] = true
				fresh++
			}
		}
		m.Stats.Blocks += fresh
		if fresh > 0 && len(m.Corpus) < maxCorpus {
			m.Corpus = append(m.Corpus, p)
		}

	case run.KindHang:
		m.Stats.Hangs++
		if e.Killed {
			m.Stats.Killed++
		}

	case run.KindExit:
		m.Stats.Exits++

	case run.KindFatal:
		m.Stats.Deaths++
	}
	if cost := m.costs.of(&e); cost > 0 {
		m.addCost(p, e, cost)
	}
}

// addCost records that a candidate was costly because of the statement that it was executing.
func (m *Monitor) addCost(p candidate.Program, e candidate.Event, cost float64) {
	m.lost += cost
	if e.Stmt < len(p) {
		p = p[:e.Stmt+1]
		m.costly[m.magnitude(p)][p[e.Stmt].Op] = true
	}
}

// Forgive lets all operations be tried again, and reports whether any was too costly.
func (m *Monitor) Forgive() (any bool) {
	for i := range m.costly {
		any = any || len(m.costly[i]) > 0
		clear(m.costly[i])
	}
	return any
}

// Lost returns what costly candidates have cost, in the measure of the monitor's Costs.
func (m *Monitor) Lost() float64 { return m.lost }

// OverBudget reports whether costly candidates took more than their share.
func (m *Monitor) OverBudget() bool {
	switch m.costs {
	case ByTime:
		return m.lost >= maxLost*m.Elapsed().Seconds()
	case ByWork, ByWorkAlone:
		return m.lost >= maxLost*(m.lost+float64(m.Stats.Candidates))
	}
	return m.lost > 0
}

// TooCostly reports whether a candidate should not be run: it calls an operation that was costly in
// a candidate of the same magnitude, and enough was lost in such candidates.
func (m *Monitor) TooCostly(p candidate.Program) bool {
	costly := m.costly[m.magnitude(p)]
	if len(costly) == 0 || !m.OverBudget() {
		return false
	}
	for i := range p {
		if costly[p[i].Op] && !m.required[p[i].Op] {
			return true
		}
	}
	return false
}

// The magnitudes of candidates. A call that is costly with large numbers, such as an allocation,
// may be cheap with small ones.
const (
	smallNumbers = iota
	largeNumbers
	magnitudes
)

// magnitude returns largeNumbers if a candidate has a large integer literal.
func (m *Monitor) magnitude(p candidate.Program) int {
	for i := range p {
		op := m.g.Table[p[i].Op]
		if op.Lit && constants.IsLarge(p[i].Bits) && !program.IsFloat(op) {
			return largeNumbers
		}
	}
	return smallNumbers
}
