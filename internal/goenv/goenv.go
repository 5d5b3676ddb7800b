// Package goenv reads the variables of the go command.
package goenv

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// known are the variables by folder and environment, which do not change while a command runs.
var known = struct {
	sync.Mutex
	vars map[string]map[string]string
}{vars: map[string]map[string]string{}}

// Read returns the variables that `go env` prints in a folder. It asks the go command once for each folder and
// environment. Errors: ctx's, and what the go command complains about.
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
	cmd := exec.CommandContext(ctx, "go", "env", "-json")
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var vars map[string]string
	if err == nil {
		err = json.Unmarshal(out, &vars)
	}
	if err != nil {
		return nil, fmt.Errorf("go env: %w: %s", err, strings.TrimSpace(errs.String()))
	}
	known.vars[key] = vars
	return maps.Clone(vars), nil
}
