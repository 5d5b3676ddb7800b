package stackpath

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"slices"

	"dsd/check"
	"dsd/check/finding"
	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/prove"
	"dsd/check/query"
	"dsd/check/smt"
	"dsd/check/vcgen"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Stack is the stack of a panic.
type Stack struct {
	Kind schemas.Kind
	// Frames are the frames, crash first. Those whose Fn is nil are not solved for.
	Frames []stacktrace.Located
	// Values are the numbers in the panic's message by name, such as index and length.
	Values map[string]int64
}

// Options say how to solve. The zero value is the default.
type Options struct {
	// Solver is the command of an external solver; "" is the libz3 that the program is linked
	// with.
	Solver string
	// Rlimit is the budget of a query in the solver's units of work; 0 is check.DefaultRlimit.
	Rlimit int
	// Without names optimizations to leave out:
	//
	//	slice   the conditions that share inputs with what crashes are asked about first, which
	//	        often proves that it cannot [STAR 3.2.1]
	//	core    a set of conditions that cannot hold together rules out every other path that
	//	        contains it [STAR 3.2.2]
	//	frames  what is impossible in a frame is not looked for further out [STAR 3.2.3]
	Without map[string]bool
	// Log receives errors of the solver; nil discards them.
	Log io.Writer
}

// Level is the result for one frame.
type Level struct {
	// Frame is its number, from 0.
	Frame int
	// Obligations counts the paths to the panic, Pruned those that a core rules out, and
	// Queries the queries to the solver.
	Queries, Obligations, Pruned int
	// Verdict is Sat, Unsat or Unknown; "" if the frame was not solved for, and Why says why.
	Verdict string
	Why     string
}

// The verdicts of Level.
const (
	Sat     = "sat"
	Unsat   = "unsat"
	Unknown = "unknown"
)

// Reasons of Level.Why.
const (
	interrupted     = "interrupted"
	functionLiteral = "a function literal"
	impossible      = "impossible further in"
)

// Solve computes, for each frame from the crash outwards, the weakest precondition of the panic
// over the inputs of the frame's function, and asks the solver for inputs that meet it. levels[i]
// is the result for stack.Frames[i]. The document has a warning with a counterexample for each
// frame that has any, innermost first, with the id of the frame's number: W1 for frame 0. When ctx
// ends, what is finished is returned, marked incomplete, with ctx's error. Other errors: the
// solver cannot be had.
func Solve(
	ctx context.Context, prog *source.Program, stack *Stack, opt Options,
) (doc *schemas.Warnings, levels []Level, err error) {
	p := &solver{ctx: ctx, stack: stack, without: opt.Without, testee: &prove.Testee{
		Prog: prog, World: lower.New(prog), Rlimit: opt.Rlimit, Log: opt.Log,
	}}
	if p.testee.Open, err = check.Solver(ctx, opt.Solver); err != nil {
		return nil, nil, err
	}
	if p.testee.Rlimit == 0 {
		p.testee.Rlimit = check.DefaultRlimit
	}
	if p.testee.Log == nil {
		p.testee.Log = io.Discard
	}
	roots := map[*source.Func]*lower.Root{}
	for _, f := range stack.Frames {
		if f.Fn != nil && roots[f.Fn] == nil {
			roots[f.Fn] = p.testee.World.Root(f.Fn)
		}
	}
	p.testee.World.Close()
	doc = check.NewDocument(prog)
	pruned := false
	for k, f := range stack.Frames {
		l := Level{Frame: k}
		r := roots[f.Fn]
		switch {
		case ctx.Err() != nil:
			l.Why = interrupted
		case f.Fn == nil:
			l.Why = functionLiteral
		case pruned && !opt.Without["frames"]:
			l.Why = impossible
		case r.Err != nil:
			l.Why = r.Err.Error()
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: f.Func, Reason: l.Why})
		default:
			found := p.frame(r, &l)
			doc.Functions++
			if found != nil {
				w := found.Warning(prog.Pos, p.testee.World, r, false)
				w.ID = fmt.Sprintf("W%d", k+1)
				doc.Warnings = append(doc.Warnings, w)
			}
			doc.Stats.Queries += l.Queries
			pruned = l.Verdict == Unsat
		}
		levels = append(levels, l)
	}
	doc.Incomplete = ctx.Err() != nil
	return doc, levels, ctx.Err()
}

// solver solves for one stack.
type solver struct {
	ctx     context.Context
	stack   *Stack
	without map[string]bool
	testee  *prove.Testee
}

