package prove

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"

	"dsd/check/finding"
	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/query"
	"dsd/check/smt"
	"dsd/check/vcgen"
	"dsd/internal/source"
	"dsd/schemas"
)

// Testee is what the analyses of all functions of a run share. It is only read.
type Testee struct {
	Prog  *source.Program
	World *lower.World
	// Contracts are assumed, by the key of a function or the name of an interface's method.
	Contracts map[string]*ir.Contract
	// Facts, if not nil, are assumed of calls that are not followed.
	Facts vcgen.Facts
	// Open opens a session with the solver.
	Open func() (smt.Session, error)
	// Rlimit is the budget of a query in the solver's units of work.
	Rlimit int
	// Select, if not nil, reports whether to ask about a panic of a function, of a kind at a
	// "file:line:col".
	Select func(fn string, kind schemas.Kind, pos string) bool
	// Recovered says to ask also about panics that deferred functions may recover.
	Recovered bool
	// Dump, if not nil, receives those intermediate forms of each function that are in Forms.
	Dump  func(fn, form, text string)
	Forms []string
	// Memo, if not nil, has results of earlier runs.
	Memo *Memo
	// Lock is held where the World is used for other things than analyses.
	Lock *sync.Mutex
	// Log receives errors of the solver.
	Log io.Writer
}

// Dumps reports whether a form is wanted.
func (t *Testee) Dumps(form string) bool { return t.Dump != nil && slices.Contains(t.Forms, form) }

// Query returns a Querier for the function of that name. wholeOnly reports whether it never asks
// about a part of an obligation first; see query.Config.
func (t *Testee) Query(ctx context.Context, name string, wholeOnly bool) *query.Querier {
	cfg := query.Config{Open: t.Open, Rlimit: t.Rlimit, Log: t.Log, NoSlicing: wholeOnly}
	if t.Dumps("smt") {
		cfg.Dump = func(text string) { t.Dump(name, "smt", text) }
	}
	return query.New(ctx, name, cfg)
}

// Result is the result of the analysis of one function.
type Result struct {
	// Warnings are the obligations that may fail, one per site, in the order in which they were
	// found.
	Warnings []schemas.Warning
	// Bounded are the reasons why the function was not followed to its end.
	Bounded []string
	// Preconditions reports whether entry invariants of the function were assumed.
	Preconditions bool
	Stats         schemas.CheckStats
	// Err is why the function could not be analyzed, nil if it was.
	Err error
	// Unrepeatable reports whether another run may come to another result: the solver stopped answering, or a limit of
	// time or memory was reached.
	Unrepeatable bool
}

// analysis is that of one function.
type analysis struct {
	*Testee
	ctx context.Context
	r   *lower.Root
	q   *query.Querier
	w   *recorder // of the testee's World
	// known is what is known of callees' assertions.
	known *Knowledge
	opt   vcgen.Options
	// withoutContract reports whether the function's own contract is not assumed.
	withoutContract bool
	res             *Result
	// findings are the obligations that may fail, in the order in which they were found, and sites
	// has them by their sites.
	findings []*finding.Finding
	sites    map[finding.Site]*finding.Finding
	// failed are the assertions of the function that are not proved.
	failed map[*ir.Assert]Status
}

// Function analyzes the function r. It waits until the callees that the cache knows are analyzed,
// and adds to the cache what is proved of r. It returns nil if ctx ended before it was done. A
// fault of ours costs this function alone: it is Result.Err.
func Function(ctx context.Context, t *Testee, cache *Cache, r *lower.Root) (res *Result) {
	if r.Err != nil {
		return &Result{Err: r.Err}
	}
	var statuses []Status
	defer func() {
		if p := recover(); p != nil {
			res = &Result{Err: fmt.Errorf("internal error: %v", p), Unrepeatable: true}
			statuses = nil
		}
		cache.Add(r.Key, statuses)
	}()
	known := cache.Known(r.Key)
	if t.Memo != nil {
		if res, statuses = t.Memo.load(r, known); res != nil {
			return res
		}
	}
	a := &analysis{
		Testee: t, ctx: ctx, r: r, q: t.Query(ctx, r.Name(), false), w: newRecorder(t.World),
		known: known, res: &Result{},
		sites: map[finding.Site]*finding.Finding{}, failed: map[*ir.Assert]Status{},
	}
	defer a.q.Close()
	if t.Memo != nil {
		a.q.Known = t.Memo.Answers(r)
		defer func() { t.Memo.PutAnswers(r, a.q.Known) }()
	}
	a.opt = vcgen.DefaultOptions
	a.opt.Interrupted = func() bool { return ctx.Err() != nil }
	a.opt.Proved = func(x *ir.Assert) bool { return known.Status(x) == Holds }
	a.opt.Contracts, a.opt.Facts, a.opt.Recovered = t.Contracts, t.Facts, t.Recovered
	p := a.assumeConsistent()
	a.q.Stats.Folded = p.Folded
	a.q.Stats.Assertions = p.Folded + len(p.Obligations)
	bounded := p.Bounded
	if deeper := a.deepenLoops(); deeper != nil {
		bounded = deeper.Bounded
	}
	a.decideRecovered(p)
	if ctx.Err() != nil {
		return nil
	}
	a.res.Bounded = append(a.res.Bounded, bounded...)
	if a.q.Dead {
		a.res.Bounded = append(a.res.Bounded, "the solver stopped answering; what is left was not asked")
	}
	a.res.Stats = a.q.Stats
	a.res.Unrepeatable = a.q.Dead || a.q.Slow
	if !p.Truncated && !a.q.Dead && a.isGeneral() {
		statuses = cache.statuses(r.Key, a.failed)
	}
	a.report(statuses)
	return a.res
}

