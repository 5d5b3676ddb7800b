package reproduce

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"dsd/crash/compose"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// worstFitness is the greatest value of the fitness function [EVO definition 1].
const worstFitness = 6

// Solver computes inputs for functions on a stack, the panicking frame first, that lead along it to
// a panic of a kind. values holds the numbers in the panic's message by name. Frames without Fn are
// not solved for. The warnings have the counterexamples, and the number of frames up to the
// function as their ID: W1 is the innermost. prog is loaded for the solver, which may change it. A
// document may come with an error, if only a part is solved.
type Solver func(
	ctx context.Context, prog *source.Program, kind schemas.Kind, frames []stacktrace.Located,
	values map[string]int64,
) (*schemas.Warnings, error)

// solve computes inputs of each function on the stack, and runs them as tests, those of the
// outermost functions first [STAR]. The searches get the literals of the counterexamples. After that
// it solves for the literals of the searches' best candidates, until searched is closed.
func (r *reproduction) solve(ctx context.Context, searched <-chan struct{}) {
	start := time.Now()
	prog, err := r.Prog.Reload(ctx)
	if err != nil {
		return // the same load succeeded before: ctx ended
	}
	values := map[string]int64{}
	for _, v := range r.Panic.Values() {
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			values[v.Name] = n
		}
	}
	doc, err := r.opt.Solve(ctx, prog, r.Target.Kind, r.framesIn(prog), values)
	if doc == nil {
		if ctx.Err() == nil {
			fmt.Fprintf(r.opt.Log, "cannot solve along the stack: %s\n",
				verify.FirstLine(err))
		}
		return
	}
	solutions := r.solutions(doc)
	for len(solutions) > 0 && ctx.Err() == nil {
		n := together(solutions)
		if err := r.verifySolutions(ctx, solutions[:n]); err != nil && ctx.Err() == nil {
			fmt.Fprintf(r.opt.Log, "%s: %s\n", solutions[0].fn.Name, verify.FirstLine(err))
		}
		solutions = solutions[n:]
	}
	r.mu.Lock()
	r.solving = &schemas.Search{
		Package: r.Packages[0], Strategy: schemas.StrategySolve,
		Candidates: len(doc.Warnings), Queries: doc.Stats.Queries,
		Seconds: time.Since(start).Seconds(),
		Fitness: worstFitness, Level: r.solvedLevel,
	}
	r.mu.Unlock()
	r.solveCandidates(ctx, searched, prog, values)
}

// framesIn returns the frames of the target with the functions of another load of the module. The
// inputs of a function literal are not those of the function that encloses it, so literals get no
// function.
func (r *reproduction) framesIn(prog *source.Program) []stacktrace.Located {
	funcs := verify.Funcs(prog)
	frames := append([]stacktrace.Located(nil), r.Target.Frames...)
	for i, f := range frames {
		switch {
		case f.Literal:
			frames[i].Fn = nil
		case f.Fn != nil:
			frames[i].Fn = funcs[f.Fn.Name]
		}
	}
	return frames
}

// solution is a counterexample for a function on the stack.
type solution struct {
	fn      *source.Func
	warning *schemas.Warning
	level   int // number of frames up to the function
}

// solutions returns the counterexamples in a document, that of the outermost function first, and adds their literals
// to those of the searches.
func (r *reproduction) solutions(doc *schemas.Warnings) []solution {
	funcs := map[string]*source.Func{}
	for _, f := range r.Target.Frames {
		if f.Fn != nil {
			funcs[f.Fn.Name] = f.Fn
		}
	}
	var list []solution
	for i := len(doc.Warnings) - 1; i >= 0; i-- {
		w := &doc.Warnings[i]
		if w.Counterexample != nil {
			r.addLiterals(w.Counterexample)
		}
		level, _ := strconv.Atoi(strings.TrimPrefix(w.ID, "W"))
		if fn := funcs[w.Func]; fn != nil {
			list = append(list, solution{fn, w, level})
		}
	}
	return list
}

// together returns how many solutions from the first on are tested at once: those in its package, as the package is
// compiled with the tests, and one of each function, so that a test has the name that it has alone.
func together(list []solution) int {
	seen := map[*source.Func]bool{}
	for i, s := range list {
		if s.fn.Pkg != list[0].fn.Pkg || seen[s.fn] {
			return i
		}
		seen[s.fn] = true
	}
	return len(list)
}

// verifySolutions writes solutions for functions of one package as tests, but for those whose crashes would have no more
// frames in common than there are already, and runs them. An error may be of only some of them.
func (r *reproduction) verifySolutions(ctx context.Context, list []solution) error {
	var crashes []*schemas.Crash
	var levels []int // those of crashes, falling
	var errs []error
	var namer verify.Namer
	for _, s := range list {
		if s.level <= r.level() {
			continue
		}
		name, file := namer.Name(s.fn.Name, s.fn.Pkg, s.warning.Kind)
		cand, err := compose.Compose(r.Prog, s.fn, s.warning.Counterexample, name, file,
			verify.Comment(name, s.warning.Pos, s.warning.Message))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		levels = append(levels, s.level)
		crashes = append(crashes, &schemas.Crash{
			Func: s.fn.Name, Inputs: cand.Inputs, BuiltBy: cand.BuiltBy,
			UnexportedCalls: !s.fn.Obj.Exported(),
			Strategy:        schemas.StrategySolve, Candidates: 1,
			Test: schemas.Test{Package: s.fn.Pkg.Path, File: file, Name: name,
				Source: cand.Source},
		})
	}
	if len(crashes) > 0 {
		errs = append(errs, r.verifyCrashes(ctx, list[0].fn.Pkg, crashes,
			func(i int, c *schemas.Crash) bool { // no later one can have more frames in common
				return i+1 == len(levels) || c.Level >= levels[i+1]
			}))
	}
	return errors.Join(errs...)
}

// addLiterals makes the numbers and strings of a counterexample available to the searches. A slice
// of bytes is also a string.
func (r *reproduction) addLiterals(ce *schemas.Counterexample) {
	list := literals(ce)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.literals = append(r.literals, list...)
}

// literals returns the literals of a counterexample, and for each slice of bytes a string, in the
// order of its walk.
func literals(ce *schemas.Counterexample) []string {
	var list []string
	ce.Walk(func(n *schemas.Node) {
		if n.Lit != "" {
			list = append(list, n.Lit)
		}
		var bytes []byte // as far as the elements are known from the first on
		for i := range n.Elems {
			e := &n.Elems[i]
			b, err := strconv.ParseUint(e.Value.Lit, 10, 8)
			if err == nil && e.Value.Type == "uint8" && e.Index == int64(len(bytes)) {
				bytes = append(bytes, byte(b))
			}
		}
		if len(bytes) > 0 {
			list = append(list, strconv.Quote(string(bytes)))
		}
	})
	return list
}
