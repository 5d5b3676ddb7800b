package vcgen

import (
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/fact"
	"dsd/schemas"
)

// Obligation is a place where the program could panic.
type Obligation struct {
	// Assert is the command. Its copies in unrolled loops and inlined calls have obligations
	// of their own.
	Assert *ir.Assert
	// Path are the conditions that all hold when control gets there: branches taken, and what
	// was assumed or asserted on the way. The last one comes first.
	Path []*logic.Term
	// Cond must hold, or there is a panic of Kind at Pos.
	Cond    *logic.Term
	Kind    schemas.Kind
	Pos     token.Pos
	Message string
	// Calls lead from the function to the panic, outermost first.
	Calls []Call
	// Branches are the conditions that were decided on the way, in the function and in those
	// of Calls, in order.
	Branches []BranchStep
	// Ptr is the pointer that a nil dereference dereferences.
	Ptr *logic.Term
	// HavocedBefore is the number of Program.Havoced that come before it.
	HavocedBefore int
	// Uncertain reports whether it is unknown if, or when, the call that leads there happens.
	Uncertain bool
	// Passes is the largest number of passes of one of the function's own loops that end there.
	Passes int
	// Used are the ids of the invariants that Path contains.
	Used []string
}

// Call is a call on the way to a panic.
type Call struct {
	Pos    token.Pos
	Callee string
	Go     bool // of a go statement
	// Callback reports whether it is not known if anyone makes it; see ir.Call.
	Callback bool

	origin ir.Origin // of the callee
}

// BranchStep is a condition of the program that was decided on the way to a panic.
type BranchStep struct {
	Pos   token.Pos
	Text  string
	Holds bool
	// Depth is the number of Obligation.Calls that lead to the condition.
	Depth int
}

// Failure returns the terms that can be true together if and only if the panic is possible; the
// last one says what fails.
func (o *Obligation) Failure(b *logic.Builder) []*logic.Term {
	return append(append([]*logic.Term{}, o.Path...), b.Not(o.Cond))
}

// HavocedCall is a call that was not followed, whose results may be anything; or a receive.
type HavocedCall struct {
	Callee string
	// Vars are the scalars of the results, whose types are those of Sig.
	Vars []*logic.Var
	Sig  *types.Signature
	// Fn is the function value that was called, nil for other calls.
	Fn *logic.Term
	// Chan is the channel of a receive, nil for a call. If OK is true, Vars are what is
	// received.
	Chan  *logic.Term
	OK    *logic.Var
	guard *pathCond // of the call
}

// Reached returns those of the calls that control comes to under model m, in order.
func Reached(m *logic.Model, calls []HavocedCall) []HavocedCall {
	var conds []*logic.Term
	index := map[*pathCond]int{} // of the conjunct in conds
	for _, o := range calls {
		for g := o.guard; g != nil; g = g.up {
			if _, ok := index[g]; ok {
				break // those before it are there, too
			}
			index[g] = len(conds)
			conds = append(conds, g.cond)
		}
	}
	vals := m.EvalAll(conds)
	var out []HavocedCall
	for _, o := range calls {
		reached := true
		for g := o.guard; g != nil && reached; g = g.up {
			reached = vals[index[g]] == 1
		}
		if reached {
			out = append(out, o)
		}
	}
	return out
}