// frame solves for one frame and returns the panic with inputs that lead there, nil if there is
// none. A fault of ours costs this frame alone.
func (p *solver) frame(r *lower.Root, l *Level) (found *finding.Finding) {
	q := p.testee.Query(p.ctx, r.Func.Name, p.without["slice"])
	defer q.Close()
	defer func() {
		if fault := recover(); fault != nil {
			l.Verdict, l.Why = "", fmt.Sprintf("internal error: %v", fault)
			found = nil
		}
		l.Queries = q.Stats.Queries
	}()
	opt := vcgen.DefaultOptions
	opt.Interrupted = func() bool { return p.ctx.Err() != nil }
	opt.Follow = func(calls []vcgen.Call, pos token.Pos, callee string) bool {
		return p.isNextCall(l.Frame, calls, pos, callee)
	}
	opt.Select = func(calls []vcgen.Call, pos token.Pos, kind schemas.Kind) bool {
		return kind == p.stack.Kind && len(calls) == l.Frame &&
			p.line(pos) == p.stack.Frames[0].Pos && p.areCalls(l.Frame, calls)
	}
	prog, _ := prove.Execute(p.testee, q, r, opt, false)
	l.Obligations = len(prog.Obligations)
	prove.EasyFirst(prog.Obligations)
	l.Verdict = Unsat
	if prog.Truncated || len(prog.Bounded) > 0 || len(prog.Obligations) == 0 && prog.Folded > 0 {
		l.Verdict = Unknown // some paths were not followed
	}
	var cores [][]*logic.Term
	for _, o := range prog.Obligations {
		if p.ctx.Err() != nil || q.Dead || q.Exhausted() != "" {
			l.Verdict, l.Why = Unknown, q.Exhausted()
			return nil
		}
		failure := o.Failure(q.B)
		if !p.without["core"] && containsAny(failure, cores) {
			l.Pruned++
			continue
		}
		args := arguments(q.B, r, p.stack.Frames[l.Frame].Known)
		verdict, model := ask(q, failure, messageTerms(q.B, o, p.stack.Values), args)
		switch verdict {
		case smt.Sat:
			l.Verdict = Sat
			return finding.New(o, prog, model)
		case smt.Unsat:
			if !p.without["core"] {
				cores = append(cores, q.Core(failure))
			}
		default:
			l.Verdict = Unknown
		}
	}
	return nil
}

// ask decides whether a path to the panic can be taken with the values of the message and the
// arguments of the frame; if not, then without the arguments, and without the values: another build
// may print other ones, and a function may change its parameters.
func ask(
	q *query.Querier, failure, message, args []*logic.Term,
) (verdict smt.Verdict, model *logic.Model) {
	sets := [][]*logic.Term{nil}
	if len(message) > 0 {
		sets = append(sets, message)
	}
	if len(args) > 0 {
		sets = append(sets, slices.Concat(args, message))
	}
	for _, set := range slices.Backward(sets) {
		// What fails comes last.
		if verdict, model = q.Ask(slices.Concat(set, failure), false); verdict == smt.Sat {
			break
		}
	}
	return verdict, model
}

// containsAny reports whether terms contain all terms of one of the sets.
func containsAny(terms []*logic.Term, sets [][]*logic.Term) bool {
	in := map[*logic.Term]bool{}
	for _, t := range terms {
		in[t] = true
	}
	return slices.ContainsFunc(sets, func(set []*logic.Term) bool {
		return !slices.ContainsFunc(set, func(t *logic.Term) bool { return !in[t] })
	})
}

// messageTerms returns the terms that the values of the message add: the index and the length are
// those that it names.
func messageTerms(b *logic.Builder, o *vcgen.Obligation, values map[string]int64) []*logic.Term {
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

// arguments returns the terms that say that the inputs are what is known of them.
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
			if role := v.Domain.Role; (role == logic.RoleLen || role == logic.RoleStrLen) &&
				known.Length >= 0 {
				out = append(out, b.Eq(b.Var(v), b.Const(v.Sort, uint64(known.Length))))
			}
		}
	}
	return out
}

// isNextCall reports whether a call, after those in calls, is the one at a frame's line.
func (p *solver) isNextCall(frame int, calls []vcgen.Call, pos token.Pos, callee string) bool {
	at := frame - len(calls)
	return at > 0 && p.areCalls(frame, calls) && p.isCall(at, pos, callee)
}

// areCalls reports whether calls are those at the lines of a frame and of the frames further in.
func (p *solver) areCalls(frame int, calls []vcgen.Call) bool {
	for i, call := range calls {
		if at := frame - i; at <= 0 || !p.isCall(at, call.Pos, call.Callee) {
			return false
		}
	}
	return true
}

// isCall reports whether a call of callee at pos is that of frame at to the next one further in.
func (p *solver) isCall(at int, pos token.Pos, callee string) bool {
	frames := p.stack.Frames
	return p.line(pos) == frames[at].Pos && symbol.Plain(callee) == symbol.Plain(frames[at-1].Func)
}

// line returns the file and line of a position; the zero position if pos is not valid.
func (p *solver) line(pos token.Pos) symbol.Pos {
	if !pos.IsValid() {
		return symbol.Pos{}
	}
	return symbol.ParsePos(p.testee.Prog.Pos(pos)).WithoutCol()
}
