package cmdline

import (
	"github.com/urfave/cli/v2"

	"dsd/internal/cache"
)

// CacheProg returns the flag --cache-prog.
func CacheProg() cli.Flag {
	return &cli.StringFlag{Name: "cache-prog", EnvVars: []string{"DSDCACHEPROG"}, Usage: "share what is kept " +
		"between runs by `COMMAND`, which speaks the go command's GOCACHEPROG protocol"}
}

// opened are the caches that Main closes.
var opened []*cache.Cache

// Cache returns the user's cache and the digest of the running program, which entries depend on; nil if
// there is none. The error is one of usage: a folder or a command that cannot be used.
func Cache(c *cli.Context) (*cache.Cache, cache.ID, error) {
	kept, err := cache.Default(c.String("cache-prog"))
	if err != nil {
		return nil, cache.ID{}, Usagef("%v", err)
	}
	if kept == nil {
		return nil, cache.ID{}, nil
	}
	opened = append(opened, kept)
	program, err := cache.Program()
	if err != nil {
		return nil, cache.ID{}, nil
	}
	return kept, program, nil
}