// Program is a function as obligations over its inputs.
type Program struct {
	// Builder made the terms. Those of several must not be mixed.
	Builder     *logic.Builder
	Obligations []*Obligation
	// Recovered are obligations whose panics a deferred call may recover; see Options.Recovered.
	Recovered []*Obligation
	// Folded counts the obligations that simplified to true.
	Folded int
	// Unchecked are assertions of the function itself that may fail although no obligation
	// says so.
	Unchecked map[*ir.Assert]bool
	// Truncated reports whether the function was not executed to its end.
	Truncated bool
	// Bounded says what was not followed to its end, sorted; empty if everything was.
	Bounded []string
	// Dropped reports whether executions were left out: what holds of those that were followed
	// need not hold of all. What is not followed but may have done anything drops none.
	Dropped bool
	// Havoced are the calls that were not followed, in order.
	Havoced []HavocedCall
	// Invented are the variables that no input determines: the results and side effects of
	// calls that were not followed, and what library models leave open. For each, it says in words
	// what the variable stands for.
	Invented map[*logic.Var]string
	// Axioms are conditions that hold in all executions, whatever the invented variables are.
	Axioms        map[*logic.Term]bool
	LoopSummaries []LoopSummary
	// Results are the scalars of the results, nil if the function does not return.
	Results []*logic.Term
	// Exit are the conditions under which it returns, and ExitUsed the ids of the invariants
	// among them.
	Exit     []*logic.Term
	ExitUsed []string

	exitMem *memories // the memories at the return
}

// World is what the execution needs to know of other functions; lower.World implements it.
type World interface {
	Func(key string) *ir.Func
	FuncValue(id uint32) string
	Method(tag uint32, name, sig string) string
	Effects(key string) []*logic.Var
	Live(f *ir.Func) [][]bool
	Literals() map[uint32]string
	Initials(key string) (inits []string, notNil []*logic.Term)
}

// Options bound the work, in counts, never in time.
type Options struct {
	// Unroll is the number of passes of a loop whose conditions are not known.
	Unroll int
	// Passes are the passes of those of the function's own loops that counterexamples ask for,
	// by the heads of the loops.
	Passes map[int]int
	// SummarizeLoops says to take all passes of the function's own loops but the first at
	// once; see LoopSummary.
	SummarizeLoops bool
	// AbstractLoops says to take all passes of any loop but the first at once: afterwards, what
	// the loop changes has any value. No execution is left out because of a loop.
	AbstractLoops bool
	// Unknown are the memories that a call of a function without commands, of an unknown function
	// value, or of a method of an unknown type may write. By default it writes what its arguments
	// point to.
	Unknown []*logic.Var
	// Depth is the depth to which calls are inlined.
	Depth int
	// MaxTerms is the number of terms after which nothing more is inlined or unrolled.
	MaxTerms int
	// Interrupted, if not nil, reports whether to stop: the analysis was canceled. The rest of the
	// function is then not executed, as if MaxTerms had been reached.
	Interrupted func() bool
	// Proved, if not nil, reports whether an assertion is known to hold whenever its function
	// is called, as far as loops are followed. It makes no obligations in callers; see
	// prove.Cache.
	Proved func(*ir.Assert) bool
	// Follow, if not nil, reports whether a call of a function, at pos in the innermost of
	// calls, is followed whatever it costs.
	Follow func(calls []Call, pos token.Pos, callee string) bool
	// Select, if not nil, reports which obligations to emit.
	Select func(calls []Call, pos token.Pos, kind schemas.Kind) bool
	// Recovered says to make obligations also for panics that may be recovered.
	Recovered bool
	// Contracts are the learned invariants, by the key of a function or an interface's method.
	Contracts map[string]*ir.Contract
	// Facts, if not nil, are what calls returned in real runs. They are assumed of calls that
	// are not followed, and of those that a model describes.
	Facts Facts
}

// Facts provides what real runs showed about a call; lower.Facts implements it. The arguments and
// results are scalars, mem returns the contents of a memory when the call returned, by Var.Index.
type Facts interface {
	Assume(b *logic.Builder, callee string, sig *types.Signature, args, results []*logic.Term,
		mem func(index int) *logic.Term) []*logic.Term
	// Seen returns the operands that the comparison at pos had in real runs, nil if it is not
	// to have these only.
	Seen(pos token.Pos) []fact.Operands
}

// DefaultOptions are the options of the check command.
var DefaultOptions = Options{Unroll: 3, Depth: 4, MaxTerms: 60000}
