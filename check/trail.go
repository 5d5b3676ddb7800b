package check

import (
	"context"
	"fmt"
	"go/token"

	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/smt"
	"dsd/check/vcgen"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Trail is a stack along which a panic is looked for, and nowhere else.
type Trail struct {
	// Kind is that of the panic.
	Kind schemas.Kind
	// Frames are those of the stack, crash first.
	Frames []stacktrace.Located
	// Values are those that the panic's message holds by name, such as index and length.
	Values map[string]int64
	// Without names optimisations that are to be left out: slice, core, frames. See Along.
	Without map[string]bool
}

// Level is what came of one frame of a stack.
type Level struct {
	// Frame is its number, from 0 on.
	Frame int
	// Queries counts the questions put to the solver, Obligations the ways to the panic, and Pruned those of them that a core of
	// another one shows to be impossible.
	Queries, Obligations, Pruned int
	// Verdict is sat, unsat or unknown; "" if the frame was not looked at, and Why says why.
	Verdict, Why string
}

// Along computes for each frame of a stack, from the crash outwards, the weakest precondition of the panic over the inputs of the
// frame's function, following exactly the calls at the frames' lines, and asks the solver for inputs that meet it [STAR 3.1].
// The document has a warning with a counterexample for each frame that has any, innermost first, with the id of its number: W1 for
// frame 0.
//
// STAR's three optimisations have these forms here, and can be left out by name. slice: first the conditions alone that share inputs
// with what crashes are asked about, which often shows that it cannot [STAR 3.2.1]; core: a set of conditions that was shown
// to be impossible rules out every other way that contains it [STAR 3.2.2]; frames: what is impossible in a frame is not
// looked for in those further out [STAR 3.2.3].
func Along(ctx context.Context, prog *source.Program, trail *Trail, opt Options) (*schemas.Warnings, []Level, error) {
	if opt.Rlimit == 0 {
		opt.Rlimit = DefaultRlimit
	}
	for _, f := range trail.Frames {
		if f.Fn != nil {
			opt.Functions = append(opt.Functions, f.Fn)
		}
	}
	c := &checker{prog: prog, opt: opt, w: lower.New(prog), session: func() (smt.Session, error) { return smt.NewZ3(), nil }}
	c.prepare()
	byFunc := map[*source.Func]*lower.Root{}
	for _, r := range c.roots {
		byFunc[r.Func] = r
	}
	doc := &schemas.Warnings{Header: schemas.Header{Module: schemas.Module{Path: prog.Module, Go: prog.GoVersion}},
		Warnings: []schemas.Warning{}, Skipped: []schemas.Skipped{}, Bounded: []schemas.Skipped{}}
	var levels []Level
	impossible := false
	for k, f := range trail.Frames {
		l := Level{Frame: k}
		r := byFunc[f.Fn]
		switch {
		case ctx.Err() != nil:
			l.Why = "interrupted"
		case f.Fn == nil:
			l.Why = "a function literal"
		case impossible && !trail.Without["frames"]:
			l.Why = "impossible further in"
		case r.Err != nil:
			l.Why = r.Err.Error()
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: f.Func, Reason: l.Why})
		default:
			a := c.along(ctx, r, trail, &l)
			doc.Functions++
			for _, w := range a.res.warnings {
				warning := c.warning(r, a.res, w)
				warning.ID = fmt.Sprintf("W%d", k+1)
				doc.Warnings = append(doc.Warnings, warning)
			}
			doc.Stats.Queries += l.Queries
			impossible = l.Verdict == "unsat"
		}
		levels = append(levels, l)
	}
	doc.Incomplete = ctx.Err() != nil
	return doc, levels, ctx.Err()
}

// along looks at one frame.
func (c *checker) along(ctx context.Context, r *lower.Root, trail *Trail, l *Level) (a *analysis) {
	a = &analysis{c: c, ctx: ctx, r: r, res: &result{}, done: map[site]*found{}}
	a.q = &questioner{ctx: ctx, c: c, res: a.res, name: r.Func.Name, whole: trail.Without["slice"]}
	defer a.q.close()
	defer func() { // a fault of ours costs this frame, and is said
		if p := recover(); p != nil {
			l.Verdict, l.Why = "", fmt.Sprintf("internal error: %v", p)
			a.res.warnings = nil
		}
		l.Queries = a.res.stats.Queries
	}()
	a.opt = vcgen.DefaultOptions
	a.opt.Follow = func(calls []vcgen.Call, pos token.Pos, callee string) bool {
		return c.onTrail(trail, l.Frame, calls, pos, callee)
	}
	a.opt.Select = func(calls []vcgen.Call, pos token.Pos, kind schemas.Kind) bool {
		return kind == trail.Kind && len(calls) == l.Frame && c.line(pos) == trail.Frames[0].Pos && c.chain(trail, l.Frame, calls)
	}
	p, _ := a.passify(a.opt)
	l.Obligations = len(p.Obligations)
	easyFirst(p.Obligations)
	l.Verdict = "unsat"
	if p.Truncated || len(p.Bounded) > 0 || len(p.Obligations) == 0 && p.Folded > 0 {
		l.Verdict = "unknown" // there are ways that were not followed
	}
	var cores [][]*logic.Term
	for _, o := range p.Obligations {
		if ctx.Err() != nil || a.q.dead || a.q.exhausted() != "" {
			l.Verdict, l.Why = "unknown", a.q.exhausted()
			break
		}
		failure := o.Failure(a.q.b)
		if !trail.Without["core"] && ruledOut(cores, failure) {
			l.Pruned++
			continue
		}
		verdict, model := a.answer(failure, said(a.q.b, o, trail.Values), arguments(a.q.b, r, trail.Frames[l.Frame].Known))
		switch verdict {
		case smt.Sat:
			l.Verdict = "sat"
			a.warn(siteOf(o), newFound(o, p, model))
			return a
		case smt.Unsat:
			if trail.Without["core"] {
				break
			}
			cores = append(cores, a.core(failure))
		default:
			l.Verdict = "unknown"
		}
	}
	return a
}

