package source

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"dsd/internal/goenv"
)

// here is the platform of this machine.
const here = runtime.GOOS + "/" + runtime.GOARCH

// platform returns the platform that the go command in dir builds for, such as "linux/386".
func platform(ctx context.Context, dir string) (string, error) {
	env, err := goenv.Read(ctx, dir)
	if err != nil {
		return "", err
	}
	return env["GOOS"] + "/" + env["GOARCH"], nil
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
