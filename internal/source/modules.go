package source

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// Module is a module of a build.
type Module struct {
	Path, Version string
	// Dir is where its files are, "" if they are not on this machine.
	Dir       string
	GoVersion string
	// Main says that it is the main module, or one of the workspace's.
	Main    bool
	Replace *Module
}

// Name is what stack traces and documents call the module: path@version, the path alone of a main module.
func (m *Module) Name() string {
	if m.Main || m.Version == "" {
		return m.Path
	}
	return m.Path + "@" + m.Version
}

// Modules lists the modules of the build around dir, the main module first.
func Modules(ctx context.Context, dir string) ([]*Module, error) {
	var out, errs bytes.Buffer
	run := func(args ...string) error {
		c := exec.CommandContext(ctx, "go", args...)
		out.Reset()
		errs.Reset()
		c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
		return c.Run()
	}
	// With -mod=readonly go.mod is not written to; where there is a vendor directory, that is asked for alone.
	args := []string{"list", "-m", "-mod=readonly", "-json=Path,Version,Dir,GoVersion,Main,Replace", "all"}
	err := run(args...)
	if err != nil && strings.Contains(errs.String(), "-mod may only be set to readonly or vendor when in workspace mode") {
		err = run("list", "-m", "-json=Path,Version,Dir,GoVersion,Main,Replace", "all")
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: %s: %s", ErrNoPackages, dir, strings.Split(strings.TrimSpace(errs.String()), "\n")[0])
	}
	var list []*Module
	for dec := json.NewDecoder(&out); ; {
		m := new(Module)
		if err := dec.Decode(m); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		if m.Dir == "" && m.Replace != nil {
			m.Dir = m.Replace.Dir
		}
		list = append(list, m)
	}
}
