package crash

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"go/types"

	"dsd/crash/compose"
	"dsd/crash/search/goal"
	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Where running sequences of calls did not lead to what a counterexample wants, the solver is asked: given this sequence, with
// which arguments does its last call crash? [STAR 4.5.2]

// maxSolved is for how many warnings of a package the solver is asked.
const maxSolved = 4

// Solver checks functions of a program that is loaded for it alone; asks says about which of their panics.
type Solver func(ctx context.Context, prog *source.Program, funcs []*source.Func, asks func(fn string, kind schemas.Kind, pos string) bool) (*schemas.Warnings, error)

// question is a drive that the solver is asked about.
type question struct {
	drive compose.CallTemplate
	want  *wanted
}

// solve looks for arguments of sequences for the warnings that are still confirmed by a literal alone, or not at all for want of
// one.
func (c *confirmer) solve(ctx context.Context, doc *schemas.Warnings) error {
	byPackage := c.wanted(doc)
	if len(byPackage) == 0 {
		return nil
	}
	prog, err := source.Load(ctx, c.prog.Dir, nil)
	if err != nil {
		return err
	}
	prog.Packages = nil // the drives are all that is checked
	drives := map[string]*question{}
	var funcs []*source.Func
	var order []string
	writes := goal.FindModSets(prog)
	for _, pkg := range c.prog.All {
		own := prog.Package(pkg.Path)
		if own == nil || len(byPackage[pkg]) == 0 {
			continue
		}
		var text strings.Builder
		fmt.Fprintf(&text, "package %s\n", pkg.Name)
		n := len(order)
		asked := 0
		for i, w := range byPackage[pkg] {
			if asked == maxSolved {
				break
			}
			if w.warning.Preconditions || c.opt.Policy.Suppressed(w.warning) != "" {
				continue // a drive knows of no preconditions
			}
			fields := goal.ConstrainedFields(w.warning.Counterexample)
			writer := func(m *types.Func) bool {
				for v := range writes.Of(m).All() {
					if fields[v.Name()] {
						return true
					}
				}
				return false
			}
			list := compose.CallTemplates(in(own, w.f), fmt.Sprintf("zzDrive%d_", i), writer)
			if len(list) > 0 {
				asked++
			}
			for _, d := range list {
				name := pkg.Path + "." + d.Name
				drives[name] = &question{d, w}
				order = append(order, name)
				text.WriteString("\n" + d.Source)
			}
		}
		if len(order) == n {
			continue
		}
		if err := prog.Extend(own, "zz_dsd_drives.go", []byte(text.String())); err != nil {
			order = order[:n]
			fmt.Fprintf(c.opt.Log, "%s: no sequences of calls are solved: %s\n", pkg.Path, firstLine(err.Error()))
			continue
		}
		for _, f := range own.Funcs() {
			if drives[f.Name] != nil {
				funcs = append(funcs, f)
			}
		}
	}
	if len(funcs) == 0 {
		return nil
	}
	answers, err := c.opt.Solve(ctx, prog, funcs, func(fn string, kind schemas.Kind, pos string) bool {
		a := drives[fn]
		return a != nil && a.want.warning.Kind == kind && symbol.SameLine(a.want.warning.Pos, pos)
	})
	if err != nil {
		return err
	}
	return c.answered(ctx, order, drives, answers)
}

// in is the function of another load of the package that f is in.
func in(pkg *source.Package, f *source.Func) *source.Func {
	for _, g := range pkg.Funcs() {
		if g.Name == f.Name {
			return g
		}
	}
	return f
}

// answered runs the sequences with the arguments that were found; the first that crashes as was warned takes the place of a
// literal.
func (c *confirmer) answered(ctx context.Context, order []string, drives map[string]*question, answers *schemas.Warnings) error {
	byName := map[string][]*schemas.Warning{}
	for i := range answers.Warnings {
		w := &answers.Warnings[i]
		byName[w.Func] = append(byName[w.Func], w)
	}
	attempts := map[*source.Package][]*answer{}
	for _, name := range order {
		a := drives[name]
		w := a.want.warning
		for _, found := range byName[name] {
			if found.Kind != w.Kind || !symbol.SameLine(found.Pos, w.Pos) || found.Counterexample == nil {
				continue
			}
			test, file := c.names.next(a.want.f.Name, a.want.f.Pkg, w.Kind)
			comment := fmt.Sprintf("%s panics at %s: %s.", test, w.Pos, w.Message)
			cand, err := a.drive.Compose(c.prog, a.want.f, found.Counterexample, test, file, comment)
			if err == nil && cand.BuiltBy == schemas.BySequence {
				attempts[a.want.f.Pkg] = append(attempts[a.want.f.Pkg], &answer{a.want, cand})
			}
			break
		}
	}
	var fresh []schemas.Crash // added at the end, as those that are there are replaced in place
	for _, pkg := range c.prog.All {
		list, err := c.try(ctx, pkg, attempts[pkg])
		if err != nil {
			return err
		}
		fresh = append(fresh, list...)
	}
	c.crashes = append(c.crashes, fresh...)
	return ctx.Err()
}

// answer is a sequence with arguments.
type answer struct {
	want      *wanted
	candidate *compose.Test
}

// try runs the sequences of a package, and returns the crashes that no literal makes.
func (c *confirmer) try(ctx context.Context, pkg *source.Package, list []*answer) ([]schemas.Crash, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var tests []testrun.Test
	for _, a := range list {
		tests = append(tests, testrun.Test{Name: a.candidate.Name, File: a.candidate.File, Source: a.candidate.Source})
	}
	dir, err := filepath.Rel(c.prog.Dir, pkg.Dir)
	if err != nil {
		return nil, err
	}
	results, err := testrun.Run(ctx, c.prog.Dir, pkg.Path, dir, tests, testrun.Options{Timeout: c.opt.Timeout, Jobs: c.opt.Jobs, Repeat: repeats, Unconfined: c.opt.Open, OwnTests: pkg.TestFiles, Log: c.opt.Log})
	if err != nil {
		return nil, err
	}
	var out []schemas.Crash
	for i, a := range list {
		w := a.want.warning
		x := schemas.Crash{Kind: w.Kind, Func: w.Func, Pos: w.Pos, Warning: w.ID, SatisfiesInvariants: w.Preconditions, Inputs: a.candidate.Inputs, BuiltBy: a.candidate.BuiltBy,
			Test: schemas.Test{Package: pkg.Path, File: a.candidate.File, Name: a.candidate.Name, Source: a.candidate.Source}}
		if c.builtBy[w.ID] == schemas.BySequence || results[i].Crashes < repeats || differs(c.prog, &x, results[i]) != "" {
			continue
		}
		x.Message, x.Stack = seen(c.prog, a.candidate.File, results[i])
		x.Level = len(x.Stack)
		if c.settle(a.want, &x) {
			out = append(out, x)
		}
	}
	return out, nil
}
