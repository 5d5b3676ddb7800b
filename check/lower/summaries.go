package lower

import (
	_ "embed"
	"encoding/json"
	"go/types"
	"sync"

	"dsd/internal/expr"
	"dsd/internal/source"
)

// Summaries are conditions that hold when functions of the standard library return, whatever their
// arguments. They were proved from its source (package summary), and are assumed of calls of
// functions without a model.

//go:embed summaries.json
var summaryFile []byte

// summaries of the standard library by the name that stack traces have for a function.
var librarySummaries = sync.OnceValue(func() map[string][]expr.Expr {
	var doc struct{ Functions map[string][]string }
	if err := json.Unmarshal(summaryFile, &doc); err != nil {
		panic("lower: summaries.json: " + err.Error()) // it is embedded
	}
	out := map[string][]expr.Expr{}
	for name, conditions := range doc.Functions {
		for _, text := range conditions {
			e, err := expr.Parse(text)
			if err != nil {
				panic("lower: summaries.json: " + err.Error())
			}
			out[name] = append(out[name], e)
		}
	}
	return out
})

// assumeSummary assumes of the results of a call what the summary of f says. args begin with the
// receiver of a method.
func (em *emitter) assumeSummary(f *types.Func, args, results []Value) {
	conditions := librarySummaries()[source.FuncName(f)]
	if len(conditions) == 0 {
		return
	}
	c := &ContractBuilder{w: em.w, l: em.w.newLowerer("", "<summary>", 0, nil, nil), pkg: f.Pkg(),
		names: map[string]Value{}}
	sig := f.Type().(*types.Signature)
	if sig.Recv() != nil && len(args) > 0 {
		c.names[sig.Recv().Name()] = args[0]
		args = args[1:]
	}
	for i := range min(sig.Params().Len(), len(args)) {
		c.names[sig.Params().At(i).Name()] = args[i]
	}
	for i, v := range results {
		c.names[resultName(sig.Results(), i)] = v
	}
	for _, e := range conditions {
		if t, err := c.term(e); err == nil {
			em.axiom(t)
		}
	}
}
