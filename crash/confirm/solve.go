package confirm

import (
	"context"
	"fmt"
	"go/types"
	"strings"

	"dsd/crash/compose"
	"dsd/crash/search/goal"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Where the search found no sequence, the solver is asked: with which arguments does the last call
// of this sequence crash? [STAR 4.5.2] The sequences are compiled as functions of their open
// arguments, so that the checker sees them like any other function.

// maxSolved is the number of warnings per package for which the solver is asked.
const maxSolved = 4

// Names of the functions and the file that are added to a package for the solver.
const (
	templatePrefix = "zzDrive%d_" // with the number of the target
	templateFile   = "zz_dsd_drives.go"
)

// Solver checks funcs, which belong to prog, for panics with asks(function, kind, position) true,
// and returns the warnings. prog is loaded for this call; the solver may change it.
type Solver func(ctx context.Context, prog *source.Program, funcs []*source.Func,
	asks func(fn string, kind schemas.Kind, pos string) bool) (*schemas.Warnings, error)

// query is a call sequence whose arguments the solver computes, for a target.
type query struct {
	template compose.CallTemplate
	target   *target
}

// matches reports whether a panic is the warned one.
func (q *query) matches(kind schemas.Kind, pos string) bool {
	w := q.target.warning
	return w.Kind == kind && symbol.SameLine(w.Pos, pos)
}

// queries are queries in the order in which they are asked.
type queries struct {
	names  []string // of the functions, as stack traces call them
	byName map[string]*query
	funcs  []*source.Func
}

// solve looks for arguments of call sequences that crash as warned, and runs the sequences.
func (c *confirmer) solve(ctx context.Context) error {
	targets := c.targets()
	if len(targets) == 0 {
		return nil
	}
	c.progress("solving for calls", 0, 0)
	prog, err := c.prog.Reload(ctx)
	if err != nil {
		return err
	}
	prog.Packages = nil // check the added functions only
	q := c.queries(prog, targets)
	if len(q.funcs) == 0 {
		return nil
	}
	answers, err := c.opt.Solve(ctx, prog, q.funcs,
		func(fn string, kind schemas.Kind, pos string) bool {
			query := q.byName[fn]
			return query != nil && query.matches(kind, pos)
		})
	if err != nil {
		return err
	}
	return c.runAnswers(ctx, q, answers)
}

// queries writes call sequences for targets, and adds them as functions to the packages of prog.
func (c *confirmer) queries(prog *source.Program, targets map[*source.Package][]*target) *queries {
	q := &queries{byName: map[string]*query{}}
	writes := goal.FindModSets(prog)
	for _, pkg := range c.prog.All {
		own := prog.Package(pkg.Path)
		if own == nil || len(targets[pkg]) == 0 {
			continue
		}
		names, text := c.packageQueries(q, own, targets[pkg], writes)
		if len(names) == 0 {
			continue
		}
		if err := prog.Extend(own, templateFile, []byte(text)); err != nil {
			fmt.Fprintf(c.opt.Log, "%s: cannot solve for call sequences: %s\n",
				pkg.Path, verify.FirstLine(err))
			continue
		}
		q.names = append(q.names, names...)
		for _, f := range own.Funcs() {
			if q.byName[f.Name] != nil {
				q.funcs = append(q.funcs, f)
			}
		}
	}
	return q
}

// packageQueries writes call sequences for targets of one package as functions. It returns the
// names of the functions and the text of the file, and sets q.byName.
func (c *confirmer) packageQueries(
	q *queries, own *source.Package, targets []*target, writes goal.ModSets,
) (names []string, text string) {
	var file strings.Builder
	fmt.Fprintf(&file, "package %s\n", own.Name)
	asked := 0
	for i, t := range targets {
		if asked == maxSolved {
			break
		}
		if t.warning.Counterexample == nil || t.inLiteral || t.way > literalWay {
			continue
		}
		if t.warning.Preconditions || c.opt.Policy.Suppressed(t.warning) != "" {
			continue // the added function has no preconditions
		}
		templates := compose.CallTemplates(counterpart(own, t.fn),
			fmt.Sprintf(templatePrefix, i), writerOf(t.warning.Counterexample, writes))
		if len(templates) > 0 {
			asked++
		}
		for _, tmpl := range templates {
			name := own.Path + "." + tmpl.Name
			q.byName[name] = &query{tmpl, t}
			names = append(names, name)
			file.WriteString("\n" + tmpl.Source)
		}
	}
	return names, file.String()
}

// writerOf returns a predicate for the methods that write a field which a counterexample
// constrains.
func writerOf(ce *schemas.Counterexample, writes goal.ModSets) func(*types.Func) bool {
	fields := goal.ConstrainedFields(ce)
	return func(m *types.Func) bool {
		for v := range writes.Of(m).All() {
			if fields[v.Name()] {
				return true
			}
		}
		return false
	}
}

// counterpart returns the function of pkg that has the name of f, which belongs to another load of
// the package.
func counterpart(pkg *source.Package, f *source.Func) *source.Func {
	for _, g := range pkg.Funcs() {
		if g.Name == f.Name {
			return g
		}
	}
	return f
}

// answer is a call sequence with the arguments that the solver computed.
type answer struct {
	attempt
	target *target
}

// runAnswers runs the sequences with the computed arguments. For each target, the first that
// crashes as warned replaces the literal.
func (c *confirmer) runAnswers(ctx context.Context, q *queries, answers *schemas.Warnings) error {
	byName := map[string][]*schemas.Warning{}
	for i := range answers.Warnings {
		w := &answers.Warnings[i]
		byName[w.Func] = append(byName[w.Func], w)
	}
	byPackage := map[*source.Package][]*answer{}
	for _, name := range q.names {
		query := q.byName[name]
		for _, found := range byName[name] {
			if !query.matches(found.Kind, found.Pos) || found.Counterexample == nil {
				continue
			}
			if a := c.answer(query, found.Counterexample); a != nil {
				pkg := query.target.fn.Pkg
				byPackage[pkg] = append(byPackage[pkg], a)
			}
			break
		}
	}
	var added []schemas.Crash // appended at the end: targets point into c.crashes
	for _, pkg := range c.prog.All {
		list, err := c.runPackageAnswers(ctx, pkg, byPackage[pkg])
		if err != nil {
			return err
		}
		added = append(added, list...)
	}
	c.crashes = append(c.crashes, added...)
	return ctx.Err()
}

// answer writes a sequence with arguments as a test; nil if it still needs literals that users
// cannot write.
func (c *confirmer) answer(q *query, args *schemas.Counterexample) *answer {
	fn, w := q.target.fn, q.target.warning
	name, file := c.namer.Name(fn.Name, fn.Pkg, w.Kind)
	cand, err := q.template.Compose(c.prog, fn, args, name, file,
		verify.Comment(name, w.Pos, w.Message))
	if err != nil || cand.BuiltBy != schemas.BySequence {
		return nil
	}
	return &answer{*newAttempt(w, fn.Pkg, cand, args), q.target}
}

// runPackageAnswers runs the sequences of a package, and returns the crashes of targets that no
// literal shows.
func (c *confirmer) runPackageAnswers(
	ctx context.Context, pkg *source.Package, list []*answer,
) ([]schemas.Crash, error) {
	if len(list) == 0 {
		return nil, nil
	}
	tests := make([]schemas.Test, len(list))
	for i, a := range list {
		tests[i] = a.test
	}
	results, err := verify.Run(ctx, c.prog, pkg, tests, testrun.Options{
		Timeout: c.opt.Timeout, Jobs: c.opt.Jobs, Repeat: verify.Repeats,
		Unconfined: c.opt.Unconfined, Memo: c.opt.Memo, Log: c.opt.Log,
	})
	if err != nil {
		return nil, err
	}
	var out []schemas.Crash
	for i, a := range list {
		v := verify.Compare(c.prog, a.expected(), results[i])
		confirmed := c.ways[a.warning.ID] > literalWay
		if confirmed || v.Status != verify.Same || results[i].Crashes < verify.Repeats {
			continue
		}
		x := a.crash(v)
		x.Strategy = schemas.StrategyPath
		if c.replace(a.target, &x, v.RaisedOutside) {
			out = append(out, x)
		}
	}
	return out, nil
}
