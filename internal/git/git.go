// Package git asks the git repository around a directory.
package git

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Run runs git with arguments in a directory, and returns what it prints. The error has the first line that git writes
// about it, or is ctx's.
func Run(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if said == "" {
			said = err.Error()
		}
		return "", fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(said, "fatal: "))
	}
	return string(out), nil
}

// Commit returns the hash of the commit that a revision names, such as HEAD~1, a tag or the beginning of a hash. The
// error says that there is none.
func Commit(ctx context.Context, dir, revision string) (string, error) {
	out, err := Run(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("git knows no revision %s here", revision)
	}
	return strings.TrimSpace(out), nil
}
