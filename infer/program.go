package infer

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// programPatience is how long a program that was asked to end may take for it.
const programPatience = 5 * time.Second

// program observes a run of a program of the module: `go run [build flags] package [arguments]`, or a binary built from the module, which is
// built anew, instrumented. It runs where the user is, with the user's input and output. That it fails says nothing against what it did.
func (t *tracer) program(ctx context.Context, command []string) error {
	flags, main, args, err := t.mainOf(ctx, command)
	if err != nil {
		return err
	}
	binary := filepath.Join(t.over.Scratch, "program")
	cmd, err := t.over.Command(ctx, "build", append(append([]string{"-o", binary}, flags...), main)...)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the instrumented program does not compile:\n%s", t.over.RestoreNames(strings.TrimSpace(string(out))))
	}
	dir := filepath.Join(t.over.Scratch, "samples")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	run := exec.CommandContext(ctx, binary, args...)
	run.Args[0] = command[0]
	run.Env = append(os.Environ(), "DSD_TRACE="+dir)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) } // it may have something to put in order
	run.WaitDelay = programPatience
	err = run.Run()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		fmt.Fprintf(t.opt.Log, "the program ended with %s; what it did is traced\n", failed)
	case err != nil && ctx.Err() == nil:
		return err
	}
	return t.keepDir(dir)
}

// mainOf takes a command apart: the flags of its build, the import path of its main package, and its arguments.
func (t *tracer) mainOf(ctx context.Context, command []string) (flags []string, main string, args []string, err error) {
	if command[0] != "go" {
		file, err := exec.LookPath(command[0])
		if err != nil {
			return nil, "", nil, err
		}
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			return nil, "", nil, fmt.Errorf("%s: is no Go program, which could be built anew and observed: %w", command[0], err)
		}
		if info.Main.Path != t.prog.Module {
			return nil, "", nil, fmt.Errorf("%s: is a program of module %s, and not of %s: name its directory with -C", command[0], info.Main.Path, t.prog.Module)
		}
		return nil, info.Path, command[1:], nil
	}
	if len(command) < 3 || command[1] != "run" {
		return nil, "", nil, fmt.Errorf("%s: what can be observed is go run PACKAGE, or a binary that was built from the module", strings.Join(command, " "))
	}
	rest := command[2:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		n := 1
		if !strings.Contains(rest[0], "=") && !single[strings.TrimLeft(rest[0], "-")] {
			n = min(2, len(rest)) // its value follows
		}
		flags, rest = append(flags, rest[:n]...), rest[n:]
	}
	if len(rest) == 0 || strings.HasSuffix(rest[0], ".go") {
		return nil, "", nil, fmt.Errorf("%s: no package to run (want . or ./cmd/x)", strings.Join(command, " "))
	}
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{.Name}} {{.ImportPath}}", rest[0])
	list.Dir = t.opt.Dir
	var complaint bytes.Buffer
	list.Stderr = &complaint
	out, err := list.Output()
	if err != nil {
		return nil, "", nil, fmt.Errorf("go run %s: %s", rest[0], firstLine(complaint.String()))
	}
	name, main, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if name != "main" || strings.Contains(main, "\n") {
		return nil, "", nil, fmt.Errorf("go run %s: is not one main package", rest[0])
	}
	return flags, main, rest[1:], nil
}

// single are the flags of go build without a value.
var single = map[string]bool{"a": true, "asan": true, "cover": true, "linkshared": true, "modcacherw": true, "msan": true, "n": true, "race": true, "trimpath": true,
	"v": true, "work": true, "x": true}
