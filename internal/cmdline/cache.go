package cmdline

import (
	"sync"

	"github.com/urfave/cli/v2"

	"dsd/internal/cache"
)

// CacheProg returns the flag --cache-prog.
func CacheProg() cli.Flag {
	return &cli.StringFlag{Name: "cache-prog", EnvVars: []string{"DSDCACHEPROG"}, Usage: "share what is kept " +
		"between runs by `COMMAND`, which speaks the go command's GOCACHEPROG protocol"}
}

// opened are the caches that Main closes, by the command of --cache-prog.
var opened = map[string]*cache.Cache{}

// program returns the digest of the running program.
var program = sync.OnceValues(cache.Program)

// Cache returns the user's cache and the digest of the running program, which entries depend on; nil if
// there is none. The error is one of usage: a folder or a command that cannot be used.
func Cache(c *cli.Context) (*cache.Cache, cache.ID, error) {
	command := c.String("cache-prog")
	kept, ok := opened[command]
	if !ok {
		var err error
		if kept, err = cache.Default(command); err != nil {
			return nil, cache.ID{}, Usagef("%v", err)
		}
		opened[command] = kept
	}
	if kept == nil {
		return nil, cache.ID{}, nil
	}
	id, err := program()
	if err != nil {
		return nil, cache.ID{}, nil
	}
	return kept, id, nil
}