// report turns the findings into warnings, and keeps the result for later runs.
func (a *analysis) report(statuses []Status) {
	a.Lock.Lock()
	for _, f := range a.findings {
		w := f.Warning(a.Prog.Anchored, a.World, a.r, a.res.Preconditions)
		a.res.Warnings = append(a.res.Warnings, w)
	}
	var put func()
	if a.Memo != nil && !a.res.Unrepeatable {
		id, e := a.Memo.entry(a.r, a.known, a.w, a.res, statuses)
		if data, err := json.Marshal(e); err == nil {
			put = func() { a.Memo.put(id, e.Answers, data) }
		}
	}
	for i := range a.res.Warnings {
		a.res.Warnings[i].MapPositions(a.Prog.ResolveAnchored)
	}
	a.Lock.Unlock()
	if put != nil { // it may take long
		put()
	}
}

// Execute returns the obligations of r, whose terms q.B makes from now on, and the entry conditions
// that were assumed; without the function's own contract if bare is set.
func Execute(
	t *Testee, q *query.Querier, r *lower.Root, opt vcgen.Options, bare bool,
) (p *vcgen.Program, entry []*logic.Term) {
	return execute(t, t.World, q, r, opt, bare)
}

// execute is Execute with a World that may be a recorder.
func execute(
	t *Testee, w vcgen.World, q *query.Querier, r *lower.Root, opt vcgen.Options, bare bool,
) (p *vcgen.Program, entry []*logic.Term) {
	b := logic.NewBuilder()
	q.Begin(b)
	inputs := r.Inputs(b)
	start := vcgen.Begin(w, r.Key, b, t.World.MemoryOrder, opt)
	var clauses []ir.Clause
	if k := t.Contracts[r.Key]; k != nil && !bare {
		clauses = vcgen.EntryClauses(b, k, inputs, start)
	}
	for _, k := range clauses {
		entry = append(entry, k.Term)
	}
	return vcgen.Execute(w, r.Key, b, inputs, start, clauses, opt), entry
}

func (a *analysis) execute(opt vcgen.Options) (p *vcgen.Program, entry []*logic.Term) {
	return execute(a.Testee, a.w, a.q, a.r, opt, a.withoutContract)
}

// Reasons of Result.Bounded for contracts that were not assumed.
const (
	contradictoryEntry = "the inferred invariants contradict each other here; none is assumed"
	contradictoryCalls = "with the inferred invariants of the functions that it calls it would " +
		"never return; none is assumed of calls"
)

// assumeConsistent makes and decides the obligations under those contracts that do not contradict
// each other. Contradictions are looked for only where they could have ruled anything out.
func (a *analysis) assumeConsistent() *vcgen.Program {
	p, entry := a.execute(a.opt)
	a.decide(p)
	calleesToo := len(p.ExitUsed) > len(entry)
	if calleesToo && a.q.Consistent(p.Exit) || !calleesToo && (a.hasModel() || a.q.Consistent(entry)) {
		a.res.Preconditions = len(entry) > 0
		return p
	}
	switch {
	case !a.q.Consistent(entry):
		a.restart(contradictoryEntry)
		a.withoutContract = true
		p, _ = a.execute(a.opt)
	default:
		opt := a.opt
		opt.Contracts = nil
		without, _ := a.execute(opt)
		a.res.Preconditions = len(entry) > 0
		if !a.q.Consistent(without.Exit) { // it never returns anyway
			return p
		}
		a.restart(contradictoryCalls)
		a.opt, p = opt, without
	}
	a.decide(p)
	return p
}

