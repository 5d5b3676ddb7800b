// Package goenv reads the variables of the go command.
package goenv

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"dsd/internal/subprocess"
)

// known are the variables by folder and environment, which do not change while a command runs.
var known = struct {
	sync.Mutex
	vars map[string]map[string]string
}{vars: map[string]map[string]string{}}

// Read returns the variables that `go env` prints in a folder, but for GOTMPDIR and GOGCCFLAGS, by name. It asks
// the go command once for each folder and environment. Where the go command has no build cache, it tells fewer, and not GOVERSION. Errors: ctx's, and what
// the go command complains about.
func Read(ctx context.Context, dir string) (map[string]string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	key := abs + "\x00" + strings.Join(os.Environ(), "\x00")
	known.Lock()
	defer known.Unlock()
	if vars := known.vars[key]; vars != nil {
		return maps.Clone(vars), nil
	}
	vars, err := ask(ctx, dir)
	if err != nil && ctx.Err() == nil {
		vars, err = ask(ctx, dir, always...)
	}
	if err != nil {
		return nil, err
	}
	known.vars[key] = vars
	return maps.Clone(vars), nil
}

// always are the variables that the go command tells although it has no build cache, as with GOCACHE=off or
// without HOME.
var always = []string{"GOOS", "GOARCH", "GOFLAGS", "GOMODCACHE", "GOROOT", "GOWORK"}

// ask asks the go command for variables, or for all if none are named.
func ask(ctx context.Context, dir string, names ...string) (vars map[string]string, err error) {
	// For some of them it asks the C compiler, in a folder that would stay if it were killed.
	out, complaints, err := subprocess.Go(ctx, dir, append([]string{"env", "-json"}, names...)...)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		err = json.Unmarshal(out, &vars)
	}
	if err != nil {
		return nil, fmt.Errorf("go env: %w: %s", err, strings.TrimSpace(complaints))
	}
	delete(vars, "GOTMPDIR")
	delete(vars, "GOGCCFLAGS") // they name it, too
	return vars, nil
}
