package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/internal/subprocess"
)

// rewrite rewrites the packages to record, module by module.
func (s *Session) rewrite(ctx context.Context) error {
	byModule, order, err := s.packages(ctx)
	if err != nil {
		return err
	}
	for _, path := range order {
		i := slices.IndexFunc(s.build, func(m *source.Module) bool {
			return m.Path == path
		})
		if i < 0 {
			continue
		}
		if m := s.build[i]; m.Main {
			err = s.mainModule(ctx, m, byModule[path])
		} else {
			err = s.dependency(ctx, m, byModule[path])
		}
		if err != nil {
			return err
		}
	}
	for _, name := range s.opt.Here {
		if !s.found[name] {
			return fmt.Errorf("%w: --here %s: no recorded package has this function (write it as stack traces do: %s.F)",
				ErrCommand, name, s.main.Path)
		}
	}
	if len(s.funcs) == 0 && s.only != nil && !s.waiting {
		return fmt.Errorf("%w with functions of the crash in %s, which may be of another program (remove the file): %s",
			source.ErrNoPackages, s.opt.SecondChance, strings.Join(s.opt.Packages, " "))
	}
	if len(s.funcs) == 0 && !s.waiting {
		return fmt.Errorf("%w with functions to record: %s",
			source.ErrNoPackages, strings.Join(s.opt.Packages, " "))
	}
	return s.addRuntime()
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath        string
	DepOnly, Standard bool
	Module            *struct {
		Path string
		Main bool
	}
}

// list runs go list with the given arguments.
func (s *Session) list(ctx context.Context, args ...string) ([]listed, error) {
	fields := "-json=ImportPath,Module,DepOnly,Standard"
	args = append([]string{"list", "-e", "-deps", fields}, args...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = s.dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err == nil && len(out) == 0 && errs.Len() == 0 { // if nothing matches, it says so
		return nil, errors.New("the go command printed nothing")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		if failure := subprocess.Failure(err, errs.String()); failure != nil {
			return nil, failure
		}
		return nil, &source.CompileError{Text: errs.String()}
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// packages returns the import paths of the packages to record, by module, and the modules, sorted.
// Of dependencies it returns only packages that the main module or its tests use.
func (s *Session) packages(ctx context.Context) (
	byModule map[string][]string, order []string, err error,
) {
	matched, err := s.list(ctx, append([]string{"--"}, s.opt.Packages...)...)
	if err != nil {
		return nil, nil, err
	}
	var used map[string]bool
	byModule = map[string][]string{}
	for _, p := range matched {
		if p.DepOnly || p.Standard || p.Module == nil {
			continue
		}
		if !p.Module.Main && used == nil {
			used = map[string]bool{}
			deps, err := s.list(ctx, "-test", "--", "./...")
			if err != nil {
				return nil, nil, err
			}
			for _, d := range deps {
				used[d.ImportPath] = true
			}
		}
		if !p.Module.Main && !used[p.ImportPath] {
			continue
		}
		if byModule[p.Module.Path] == nil {
			order = append(order, p.Module.Path)
		}
		byModule[p.Module.Path] = append(byModule[p.Module.Path], p.ImportPath)
	}
	sort.Strings(order)
	return byModule, order, nil
}

// keepPath returns the import path of the runtime.
func (s *Session) keepPath() string { return s.main.Path + "/" + KeepDir }

// newRewriter returns a rewriter for the packages of a program.
func (s *Session) newRewriter(prog *source.Program) *rewriter {
	return &rewriter{
		prog: prog, keep: s.keepPath(),
		funcs: &s.funcs, skipped: &s.skipped, errors: s.errors, files: map[string][]byte{},
		only: s.only, copies: s.depth != 0, used: s.opt.Copy == "used", fatal: s.fatal != "",
		switched: s.switched, closures: s.switched || !s.waiting, lits: &s.lits,
		here: s.opt.Here, found: s.found,
	}
}

// mainModule rewrites packages of a main module by an overlay.
func (s *Session) mainModule(ctx context.Context, m *source.Module, packages []string) error {
	prog, err := source.LoadWith(ctx, m.Dir, packages, source.Options{Store: s.opt.Store})
	if err != nil {
		return err
	}
	s.noteAt(prog)
	w := s.newRewriter(prog)
	w.rewrite()
	for name, text := range w.files {
		if err := s.overlay(name, text); err != nil {
			return err
		}
	}
	return nil
}

// overlay sets the content of a file in the overlay.
func (s *Session) overlay(name string, text []byte) error {
	file := filepath.Join(s.scratch, fmt.Sprintf("file%d", len(s.replace)), filepath.Base(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	s.replace[name] = file
	return os.WriteFile(file, text, 0o666)
}

// dependency rewrites packages of another module, in a copy that replaces the module.
func (s *Session) dependency(ctx context.Context, m *source.Module, packages []string) error {
	dir := filepath.Join(s.scratch, fmt.Sprintf("module%d", len(s.origins)))
	prog, err := overlay.Detach(ctx, s.build, s.main.Dir, m, dir, packages, s.opt.Store)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name(), err)
	}
	s.noteAt(prog)
	w := s.newRewriter(prog)
	w.rewrite()
	for name, text := range w.files {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	// To load the copy, its go.mod was another one; as a replacement it must require what it
	// did.
	own, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
	if err != nil {
		own = []byte("module " + m.Path + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), own, 0o666); err != nil {
		return err
	}
	s.origins = append(s.origins, [2]string{dir, m.Name()})
	if s.modfile == "" {
		if err := s.copyModfile(); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", "-replace="+m.Path+"="+dir, s.modfile)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("replacing %s: %s", m.Name(), strings.TrimSpace(string(out)))
	}
	return nil
}

// copyModfile copies go.mod and go.sum of the main module, for edits.
func (s *Session) copyModfile() error {
	s.modfile = filepath.Join(s.scratch, "go.mod")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(s.main.Dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.scratch, name), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// originOf replaces the directories of copied modules in a text by the names of the modules.
func (s *Session) originOf(text string) string {
	for _, m := range s.origins {
		text = strings.ReplaceAll(text, m[0], m[1])
	}
	return text
}
