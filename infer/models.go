package infer

import (
	"context"
	"io"

	"dsd/infer/usage"
	"dsd/internal/source"
	"dsd/schemas"
)

// ModelOptions are the options of Models.
type ModelOptions struct {
	// Static learns from the source only and does not run the tests.
	Static bool
	// Log receives warnings. It must not be nil.
	Log io.Writer
}

// Models learns usage models of the module's types from the paths through its source and from runs
// of its tests [SEED 3.1]. When ctx ends, it returns the models of the source, marked incomplete,
// and ctx's error.
func Models(ctx context.Context, prog *source.Program, opt ModelOptions) (*schemas.Models, error) {
	l := usage.New()
	l.Static(prog)
	h := prog.Header()
	var ended error
	if !opt.Static {
		if err := l.Dynamic(ctx, prog, opt.Log); err != nil {
			if ctx.Err() == nil {
				return nil, err
			}
			h.Incomplete, ended = true, ctx.Err()
		}
	}
	return l.Models(h), ended
}
