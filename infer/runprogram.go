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

	"dsd/internal/source"
)

// programWaitDelay is the time that a program has to end after an interrupt.
const programWaitDelay = 5 * time.Second

// runProgram observes a run of a program of the module. command is go run with build flags, a
// package and arguments, or a binary that was built from the module; the binary is rebuilt with
// instrumentation. The program runs in the user's directory with the user's input and output. If it
// fails, its samples are kept.
func (t *tracer) runProgram(ctx context.Context, command []string) error {
	flags, main, args, err := t.parseCommand(ctx, command)
	if err != nil {
		return err
	}
	binary := filepath.Join(t.over.Scratch, "program")
	buildArgs := append(append([]string{"-o", binary}, flags...), main)
	cmd, err := t.over.Command(ctx, "build", buildArgs...)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the instrumented program does not compile:\n%s",
			t.over.RestoreNames(strings.TrimSpace(string(out))))
	}
	dir := filepath.Join(t.over.Scratch, "samples")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	run := exec.CommandContext(ctx, binary, args...)
	run.Args[0] = command[0]
	run.Env = append(os.Environ(), "DSD_TRACE="+dir)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	// An interrupt lets the program clean up.
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	run.WaitDelay = programWaitDelay
	err = run.Run()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		fmt.Fprintf(t.opt.Log, "the program ended with %s; its samples are kept\n", failed)
	case err != nil && ctx.Err() == nil:
		return err
	}
	return t.keepDir(dir)
}

// parseCommand splits a command into the flags of its build, the import path of its main package,
// and the program's arguments.
func (t *tracer) parseCommand(ctx context.Context, command []string) (
	flags []string, main string, args []string, err error) {
	if command[0] != "go" {
		main, err := t.mainOfBinary(command[0])
		return nil, main, command[1:], err
	}
	if len(command) < 3 || command[1] != "run" {
		return nil, "", nil, fmt.Errorf("invalid command %q (want go run PACKAGE or a binary "+
			"of the module)", strings.Join(command, " "))
	}
	rest := command[2:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		n := 1
		if !strings.Contains(rest[0], "=") && !boolFlags[strings.TrimLeft(rest[0], "-")] {
			n = min(2, len(rest)) // the value is the next argument
		}
		flags, rest = append(flags, rest[:n]...), rest[n:]
	}
	if len(rest) == 0 || strings.HasSuffix(rest[0], ".go") {
		return nil, "", nil, fmt.Errorf("%s: no package to run (want one such as . or ./cmd/x)",
			strings.Join(command, " "))
	}
	list := exec.CommandContext(ctx, "go", "list", "-f", "{{.Name}} {{.ImportPath}}", rest[0])
	list.Dir = t.opt.Dir
	var stderr bytes.Buffer
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		return nil, "", nil, fmt.Errorf("go run %s: %s", rest[0], source.FirstComplaint(stderr.String()))
	}
	name, main, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if name != "main" || strings.Contains(main, "\n") {
		return nil, "", nil, fmt.Errorf("go run %s: want one main package", rest[0])
	}
	return flags, main, rest[1:], nil
}

// mainOfBinary returns the import path of the main package of a binary, which must belong to the
// module.
func (t *tracer) mainOfBinary(name string) (string, error) {
	file, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("%s: not a Go program that can be rebuilt: %w", name, err)
	}
	if info.Main.Path != t.prog.Module {
		return "", fmt.Errorf("%s: program of module %s, want %s: name its directory with -C",
			name, info.Main.Path, t.prog.Module)
	}
	return info.Path, nil
}

// boolFlags is the set of flags of go build that take no value.
var boolFlags = map[string]bool{
	"a": true, "asan": true, "cover": true, "linkshared": true, "modcacherw": true, "msan": true,
	"n": true, "race": true, "trimpath": true, "v": true, "work": true, "x": true,
}
