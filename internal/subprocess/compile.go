package subprocess

import (
	"bytes"
	"context"
	"os"
	"os/exec"

	"dsd/internal/scratch"
)

// Compiling returns variables for the environment of a go command that only compiles. The go command, the
// compiler and the linker then collect garbage more rarely: that saves a fifth of their processor time, and takes
// a third more memory. From 2 GiB on they collect it as they need. What the user set stays. A program that
// the go command runs must not see them.
func Compiling() []string {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, set := os.LookupEnv(name); set {
			return nil
		}
	}
	return []string{"GOGC=400", "GOMEMLIMIT=2GiB"}
}

// Go runs a go command that runs nothing of the testee's in a folder, and returns what it prints. When ctx ends,
// what it started ends, too, such as compilers; its work directory is removed in any case. The error is that of
// exec.Cmd.Run.
func Go(ctx context.Context, dir string, args ...string) (out []byte, complaints string, err error) {
	tmp, err := scratch.New()
	if err != nil {
		return nil, "", err
	}
	defer scratch.Remove(tmp)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	KillGroup(cmd)
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+tmp, "TMPDIR="+tmp)
	cmd.Env = append(cmd.Env, Compiling()...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err = cmd.Output()
	return out, errs.String(), err
}
