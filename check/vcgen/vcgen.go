package vcgen

import (
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// Obligation is a place where the program could panic.
type Obligation struct {
	// Assert is the command; copies of it in unrolled loops and inlined calls have obligations of their own.
	Assert *ir.Assert
	// Path are the conditions, all of which hold when control gets there: branches taken, and what was assumed or
	// asserted on the way.
	Path []*logic.Term
	// Cond must hold, or there is a panic of Kind at Pos.
	Cond    *logic.Term
	Kind    schemas.Kind
	Pos     token.Pos
	Message string
	// Calls lead from the function to the panic, outermost first.
	Calls []Call
	// Branches are the conditions that were decided on the way, in the function and in those of Calls, first one first.
	Branches []BranchStep
	// Ptr is what a nil dereference dereferences.
	Ptr *logic.Term
	// HavocedBefore is how many of Program.HavocedBefore come before it.
	HavocedBefore int
	// Passes is the largest number of passes of one of the function's own loops that end there.
	Passes int
	// Used are the ids of the callees' invariants that Path contains.
	Used []string
}

// Call is a step of the way into a callee.
type Call struct {
	Pos    token.Pos
	Callee string
}

// BranchStep is a condition of the program that was decided on a way: true if Holds. Depth is the number of Obligation.Calls
// that lead there.
type BranchStep struct {
	Pos   token.Pos
	Text  string
	Holds bool
	Depth int
}

// Failure returns the terms that can be true together if and only if the panic is possible.
func (o *Obligation) Failure(b *logic.Builder) []*logic.Term {
	return append(append([]*logic.Term{}, o.Path...), b.Not(o.Cond))
}

// HavocedCall is a call that was not looked into, what it returned is free; or a receive.
type HavocedCall struct {
	Callee string
	// Vars are the scalars of the results, whose types are those of Sig.
	Vars []*logic.Var
	Sig  *types.Signature
	// Fn is the function value that was called, nil if it was none.
	Fn *logic.Term
	// Chan is the channel of a receive, the value of which Vars are if OK is true; nil of a call.
	Chan  *logic.Term
	OK    *logic.Var
	guard *pathCond
}

// Reached returns those of the calls that control comes to under model m, in order.
func Reached(m *logic.Model, opens []HavocedCall) []HavocedCall {
	var conds []*logic.Term
	index := map[*pathCond]int{} // of the condition, and all before it
	for _, o := range opens {
		for g := o.guard; g != nil; g = g.up {
			if _, ok := index[g]; ok {
				break
			}
			index[g] = len(conds)
			conds = append(conds, g.cond)
		}
	}
	vals := m.EvalAll(conds)
	var out []HavocedCall
	for _, o := range opens {
		happens := true
		for g := o.guard; g != nil && happens; g = g.up {
			happens = vals[index[g]] == 1
		}
		if happens {
			out = append(out, o)
		}
	}
	return out
}

// Program is a function as obligations over its inputs.
type Program struct {
	Obligations []*Obligation
	// Folded counts the obligations that simplified to true.
	Folded int
	// Unchecked are assertions of the function itself that may fail though no obligation says so.
	Unchecked map[*ir.Assert]bool
	// Truncated says that the function was not followed to its end.
	Truncated bool
	// Bounded says what was not followed to its end, sorted; empty if everything was.
	Bounded       []string
	Havoced       []HavocedCall
	LoopSummaries []LoopSummary
	// Results are the scalars of the results, nil if the function does not return.
	Results []*logic.Term
	// Exit are the conditions under which it returns, and ExitUsed the ids of the callees' invariants among them.
	Exit     []*logic.Term
	ExitUsed []string
}

// World is what the pass needs to know of other functions (lower.World).
type World interface {
	Func(key string) *ir.Func
	FuncValue(id uint32) string
	Method(tag uint32, name string) string
	Effects(key string) []*logic.Var
	Live(f *ir.Func) [][]bool
	Literals() map[uint32]string
	Initials(key string) (inits []string, notNil []*logic.Term)
}

// Options bound the work; all counts, no times.
type Options struct {
	// Unroll is how often the head of a loop is passed when its condition is not known.
	Unroll int
	// Passes is the same for those of the function's own loops that counterexamples ask for, by their heads.
	Passes map[int]int
	// SummarizeLoops says to take all passes of the function's own loops but the first at once; see the type.
	SummarizeLoops bool
	// Depth is how deep calls are inlined.
	Depth int
	// MaxTerms is the number of terms past which nothing more is inlined or unrolled.
	MaxTerms int
	// Proved, if not nil, says that an assertion holds whenever its function is called, as far as loops are followed; it
	// is not asked for then in callers. See Lemmas of package check.
	Proved func(*ir.Assert) bool
	// Follow, if not nil, says that a call of a function, at pos in the innermost of calls, is followed in any case.
	Follow func(calls []Call, pos token.Pos, callee string) bool
	// Select, if not nil, says which obligations there are to be.
	Select func(calls []Call, pos token.Pos, kind schemas.Kind) bool
	// Contracts are the learned invariants by function key or interface method.
	Contracts map[string]*ir.Contract
}

// DefaultOptions are what `check` uses.
var DefaultOptions = Options{Unroll: 3, Depth: 4, MaxTerms: 60000}
