package source

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

// here is the platform of this machine.
const here = runtime.GOOS + "/" + runtime.GOARCH

// platform returns the platform that the go command in dir builds for, such as "linux/386".
func platform(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOOS", "GOARCH")
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("go env: %w: %s", err, strings.TrimSpace(errs.String()))
	}
	var env struct{ GOOS, GOARCH string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	return env.GOOS + "/" + env.GOARCH, nil
}

// Foreign returns the platform that the program is built for, such as "linux/386", if its tests do
// not run on this machine, else "".
func (p *Program) Foreign() string {
	if p.Platform == here {
		return ""
	}
	return p.Platform
}

// RunsHere returns an error if the go command in dir builds tests that do not run on this machine. It
// returns nil if that command fails, which whoever runs tests notices.
func RunsHere(ctx context.Context, dir string) error {
	p, err := platform(ctx, dir)
	if err != nil || p == here {
		return nil
	}
	goos, goarch, _ := strings.Cut(p, "/")
	return fmt.Errorf("tests for GOOS=%s GOARCH=%s do not run on this machine, which is %s: "+
		"unset GOOS and GOARCH", goos, goarch, here)
}
