package origin

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dsd/crash/stack"
	"dsd/internal/git"
	"dsd/internal/scratch"
	"dsd/internal/source"
)

// Version is a build at another version, in a scratch directory.
type Version struct {
	// Dir is where the build is.
	Dir     string
	scratch string
}

// Close removes the scratch directory.
func (v *Version) Close() { scratch.Remove(v.scratch) }

// At makes the build around dir at another version. If the innermost module on the stack of p is a dependency, that
// is the dependency's version, which the go command downloads; the main module then has no files. Otherwise it is a
// revision of the git repository around dir. Nothing is written there.
//
// The error is one line of the go command or of git, or ctx's.
func At(ctx context.Context, dir string, p *stack.Panic, version string) (*Version, error) {
	build, err := source.Modules(ctx, dir)
	if err != nil && ctx.Err() != nil { // otherwise the revision may have a build, though there is none now
		return nil, err
	}
	temp, err := scratch.New()
	if err != nil {
		return nil, err
	}
	v := &Version{Dir: dir, scratch: temp}
	t := Locate(ctx, build, p)
	if m := t.dependency(); m != nil {
		err = v.require(ctx, t.main(), m.Path+"@"+version)
	} else {
		err = v.checkOut(ctx, version)
	}
	if err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// dependency returns the module of the innermost frame that has one, nil if that is a main module or there is none.
func (t *Trace) dependency() *source.Module {
	for _, f := range t.Frames {
		if f.Module != nil {
			if f.Module.Main {
				return nil
			}
			return f.Module
		}
	}
	return nil
}

// require lets Dir be a main module without files that requires another version of a module, and otherwise what main does.
func (v *Version) require(ctx context.Context, main *source.Module, module string) error {
	if main == nil {
		return errors.New("there is no main module that could require " + module)
	}
	v.Dir = filepath.Join(v.scratch, "main")
	if err := os.Mkdir(v.Dir, 0o777); err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(main.Dir, name))
		if os.IsNotExist(err) && name == "go.sum" {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(v.Dir, name), data, 0o666)
		}
		if err != nil {
			return err
		}
	}
	if err := v.absolute(ctx, v.Dir, main.Dir); err != nil {
		return err
	}
	_, err := goCommand(ctx, v.Dir, "get", module)
	return err
}

// absolute lets the go.mod in dir replace modules by the same folders as if it were in the folder where it was.
func (v *Version) absolute(ctx context.Context, dir, was string) error {
	text, err := goCommand(ctx, dir, "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(text, &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		path := filepath.FromSlash(r.New.Path)
		if r.New.Version != "" || filepath.IsAbs(path) {
			continue
		}
		if rel, err := filepath.Rel(filepath.Join(v.scratch, "repository"), filepath.Join(dir, path)); err == nil && filepath.IsLocal(rel) {
			continue // it is checked out, too
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := goCommand(ctx, dir, "mod", "edit", "-replace="+old+"="+filepath.Join(was, path)); err != nil {
			return err
		}
	}
	return nil
}

// checkOut writes the files of a revision of the repository around Dir, and lets Dir be the same folder there.
func (v *Version) checkOut(ctx context.Context, revision string) error {
	dir, err := filepath.Abs(v.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return err
	}
	prefix, err := git.Run(ctx, dir, "rev-parse", "--show-prefix")
	if err != nil {
		return err
	}
	prefix = strings.TrimSpace(prefix)
	top, err := git.Run(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	top = strings.TrimSpace(top)
	commit, err := git.Commit(ctx, dir, revision)
	if err != nil {
		return err
	}
	files, err := git.Run(ctx, top, "archive", "--format=tar", commit)
	if err != nil {
		return err
	}
	repository := filepath.Join(v.scratch, "repository")
	if err := unpack(strings.NewReader(files), repository); err != nil {
		return err
	}
	v.Dir = filepath.Join(repository, filepath.FromSlash(prefix))
	if _, err := os.Stat(v.Dir); err != nil {
		return fmt.Errorf("revision %s has no folder %s", revision, prefix)
	}
	mod, err := goCommand(ctx, v.Dir, "env", "GOMOD")
	if root := filepath.Dir(strings.TrimSpace(string(mod))); err == nil && strings.HasPrefix(root, v.scratch) {
		rel, _ := filepath.Rel(repository, root)
		err = v.absolute(ctx, root, filepath.Join(top, rel))
	}
	return err
}

// unpack writes the files and links of an archive below a directory.
func unpack(in io.Reader, dir string) error {
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(h.Name) {
			continue
		}
		name := filepath.Join(dir, h.Name)
		switch h.Typeflag {
		case tar.TypeDir:
			err = os.MkdirAll(name, 0o777)
		case tar.TypeSymlink:
			err = os.Symlink(h.Linkname, name)
		case tar.TypeReg:
			var data []byte
			if data, err = io.ReadAll(r); err == nil {
				err = os.MkdirAll(filepath.Dir(name), 0o777)
			}
			if err == nil {
				err = os.WriteFile(name, data, h.FileInfo().Mode().Perm())
			}
		}
		if err != nil {
			return err
		}
	}
}

// goCommand runs the go command in a directory outside of any workspace, and returns what it prints. The error is the
// first line that it writes about it, or ctx's.
func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var out, errs bytes.Buffer
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	err := c.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		for line := range strings.Lines(errs.String()) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "go: downloading ") {
				return nil, errors.New(line)
			}
		}
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return out.Bytes(), nil
}