// answer asks whether a way to the panic can be taken with the values of the message and the arguments of the frame; if not, then
// without the arguments, and without the values: another build may print others, and a function may change its parameters.
func (a *analysis) answer(failure, said, args []*logic.Term) (verdict smt.Verdict, model *logic.Model) {
	sets := [][]*logic.Term{nil}
	if len(said) > 0 {
		sets = append(sets, said)
	}
	if len(args) > 0 {
		sets = append(sets, append(append([]*logic.Term{}, args...), said...))
	}
	for i := len(sets) - 1; i >= 0; i-- {
		// What fails comes last.
		if verdict, model = a.q.ask(append(append([]*logic.Term{}, sets[i]...), failure...), false); verdict == smt.Sat {
			break
		}
	}
	return verdict, model
}

// core is an impossible part of terms that cannot all be true: those that share inputs with what crashes, if these alone cannot
// either, or all. (The text interface of the solver has no cores.)
func (a *analysis) core(failure []*logic.Term) []*logic.Term {
	near := neighbours(failure)
	if len(near) == len(failure) {
		return failure
	}
	if v, _ := a.q.query(append(append([]*logic.Term{}, near...), vcgen.WellFormed(a.q.b, near)...)); v == smt.Unsat {
		return near
	}
	return failure
}

// ruledOut says that a set of terms contains one that is impossible.
func ruledOut(cores [][]*logic.Term, terms []*logic.Term) bool {
	in := map[*logic.Term]bool{}
	for _, t := range terms {
		in[t] = true
	}
next:
	for _, core := range cores {
		for _, t := range core {
			if !in[t] {
				continue next
			}
		}
		return true
	}
	return false
}

// said are the terms that the message's values add: that the index and the length are those.
func said(b *logic.Builder, o *vcgen.Obligation, values map[string]int64) []*logic.Term {
	var out []*logic.Term
	equal := func(t *logic.Term, name string) {
		if n, ok := values[name]; ok && t.Sort.Kind == logic.KBV {
			out = append(out, b.Eq(t, b.Const(t.Sort, uint64(n))))
		}
	}
	if o.Kind == schemas.Index && o.Cond.Op == logic.OpULt {
		equal(o.Cond.Args[0], "index")
		equal(o.Cond.Args[1], "length")
	}
	return out
}

// arguments are the terms that say that the inputs are what is known of them.
func arguments(b *logic.Builder, r *lower.Root, args []stacktrace.Argument) []*logic.Term {
	var out []*logic.Term
	for i, p := range r.Params {
		if i >= len(args) || len(p.Vars) == 0 {
			break
		}
		known, first := args[i], b.Var(p.Vars[0])
		switch p.Vars[0].Domain.Role {
		case logic.RoleNone:
			switch {
			case !known.Known:
			case first.Sort.Kind == logic.KBool && known.Bits == 0:
				out = append(out, b.Not(first))
			case first.Sort.Kind == logic.KBool:
				out = append(out, first)
			case first.Sort.Kind == logic.KBV:
				out = append(out, b.Eq(first, b.Const(first.Sort, known.Bits)))
			}
		case logic.RoleObj, logic.RoleTag:
			null := b.Eq(first, b.Const(first.Sort, 0))
			if known.Nil {
				out = append(out, null)
			} else if known.Set {
				out = append(out, b.Not(null))
			}
		}
		for _, v := range p.Vars {
			if role := v.Domain.Role; (role == logic.RoleLen || role == logic.RoleStrLen) && known.Length >= 0 {
				out = append(out, b.Eq(b.Var(v), b.Const(v.Sort, uint64(known.Length))))
			}
		}
	}
	return out
}

// onTrail says that a call is the one at a frame's line.
func (c *checker) onTrail(trail *Trail, frame int, calls []vcgen.Call, pos token.Pos, callee string) bool {
	at := frame - len(calls)
	return at > 0 && c.chain(trail, frame, calls) && c.line(pos) == trail.Frames[at].Pos && symbol.Plain(callee) == symbol.Plain(trail.Frames[at-1].Func)
}

// chain says that calls are those at the lines of a frame and of those further in.
func (c *checker) chain(trail *Trail, frame int, calls []vcgen.Call) bool {
	for i, call := range calls {
		at := frame - i
		if at <= 0 || c.line(call.Pos) != trail.Frames[at].Pos || symbol.Plain(call.Callee) != symbol.Plain(trail.Frames[at-1].Func) {
			return false
		}
	}
	return true
}

// line returns the position of a line, which is zero if pos is not valid.
func (c *checker) line(pos token.Pos) symbol.Pos {
	if !pos.IsValid() {
		return symbol.Pos{}
	}
	return symbol.ParsePos(c.prog.Pos(pos)).WithoutCol()
}
