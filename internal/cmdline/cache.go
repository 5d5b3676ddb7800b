package cmdline

import "dsd/internal/cache"

// Cache returns the user's cache and the digest of the running program, which entries depend on; nil if
// there is none. The error is one of usage: a folder that cannot be used.
func Cache() (*cache.Cache, cache.ID, error) {
	c, err := cache.Default()
	if err != nil {
		return nil, cache.ID{}, Usagef("%v", err)
	}
	if c == nil {
		return nil, cache.ID{}, nil
	}
	program, err := cache.Program()
	if err != nil {
		return nil, cache.ID{}, nil
	}
	return c, program, nil
}
