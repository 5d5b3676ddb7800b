package check

import (
	"fmt"
	"slices"

	"dsd/internal/shard"
	"dsd/internal/source"
	"dsd/schemas"
)

// inShard reports which functions belong to a shard. The parts are about equal in size; neighbors are together,
// so that few callees of one part are in another, and so are functions of the same name, which documents do
// not tell apart.
func inShard(s shard.Shard, funcs []*source.Func) []bool {
	weights := make([]int, len(funcs))
	for i, f := range funcs {
		weights[i] = weight(f)
	}
	return s.Runs(weights, func(i int) bool { return funcs[i-1].Name == funcs[i].Name })
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
	var parts []*schemas.Shards
	for i, d := range docs {
		if d.Module.Path != first.Module.Path || d.Module.Go != first.Module.Go || d.Assumed != first.Assumed ||
			d.Platform != first.Platform || d.Tests != first.Tests {
			return nil, fmt.Errorf("%s and %s are not of one run: the module, --assume, --tests or the platform "+
				"is another one", names[i], names[0])
		}
		parts = append(parts, d.Shards)
		out.Incomplete = out.Incomplete || d.Incomplete
		out.Functions += d.Functions
		out.Warnings = append(out.Warnings, d.Warnings...)
		out.Skipped = append(out.Skipped, d.Skipped...)
		out.Bounded = append(out.Bounded, d.Bounded...)
		out.Directives = addDirectives(out.Directives, d.Directives)
		addStats(&out.Stats, &d.Stats)
	}
	var err error
	if out.Shards, err = shard.Join(parts, names); err != nil {
		return nil, err
	}
	sortDocument(out)
	return out, nil
}

// addDirectives adds what the documents of shards say of directives: each is about all of them.
func addDirectives(to, list []schemas.Directive) []schemas.Directive {
	for _, x := range list {
		i := slices.IndexFunc(to, func(y schemas.Directive) bool { return x.Pos == y.Pos })
		if i < 0 {
			to = append(to, x)
			continue
		}
		to[i].Matches += x.Matches
		to[i].Analyzed += x.Analyzed
	}
	return to
}
