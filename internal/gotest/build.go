package gotest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/internal/subprocess"
)

// Binary is the test binary of a package.
type Binary struct {
	Path string // import path of the package
	Dir  string // the package's folder
	file string // of the binary
	over *overlay.Overlay
	runs *int // of all binaries so far
}

// save keeps a test binary instead of running it. The go command runs it in the package's folder, with the
// binary as the first argument.
const save = `d=$(mktemp -d "$DSD_BINARIES/XXXXXXXX") && pwd -P >"$d/dir" && ln "$1" "$d/test"
`

// Build builds the tests of packages, in the order of packages, where o changes files, with some number of
// builds at a time; 0 leaves that to the go command. failed has the compiler's output about each package
// whose tests do not build.
//
// Errors: ctx's error, and that the go command cannot build anything.
func Build(
	ctx context.Context, o *overlay.Overlay, packages []*source.Package, jobs int,
) (built []*Binary, failed map[string]string, err error) {
	dir := filepath.Join(o.Scratch, "binaries")
	script := filepath.Join(o.Scratch, "save.sh")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, err
	}
	if err := os.WriteFile(script, []byte(save), 0o666); err != nil {
		return nil, nil, err
	}
	quote := "'"
	if strings.Contains(script, quote) {
		quote = `"`
	}
	args := []string{"-json", "-count=1", "-exec=sh " + quote + script + quote}
	if jobs > 0 {
		args = append(args, fmt.Sprintf("-p=%d", jobs))
	}
	for _, p := range packages {
		args = append(args, p.Path)
	}
	cmd, err := o.Command(ctx, "test", args...)
	if err != nil {
		return nil, nil, err
	}
	cmd.Env = append(cmd.Env, "DSD_BINARIES="+dir, "PWD="+cmd.Dir)
	cmd.Env = append(cmd.Env, subprocess.Compiling()...) // the script does not run the tests
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		return nil, nil, err
	}
	failed = complaints(bytes.NewReader(out), o)
	files, err := saved(dir)
	if err != nil {
		return nil, nil, err
	}
	runs := new(int)
	for _, p := range packages {
		real, err := filepath.EvalSymlinks(filepath.Join(o.Root, relative(o, p)))
		if err != nil {
			return nil, nil, err
		}
		if f := files[real]; f != "" {
			built = append(built, &Binary{Path: p.Path, Dir: real, file: f, over: o, runs: runs})
		} else if failed[p.Path] == "" {
			failed[p.Path] = strings.TrimSpace(errs.String())
		}
	}
	if len(built) == 0 && len(failed) > 0 && errs.Len() > 0 && len(out) == 0 {
		return nil, nil, fmt.Errorf("go test: %s", strings.TrimSpace(errs.String()))
	}
	return built, failed, nil
}

// relative returns the folder of a package relative to the module's root.
func relative(o *overlay.Overlay, p *source.Package) string {
	if rel, err := filepath.Rel(o.Root, p.Dir); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	// The root is a copy of the module, whose path begins that of the package.
	for dir := p.Dir; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			rel, _ := filepath.Rel(dir, p.Dir)
			return rel
		}
	}
	return "."
}

// saved returns the binaries that were saved, by the folder of the package.
func saved(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, e := range entries {
		at, err := os.ReadFile(filepath.Join(dir, e.Name(), "dir"))
		if err != nil {
			return nil, err
		}
		files[strings.TrimSuffix(string(at), "\n")] = filepath.Join(dir, e.Name(), "test")
	}
	return files, nil
}

// event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, FailedBuild, Output string
}

// complaints reads the events of a run, and returns what was printed about the packages whose tests do not
// build. Lines that are not events come from the go command, too.
func complaints(r io.Reader, o *overlay.Overlay) map[string]string {
	failed, text := map[string]string{}, map[string]string{}
	plain := ""
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		var e event
		if len(line) > 0 && json.Unmarshal(line, &e) != nil {
			plain += string(line)
		}
		switch e.Action {
		case "build-output":
			text[e.ImportPath] += e.Output
		case "output":
			text[e.Package] += e.Output
		case "fail":
			why := text[e.FailedBuild]
			if why == "" {
				why = plain
			}
			if why == "" {
				why = text[e.Package]
			}
			failed[e.Package] = o.RestoreNames(strings.TrimSpace(why))
		}
		if err != nil {
			return failed
		}
	}
}