// hasModel reports whether some counterexample satisfies every assumption about the inputs.
func (a *analysis) hasModel() bool {
	return slices.ContainsFunc(a.findings, func(f *finding.Finding) bool { return f.Model != nil })
}

// restart discards the results for the function and records why.
func (a *analysis) restart(why string) {
	a.findings, a.res.Bounded = nil, []string{why}
	a.sites, a.failed = map[finding.Site]*finding.Finding{}, map[*ir.Assert]Status{}
	a.q.Restart()
}

// decide asks about the obligations, and keeps what may fail.
func (a *analysis) decide(p *vcgen.Program) {
	a.dump(p)
	for x := range p.Unchecked {
		a.failed[x] = MayFail
	}
	EasyFirst(p.Obligations)
	for i, o := range p.Obligations {
		if a.ctx.Err() != nil || a.q.Dead {
			return
		}
		if a.Select != nil && !a.Select(a.r.Func.Name, o.Kind, a.Prog.Pos(o.Pos)) {
			a.failed[o.Assert] = max(a.failed[o.Assert], MayFail) // not asked, so not proved
			continue
		}
		site := finding.SiteOf(o)
		if old := a.sites[site]; old != nil && old.Model != nil {
			continue
		}
		if why := a.q.Exhausted(); why != "" {
			a.res.Bounded = append(a.res.Bounded, why)
			a.guess(p, p.Obligations[i:])
			return
		}
		verdict, model := a.q.Ask(o.Failure(a.q.B), a.known.Status(o.Assert) == Undecided)
		switch {
		case verdict == smt.Unsat:
		case verdict == smt.Sat:
			a.failed[o.Assert] = max(a.failed[o.Assert], MayFail)
			a.keep(site, a.replayed(site, finding.New(o, p, model), a.opt))
		default:
			a.failed[o.Assert] = Undecided
			if a.sites[site] == nil {
				a.keep(site, finding.New(o, p, nil))
			}
		}
	}
}

// guess looks for counterexamples of obligations without the solver. Those without one stay undecided, and are
// no findings.
func (a *analysis) guess(p *vcgen.Program, list []*vcgen.Obligation) {
	for _, o := range list {
		site := finding.SiteOf(o)
		a.failed[o.Assert] = max(a.failed[o.Assert], Undecided)
		if old := a.sites[site]; a.ctx.Err() != nil || old != nil && old.Model != nil ||
			a.Select != nil && !a.Select(a.r.Func.Name, o.Kind, a.Prog.Pos(o.Pos)) {
			continue
		}
		if model := a.q.Guess(o.Failure(a.q.B)); model != nil {
			a.keep(site, a.replayed(site, finding.New(o, p, model), a.opt))
		}
	}
}

// decideRecovered asks about the panics that may be recovered, where nothing else may fail.
func (a *analysis) decideRecovered(p *vcgen.Program) {
	if len(p.Recovered) == 0 {
		return
	}
	if a.q.B != p.Builder { // loops were followed since
		a.q.Begin(p.Builder)
	}
	EasyFirst(p.Recovered)
	for _, o := range p.Recovered {
		if a.ctx.Err() != nil || a.q.Dead {
			return
		}
		site := finding.SiteOf(o)
		if a.sites[site] != nil {
			continue
		}
		if why := a.q.Exhausted(); why != "" {
			a.res.Bounded = append(a.res.Bounded, why)
			return
		}
		if verdict, model := a.q.Ask(o.Failure(a.q.B), false); verdict == smt.Sat {
			f := a.replayed(site, finding.New(o, p, model), a.opt)
			f.Recovered = true
			a.keep(site, f)
		}
	}
}

// EasyFirst sorts obligations by path length: short paths are decided fastest.
func EasyFirst(list []*vcgen.Obligation) {
	sort.SliceStable(list, func(i, j int) bool { return len(list[i].Path) < len(list[j].Path) })
}

// keep records a finding, in place of an earlier one of the same site.
func (a *analysis) keep(site finding.Site, f *finding.Finding) {
	if old := a.sites[site]; old != nil {
		*old = *f
		return
	}
	a.sites[site] = f
	a.findings = append(a.findings, f)
}

// isGeneral reports whether what is proved of the function holds whenever it is called: it does not
// depend on being deferred, nor on the initial contents of package-level variables.
func (a *analysis) isGeneral() bool {
	inits, _ := a.w.Initials(a.r.Key)
	return a.w.Func(a.r.Key).ByDefer == nil && len(inits) == 0
}
