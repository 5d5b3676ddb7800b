package localsearch

import (
	"slices"

	"dsd/check/logic"
)

// Budgets of a search, in terms evaluated. A term takes about ten nanoseconds.
const (
	// Quick finds what a few repairs of a simple start find.
	Quick = 20_000
	// Thorough is for what the solver gave up on.
	Thorough = 400_000
)

// stepsPerStart is the number of steps from one start.
const stepsPerStart = 120

// Find returns a model in which all terms are true, or nil if it finds none within the budget. The
// first start has all inputs zero, later ones have values from the corners of their types.
func Find(terms []*logic.Term, budget int) *logic.Model {
	return New(logic.NewGraph(terms)).Find(budget)
}

// Search is a search for a model, which can be continued. It is not safe for concurrent use.
type Search struct {
	state
	random  random
	corners corners
	failed  bool    // the roots cannot be true
	list    []int32 // scratch
}

// New returns a search for a model in which the roots of a graph are true.
func New(g *logic.Graph) *Search {
	s := &Search{}
	s.Begin(g)
	return s
}

// Begin makes s a search for a model in which the roots of a graph are true, in the memory that it has.
func (s *Search) Begin(g *logic.Graph) {
	s.state.begin(g)
	s.random, s.corners = 1, corners{random: &s.random}
	s.failed = slices.ContainsFunc(s.roots, func(r int32) bool { return s.values[r] == 0 && !s.nodes[r].open })
}

// End forgets the terms, but not the memory.
func (s *Search) End() {
	clear(s.nodes)
	clear(s.cells)
	clear(s.reads)
}

// Find is Find for the roots of the graph. The budget counts what earlier calls took, which is not done again.
func (s *Search) Find(budget int) *logic.Model {
	if s.failed {
		return nil
	}
	for !s.walk(budget) {
		if s.work >= budget {
			return nil
		}
		s.restart()
	}
	s.shrink(budget)
	return s.model()
}

// restart assigns all inputs values from the corners of their types.
func (s *Search) restart() {
	clear(s.cells)
	s.corners.objects = 0
	for i := range s.nodes {
		switch t := s.nodes[i].term; t.Op {
		case logic.OpVar:
			s.values[i] = s.corners.choose(t)
		case logic.OpSelect:
			at := s.cell(int32(i)) // its operands come before
			if _, ok := s.cells[at]; !ok {
				s.cells[at] = s.corners.choose(t)
			}
			s.values[i] = s.cells[at]
		default:
			s.values[i] = s.compute(int32(i))
		}
	}
	s.work += len(s.nodes)
}

// walk takes steps until all roots are true. It reports whether they are.
func (s *Search) walk(budget int) bool {
	failing := s.failing(nil)
	for range stepsPerStart {
		if len(failing) == 0 {
			return true
		}
		if s.work >= budget {
			return false
		}
		root := failing[s.random.pick(len(failing))]
		input, v, ok := s.propagate(root, 1)
		if !ok || s.values[input] == v {
			s.work += 10 // so that a search without steps ends, too
			continue
		}
		s.assign(input, v)
		now := s.failing(s.list[:0])
		if len(now) > len(failing) && s.random.pick(8) != 0 {
			s.undo()
			continue
		}
		s.list, failing = failing, now
	}
	return len(failing) == 0
}

// allTrue reports whether all roots are true.
func (s *state) allTrue() bool {
	return !slices.ContainsFunc(s.roots, func(r int32) bool { return s.values[r] == 0 })
}
