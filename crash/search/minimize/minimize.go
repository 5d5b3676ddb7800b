// Package minimize makes values small while a predicate holds.
//
// It knows nothing of the values. There are two algorithms:
//
//   - Minimize improves a value step by step. Passes propose smaller candidates than the best value
//     so far; a candidate for which the predicate holds becomes the best. The passes run in turn
//     until a round of all of them finds nothing. DropRuns is a pass for values that consist of
//     parts.
//   - Droppable looks for a large set of parts that can be left out together. It asks about many
//     sets at a time, for predicates that cost little more for many than for one.
//
// Both are greedy: the result is not the smallest value, but no pass, or no single part, makes it
// smaller. Neither asks the same question twice, if it can tell questions apart.
package minimize

// Config says what Minimize looks for.
type Config[T any] struct {
	// Pred reports whether a candidate has the property to preserve. It must hold of the value
	// that is minimized.
	Pred func(T) bool
	// Cost, if not nil, is what is to become small. A candidate that costs more than the best
	// value is rejected without asking Pred.
	Cost func(T) int
	// Key, if not nil, identifies a candidate. Pred is called once for each key.
	Key func(T) string
	// MaxSteps is the number of candidates that are proposed, 0 for any number. A candidate
	// that is proposed again counts: the work does not depend on what is remembered.
	MaxSteps int
	// Stop, if not nil, reports whether to stop, as when time is up.
	Stop func() bool
}

// Pass proposes candidates to a search, from the best value that it has.
type Pass[T any] func(s *Search[T])

// Minimize returns the smallest value that passes find, starting from a value for which the
// predicate holds. It returns the best value so far when the budget of cfg is spent.
func Minimize[T any](value T, cfg Config[T], passes ...Pass[T]) T {
	s := &Search[T]{cfg: cfg, best: value, asked: map[string]bool{}}
	for s.improved = true; s.improved && !s.done(); {
		s.improved = false
		for _, pass := range passes {
			pass(s)
		}
	}
	return s.best
}

// Search is a run of Minimize.
type Search[T any] struct {
	cfg      Config[T]
	best     T
	improved bool            // in this round of passes
	steps    int             // candidates proposed
	asked    map[string]bool // keys of candidates for which Pred was called
}

// Best returns the best value so far.
func (s *Search[T]) Best() T { return s.best }

// Try proposes a candidate. It reports whether the candidate has the property and so is the best.
func (s *Search[T]) Try(candidate T) bool {
	if s.done() {
		return false
	}
	s.steps++
	if s.cfg.Cost != nil && s.cfg.Cost(candidate) > s.cfg.Cost(s.best) {
		return false
	}
	if s.cfg.Key != nil {
		key := s.cfg.Key(candidate)
		if s.asked[key] {
			return false
		}
		s.asked[key] = true
	}
	if !s.cfg.Pred(candidate) {
		return false
	}
	s.best, s.improved = candidate, true
	return true
}

// done reports whether the budget is spent.
func (s *Search[T]) done() bool {
	return s.cfg.MaxSteps > 0 && s.steps >= s.cfg.MaxSteps || s.cfg.Stop != nil && s.cfg.Stop()
}

// DropRuns returns a pass that drops runs of consecutive parts. It drops long runs first, of
// longest parts (a power of two), then runs half as long, down to single parts: most parts are not
// needed, and a long run costs one question. It walks backwards, since later parts use earlier
// ones: once the users of a part are dropped, it can be dropped, too.
//
// parts returns the number of parts of a value. without returns the value without the n parts from
// index from on, or without those of them that can be dropped; it reports false if nothing can.
func DropRuns[T any](
	longest int, parts func(T) int, without func(value T, from, n int) (T, bool),
) Pass[T] {
	return func(s *Search[T]) {
		for n := longest; n > 0; n /= 2 {
			for i := parts(s.best) - n; i >= 0; i -= n {
				if i+n > parts(s.best) { // parts after i were dropped
					continue
				}
				if candidate, ok := without(s.best, i, n); ok {
					s.Try(candidate)
				}
			}
		}
	}
}
