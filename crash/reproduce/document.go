package reproduce

import (
	"context"

	"dsd/schemas"
)

// document returns the best crash, after writing its test, and what was tried. The error is ctx's,
// or that of writing the test.
func (r *reproduction) document(ctx context.Context) (*schemas.Crashes, error) {
	about := &schemas.Reproduction{
		Kind: r.Panic.Kind, Message: r.Panic.Message, Frames: r.FrameDocuments(),
		Module: r.Source.Name(), Levels: len(r.Target.Frames), Searches: []schemas.Search{},
	}
	ended := ctx.Err() // once: a signal may come while the test is written
	out := &schemas.Crashes{
		Header:       schemas.Header{Module: r.MainModule(), Incomplete: ended != nil},
		Reproduction: about, Crashes: []schemas.Crash{},
		Unconfirmed: []schemas.Unconfirmed{},
	}
	var nearest *finishedSearch // with the candidate of the best fitness
	for i := range r.finished {
		s := &r.finished[i]
		out.Stats.Candidates += s.found.Stats.Candidates
		about.Searches = append(about.Searches, schemas.Search{
			Package: s.pkg.Path, Strategy: schemas.StrategySearch,
			Candidates: s.found.Stats.Candidates, Seconds: s.took.Seconds(),
			Fitness: s.found.Fitness, Level: s.found.Level,
		})
		if s.found.Best != nil &&
			(nearest == nil || s.found.Fitness < nearest.found.Fitness) {
			nearest = s
		}
	}
	if r.solving != nil {
		about.Searches = append(about.Searches, *r.solving)
	}
	if r.best == nil {
		if nearest != nil {
			about.Partial = nearest.partial()
		}
		return out, ended
	}
	out.Crashes = append(out.Crashes, *r.best)
	out.Stats.Confirmed = 1
	if err := r.WriteTest(&r.best.Test); err != nil {
		return nil, err
	}
	return out, ended
}

// partial returns the best candidate of a search as Go, with the conditions that it does not meet;
// nil if it enters no function on the stack.
func (s *finishedSearch) partial() *schemas.Partial {
	frame, missing, ok := s.searcher.Unmet(s.found.Distance)
	if !ok {
		return nil
	}
	table := s.searcher.Graph().Table
	test, err := s.found.Best.WriteTest(s.pkg, table, "TestPartial", "", false)
	if err != nil {
		return nil
	}
	return &schemas.Partial{
		Package: s.pkg.Path, Fitness: s.found.Fitness, Func: frame.Func,
		Reached: len(missing) == 0 && frame.Pos.IsValid(), Missing: missing,
		Inputs: test.Body, Panic: s.found.Panic,
	}
}
