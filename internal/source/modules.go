package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"

	"dsd/internal/subprocess"
)

// Module is a module of a build.
type Module struct {
	Path, Version string
	// Dir is the directory of the module's files, "" if they are not on this machine.
	Dir       string
	GoVersion string
	// Main reports whether the module is the main module, or a module of the workspace.
	Main bool
	// Replace is the module that replaces this one in the build, nil if none does.
	Replace *Module
}

// Name returns the name of the module in stack traces and documents: path@version, or the path
// alone if it is a main module or has no version.
func (m *Module) Name() string {
	if m.Main || m.Version == "" {
		return m.Path
	}
	return m.Path + "@" + m.Version
}

// Modules lists the modules of the build around dir, the main module first. Where go.sum lacks modules of which no package
// is built, it lists those of the packages that are. Errors: ErrNoPackages
// (wrapped) with the first line that the go command prints, or ctx's error.
func Modules(ctx context.Context, dir string) ([]*Module, error) {
	var out, errs bytes.Buffer
	run := func(args ...string) error {
		c := exec.CommandContext(ctx, "go", args...)
		out.Reset()
		errs.Reset()
		c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
		return c.Run()
	}
	// -mod=readonly keeps go.mod unchanged, and lists all modules where there is a vendor
	// directory, which -mod=vendor, the default there, refuses.
	args := []string{"list", "-m", "-mod=readonly", "-json=Path,Version,Dir,GoVersion,Main,Replace",
		"all"}
	err := run(args...)
	const inWorkspace = "-mod may only be set to readonly or vendor when in workspace mode"
	if err != nil && strings.Contains(errs.String(), inWorkspace) {
		err = run("list", "-m", "-json=Path,Version,Dir,GoVersion,Main,Replace", "all")
	}
	if err != nil && strings.Contains(errs.String(), "missing go.sum entry") {
		if list := builtModules(ctx, dir); list != nil {
			return list, nil
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failure := subprocess.Failure(err, errs.String()); failure != nil {
			return nil, failure
		}
		first, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return nil, fmt.Errorf("%w: %s: %s", ErrNoPackages, dir, first)
	}
	var list []*Module
	for dec := json.NewDecoder(&out); ; {
		m := new(Module)
		if err := dec.Decode(m); err == io.EOF {
			if list == nil { // it ignores that it cannot write
				return nil, errors.New("the go command printed nothing")
			}
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list -m: %w", err)
		}
		list = append(list, m.placed())
	}
}

// placed returns the module with the folder of what replaces it, if it has none.
func (m *Module) placed() *Module {
	if m.Dir == "" && m.Replace != nil {
		m.Dir = m.Replace.Dir
	}
	return m
}

// builtModules lists the modules of the packages in and below dir and of those that they import, the main module first;
// nil if the go command cannot tell them.
func builtModules(ctx context.Context, dir string) (list []*Module) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Module", "--", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg struct{ Module *Module }
		if err := dec.Decode(&pkg); err == io.EOF {
			break
		} else if err != nil {
			return nil
		}
		if m := pkg.Module; m != nil && !seen[m.Path] { // nil in the standard library
			seen[m.Path] = true
			list = append(list, m.placed())
		}
	}
	slices.SortFunc(list, func(a, b *Module) int { return strings.Compare(a.Path, b.Path) })
	slices.SortStableFunc(list, func(a, b *Module) int {
		switch {
		case a.Main == b.Main:
			return 0
		case a.Main:
			return -1
		}
		return 1
	})
	return list
}
