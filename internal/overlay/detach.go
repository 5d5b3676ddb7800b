package overlay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dsd/internal/cache"
	"dsd/internal/source"
)

// Detach copies the module m of a build into the empty directory to, as a main module that requires
// the same versions of all other modules, and loads packages of it from there, to be rewritten: the go
// command allows no overlay in its module cache. Errors: those of source.Load, and of copying.
//
// store is that of source.Options. The copy has a go.mod of its own, made from the build, and the sums of m's go.sum and of the
// go.sum in around, the directory of the build. It is in no workspace.
func Detach(
	ctx context.Context, build []*source.Module, around string, m *source.Module, to string, packages []string,
	store *cache.Cache,
) (*source.Program, error) {
	if err := detach(build, around, m, to); err != nil {
		return nil, err
	}
	opt := source.Options{Store: store}
	prog, err := source.LoadWith(ctx, to, packages, opt)
	var compile *source.CompileError
	if errors.As(err, &compile) && (strings.Contains(compile.Text, "missing go.sum entry") ||
		strings.Contains(compile.Text, "updates to go.mod needed")) {
		// As a main module, the copy may need the go.mod files of modules that the build does without: the go command
		// prunes the graph of modules (go.dev/ref/mod#graph-pruning). And it must not be of an older Go than what it requires.
		if complete(ctx, to, packages) == nil {
			return source.LoadWith(ctx, to, packages, opt)
		}
	}
	return prog, err
}

// complete adds to the go.sum of a copy what its packages need, from the module cache or a proxy, and raises the Go version in
// its go.mod to that of what it requires.
func complete(ctx context.Context, dir string, packages []string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-mod=mod", "-deps", "--"}, packages...)...)
	cmd.Dir = dir
	return cmd.Run()
}

// noVersion is the Go version of a dependency whose go.mod has none (go.dev/ref/mod#go-mod-file-go). Of a main module it would be
// the latest.
const noVersion = "1.16"

func detach(build []*source.Module, around string, m *source.Module, to string) error {
	if m.Dir == "" {
		return fmt.Errorf("the files of %s are not on this machine: go mod download %s", m.Name(),
			m.Name())
	}
	if err := copyTree(m.Dir, to); err != nil {
		return fmt.Errorf("copying %s: %w", m.Name(), err)
	}
	for _, name := range []string{"vendor", "go.work", "go.work.sum"} {
		if err := os.RemoveAll(filepath.Join(to, name)); err != nil {
			return err
		}
	}
	var mod strings.Builder
	fmt.Fprintf(&mod, "module %s\n", m.Path)
	fmt.Fprintf(&mod, "\ngo %s\n", cmp.Or(m.GoVersion, noVersion))
	mod.WriteString("\nrequire (\n")
	var replace strings.Builder
	for _, o := range build {
		if o.Path == m.Path || o.Main {
			continue
		}
		version := o.Version
		if version == "" {
			version = "v0.0.0"
		}
		fmt.Fprintf(&mod, "\t%s %s\n", o.Path, version)
		switch {
		case o.Replace == nil:
		case o.Replace.Version != "":
			fmt.Fprintf(&replace, "replace %s %s => %s %s\n", o.Path, version, o.Replace.Path,
				o.Replace.Version)
		default:
			fmt.Fprintf(&replace, "replace %s %s => %q\n", o.Path, version, o.Replace.Dir)
		}
	}
	mod.WriteString(")\n" + replace.String())
	if err := os.WriteFile(filepath.Join(to, "go.mod"), []byte(mod.String()), 0o666); err != nil {
		return err
	}
	var sums []byte
	for _, file := range []string{filepath.Join(to, "go.sum"), filepath.Join(around, "go.sum")} {
		text, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		sums = append(append(sums, text...), '\n')
	}
	return os.WriteFile(filepath.Join(to, "go.sum"), sums, 0o666)
}

// copyTree copies the directories and regular files below from. The copies can be written to.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case d.Type().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(to, rel), content, 0o666)
		}
		return nil
	})
}
