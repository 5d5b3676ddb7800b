package evolve

import (
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/search/generate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
)

// operators are the genetic operators of [EVO III-C]. Each candidate that they return calls a
// function on the stack.
type operators struct {
	s *generate.Sampler
	// crashOps are the operations that call functions on the stack, innermost first: Mcrash.
	crashOps  []int
	isCrashOp map[int]bool
	// writers are operations that write what decides about the way to the crash.
	writers []int
}

// The probabilities with which an object is made by a behavior of a usage model, in new candidates
// and in mutations: Pr[pick init] and Pr[pick mut] of [SEED 3.3].
const (
	pickInit     = 0.5
	pickMutation = 0.3
)

// initial draws a new candidate.
//
// [EVO algorithm 2] fills a test with random calls. It inserts a method on the stack with a
// probability that grows from 1/size with each call, so that there is at least one. Here that call
// always comes last: no later call can lead to the crash. Three quarters of the candidates have no
// other calls than those that make its arguments; the others begin with a random candidate, to
// which further calls are added, each with probability 2/3.
func (o *operators) initial() candidate.Program {
	o.s.BehaviorRate = pickInit
	if o.s.Rand.Intn(4) > 0 {
		return o.withWriter(o.withSetting(o.withStackCall(nil)))
	}
	p := o.withSetting(o.s.Candidate())
	for o.s.Rand.Intn(3) > 0 && p != nil && len(p) < generate.MaxStatements {
		p = o.s.CallAgain(p)
	}
	return o.withWriter(o.withStackCall(p))
}

// settingOf is the number of candidates per one that is given a setting.
const settingOf = 8

// withSetting lets some candidates begin with the assignment of another value to a package-level variable. Libraries
// have such variables for their users to set, and only tests carved from theirs would do so.
func (o *operators) withSetting(p candidate.Program) candidate.Program {
	list := o.s.Graph.Variables
	if len(list) == 0 || len(p) == 0 || o.s.Rand.Intn(settingOf) > 0 {
		return p
	}
	b := &program.Builder{Table: o.s.Graph.Table}
	o.s.Call(b, list[o.s.Rand.Intn(len(list))], 1)
	added := b.Results
	for _, st := range p {
		st.Args = program.Shift(st.Args, 0, added)
		b.Add(st)
	}
	return b.Program
}

// writerOf is the number of candidates per one that is given the call of a writer.
const writerOf = 8

// withWriter lets some candidates write a field that decides about the way to the crash, right before the last call of a
// function on the stack, of an object that exists there.
func (o *operators) withWriter(p candidate.Program) candidate.Program {
	if len(o.writers) == 0 || len(p) > generate.MaxStatements || o.s.Rand.Intn(writerOf) > 0 {
		return p
	}
	at := len(p) - 1
	for at > 0 && !o.isCrashOp[p[at].Op] {
		at--
	}
	if at <= 0 {
		return p
	}
	b := program.Extend(p[:at], o.s.Graph.Table)
	before := b.Results
	for range 4 {
		if o.s.CallOn(b, o.writers[o.s.Rand.Intn(len(o.writers))]) {
			break
		}
	}
	added := b.Results - before
	for _, st := range p[at:] {
		st.Args = program.Shift(st.Args, before, added)
		b.Add(st)
	}
	return b.Program
}

// callsStack reports whether a candidate calls a function on the stack.
func (o *operators) callsStack(p candidate.Program) bool {
	for i := range p {
		if o.isCrashOp[p[i].Op] {
			return true
		}
	}
	return false
}

// withStackCall adds a call of a function on the stack at the end of p, on a result that exists if
// possible.
func (o *operators) withStackCall(p candidate.Program) candidate.Program {
	op := o.drawCrashOp()
	b := program.Extend(p, o.s.Graph.Table)
	if len(o.s.Graph.In[op]) > 0 && o.s.CallOn(b, op) {
		return b.Program
	}
	if depth := o.s.Depth(op); depth > 0 {
		o.s.Call(b, op, depth)
	}
	return b.Program
}

// drawCrashOp draws an operation that calls a function on the stack: the outermost with a
// probability of more than one half.
func (o *operators) drawCrashOp() int {
	if o.s.Rand.Intn(2) == 0 {
		return o.crashOps[len(o.crashOps)-1]
	}
	return o.crashOps[o.s.Rand.Intn(len(o.crashOps))]
}

