// Package merge puts the crashes documents of shards together.
//
// A shard has all crashes of some packages. What shards cannot know of each other is which of their crashes have
// one stack, which show nothing new beside others, and the IDs: report.Join and blame.Compare decide that from
// the crashes alone, in one run as here.
package merge

import (
	"fmt"

	"dsd/crash/blame"
	"dsd/crash/report"
	"dsd/internal/fingerprint"
	"dsd/internal/shard"
	"dsd/schemas"
)

// Documents puts the documents of shards of one run of `crash confirm` or `crash random` together, in any order
// and any number of steps: those of all shards make the document of one run, byte by byte, as far as time does
// not matter. The error reports documents that do not belong together; names are what it calls them.
func Documents(docs []*schemas.Crashes, names []string) (*schemas.Crashes, error) {
	first := docs[0]
	out := &schemas.Crashes{Header: first.Header, Unconfirmed: []schemas.Unconfirmed{}}
	var parts []*schemas.Shards
	var all []schemas.Crash
	confirmed := false // rather than found at random
	for i, d := range docs {
		if d.Module.Path != first.Module.Path || d.Module.Go != first.Module.Go {
			return nil, fmt.Errorf("%s and %s are not of one run: the module is another one", names[i], names[0])
		}
		parts = append(parts, d.Shards)
		out.Incomplete = out.Incomplete || d.Incomplete
		all = append(all, d.Crashes...)
		for _, c := range d.Crashes {
			confirmed = confirmed || c.Warning != ""
		}
		out.Unconfirmed = append(out.Unconfirmed, d.Unconfirmed...)
		out.Skipped = append(out.Skipped, d.Skipped...)
		addStats(&out.Stats, &d.Stats)
	}
	var err error
	if out.Shards, err = shard.Join(parts, names); err != nil {
		return nil, err
	}
	report.SortUnconfirmed(out.Unconfirmed)
	report.SortSkipped(out.Skipped)
	out.Crashes = blame.Compare(report.Join(all), !confirmed)
	fingerprint.NumberCrashes(out.Crashes)
	return out, nil
}

func addStats(to, s *schemas.CrashStats) {
	to.Candidates += s.Candidates
	to.Confirmed += s.Confirmed
	to.BySequence += s.BySequence
	to.NoPublicWay += s.NoPublicWay
	to.Elsewhere += s.Elsewhere
	to.Suppressed += s.Suppressed
	to.Unverified += s.Unverified
}
