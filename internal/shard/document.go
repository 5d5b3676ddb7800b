package shard

import (
	"fmt"
	"slices"

	"dsd/schemas"
)

// Header returns what a document about the shard says of it: nil if it is all there is.
func (s Shard) Header() *schemas.Shards {
	if s.Of <= 1 {
		return nil
	}
	return &schemas.Shards{Of: s.Of, Have: []int{s.Number}}
}

// Join returns what a document of several documents about shards says: nil if they are all there are. The error
// reports documents that are not about shards of one run; names are what it calls them.
func Join(parts []*schemas.Shards, names []string) (*schemas.Shards, error) {
	from := map[int]string{} // the names of the documents with the shards
	out := &schemas.Shards{}
	for i, p := range parts {
		switch {
		case p == nil:
			return nil, fmt.Errorf("%s is not a part of a run: it was made without --shard", names[i])
		case p.Of != parts[0].Of:
			return nil, fmt.Errorf("%s has shards of %d, and %s of %d", names[i], p.Of, names[0], parts[0].Of)
		}
		for _, n := range p.Have {
			if from[n] != "" {
				return nil, fmt.Errorf("%s and %s both have shard %d", from[n], names[i], n)
			}
			from[n] = names[i]
			out.Have = append(out.Have, n)
		}
	}
	out.Of = parts[0].Of
	if slices.Sort(out.Have); len(out.Have) == out.Of {
		return nil, nil
	}
	return out, nil
}