// maxMutations is the number of mutations that are tried before a call is added.
const maxMutations = 5

// mutate mutates a candidate so that it still calls a function on the stack.
//
// [EVO algorithm 4] mutates each statement with probability 1/n, and repeats that until the test
// calls a method on the stack. Here Sampler.Mutate makes one to three changes, and after
// maxMutations attempts a call is added instead.
func (o *operators) mutate(p candidate.Program) candidate.Program {
	o.s.BehaviorRate = pickMutation
	p = o.withWriter(o.withSetting(p))
	for range maxMutations {
		if q := o.s.Mutate(p); o.callsStack(q) {
			return q
		}
	}
	return o.withStackCall(p)
}

// offspring mutates a parent, or, with a probability of one quarter, a crossover of two parents.
// The probability is 0.75 in [EVO IV].
func (o *operators) offspring(p *population) candidate.Program {
	q := o.parent(p)
	if o.s.Rand.Intn(4) == 0 {
		q = o.crossover(q, o.parent(p))
	}
	return o.mutate(q)
}

// parent draws a candidate of the population by a tournament of three.
func (o *operators) parent(p *population) candidate.Program {
	at := len(p.list)
	for range 3 {
		at = min(at, o.s.Rand.Intn(len(p.list)))
	}
	return p.list[at].prog
}

// crossover joins the first statements of p and the last statements of q.
//
// [EVO algorithm 3] cuts both parents at the same relative point, makes two offspring, corrects
// them by adding the objects and values that are missing, and replaces an offspring that calls no
// method on the stack by its parent. Here the cut points are drawn independently, and there is one
// offspring. A result that the end of q uses from its beginning is replaced by a result of the same
// type, or else copied from q with the statements that it depends on.
func (o *operators) crossover(p, q candidate.Program) candidate.Program {
	table := o.s.Graph.Table
	b := program.Extend(p[:o.s.Rand.Intn(len(p)+1)], table)
	cut := min(o.s.Rand.Intn(len(p)+1), len(q)-1)
	c := &copier{o: o, b: b, q: q, moved: map[int]int{}}
	at := 0
	for i := range q {
		st := q[i]
		outs := len(o.s.Graph.Out[st.Op])
		if i < cut {
			at += outs
			continue
		}
		st.Args = slices.Clone(st.Args)
		for j, a := range st.Args {
			if to, ok := c.moved[a]; ok {
				st.Args[j] = to
				continue
			}
			r := -1
			if o.s.Rand.Intn(2) == 0 {
				r = o.s.Reuse(b.Program, c.typeOf(a))
			}
			if r < 0 {
				r = c.copy(a)
			}
			c.moved[a] = r
			st.Args[j] = r
		}
		c.add(st, at, outs)
		at += outs
	}
	if len(b.Program) > 2*generate.MaxStatements || !o.callsStack(b.Program) {
		return p
	}
	return b.Program
}

// copier copies statements of q to another candidate.
type copier struct {
	o     *operators
	b     *program.Builder
	q     candidate.Program
	moved map[int]int // new numbers of the results of q that were copied or replaced
	types []*paramgraph.Node
}

// typeOf returns the type of a result of q.
func (c *copier) typeOf(result int) *paramgraph.Node {
	if c.types == nil {
		for i := range c.q {
			c.types = append(c.types, c.o.s.Graph.Out[c.q[i].Op]...)
		}
	}
	return c.types[result]
}

// add adds a statement whose results are numbered in q from first on.
func (c *copier) add(st candidate.Stmt, first, outs int) {
	to := c.b.Add(st)
	for k := range outs {
		c.moved[first+k] = to + k
	}
}

// copy copies the statement of q that makes a result, after those that make its arguments, and
// returns the new number of the result.
func (c *copier) copy(result int) int {
	at := 0
	for i := range c.q {
		outs := len(c.o.s.Graph.Out[c.q[i].Op])
		if result >= at+outs {
			at += outs
			continue
		}
		st := c.q[i]
		st.Args = slices.Clone(st.Args)
		for j, arg := range st.Args {
			to, ok := c.moved[arg]
			if !ok {
				to = c.copy(arg)
				c.moved[arg] = to
			}
			st.Args[j] = to
		}
		c.add(st, at, outs)
		return c.moved[at] + result - at
	}
	return 0
}
