package infer

import (
	"context"
	"io"

	"dsd/infer/usage"
	"dsd/internal/source"
	"dsd/schemas"
)

// ModelOptions say how to learn usage models.
type ModelOptions struct {
	// Static leaves the tests alone: models come from the source.
	Static bool
	// Log receives what a person should know. Not nil.
	Log io.Writer
}

// Models learns how objects of the module's types are used, from the paths through its source and from its tests, which are run
// [SEED 3.1]. When ctx ends, what the source says is returned, marked incomplete, with ctx's error.
func Models(ctx context.Context, prog *source.Program, opt ModelOptions) (*schemas.Models, error) {
	l := usage.New()
	l.Static(prog)
	h := schemas.Header{Module: schemas.Module{Path: prog.Module, Go: prog.GoVersion}}
	if !opt.Static {
		if err := l.Dynamic(ctx, prog, opt.Log); err != nil {
			if ctx.Err() == nil {
				return nil, err
			}
			h.Incomplete = true
		}
	}
	return l.Models(h), ctx.Err()
}
