package check

import (
	"fmt"
	"slices"

	"dsd/check/lower"
	"dsd/check/prove"
	"dsd/internal/shard"
	"dsd/schemas"
)

// inShard reports which of the roots belong to a shard. The parts are about equal in their numbers of
// assertions; neighbors are together, so that few callees of one part are in another, and so are
// functions of the same name, which documents do not tell apart.
func inShard(s shard.Shard, w *lower.World, roots []*lower.Root) []bool {
	weights := make([]int, len(roots))
	for i, r := range roots {
		weights[i] = 1
		if r.Err == nil {
			weights[i] += prove.Assertions(w, r.Key)
		}
	}
	return s.Runs(weights, func(i int) bool { return roots[i-1].Func.Name == roots[i].Func.Name })
}

// Merge puts the documents of shards together, in any order and any number of steps: those of all shards make
// the document of one run, byte by byte. The error reports documents that do not belong together; names are
// what it calls them.
func Merge(docs []*schemas.Warnings, names []string) (*schemas.Warnings, error) {
	first := docs[0]
	out := &schemas.Warnings{
		Header: first.Header, Assumed: first.Assumed, Platform: first.Platform, Tests: first.Tests,
		Warnings: []schemas.Warning{}, Skipped: []schemas.Skipped{}, Bounded: []schemas.Skipped{},
	}
	from := map[int]string{} // the names of the documents with the shards
	var have []int
	for i, d := range docs {
		switch {
		case d.Shards == nil:
			return nil, fmt.Errorf("%s is about all functions: it was made without --shard", names[i])
		case d.Shards.Of != first.Shards.Of:
			return nil, fmt.Errorf("%s has shards of %d, and %s of %d", names[i], d.Shards.Of, names[0],
				first.Shards.Of)
		case d.Module.Path != first.Module.Path || d.Module.Go != first.Module.Go || d.Assumed != first.Assumed ||
			d.Platform != first.Platform || d.Tests != first.Tests:
			return nil, fmt.Errorf("%s and %s are not of one run: the module, --assume, --tests or the platform "+
				"is another one", names[i], names[0])
		}
		for _, n := range d.Shards.Have {
			if from[n] != "" {
				return nil, fmt.Errorf("%s and %s both have shard %d", from[n], names[i], n)
			}
			from[n] = names[i]
			have = append(have, n)
		}
		out.Incomplete = out.Incomplete || d.Incomplete
		out.Functions += d.Functions
		out.Warnings = append(out.Warnings, d.Warnings...)
		out.Skipped = append(out.Skipped, d.Skipped...)
		out.Bounded = append(out.Bounded, d.Bounded...)
		addStats(&out.Stats, &d.Stats)
	}
	if slices.Sort(have); len(have) < first.Shards.Of {
		out.Shards = &schemas.Shards{Of: first.Shards.Of, Have: have}
	}
	sortDocument(out)
	return out, nil
}
