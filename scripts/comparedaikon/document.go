package main

import (
	"fmt"
	"go/token"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// place names a program point: a function and where in it.
type place struct {
	fn string
	at schemas.At
}

// document holds the program points of a document of ours.
type document map[place]*point

// point is a program point with its invariants.
//
// An invariant over a[i] or p.f is guarded by what makes that exist: i is an index, p is not nil.
// Daikon does not print these guards; it considers only the samples where all variables exist. So a
// guarded invariant counts if a claim is about a variable that is only ever mentioned with such
// guards.
type point struct {
	always  []expr.Expr
	samples []*expr.Implies // invariants that are conditional on the sample
	guarded []guarded
	// entry is the point at the function's entry, exits are those of the returns; at exits.
	entry *point
	exits []*point

	alone    *facts            // what holds whether or not variables exist
	known    map[string]*facts // by the guards that are given
	existing []existence
	needs    map[string]conditions // what variables need to exist
}

// guarded is an invariant that holds where its variables exist.
type guarded struct {
	guards []expr.Expr
	then   expr.Expr
	vars   []expr.Expr
}

// existence is a guarded invariant, of values at the entry if old is set, with its guards in the
// form in which they are compared.
type existence struct {
	guarded
	needs conditions
	old   bool
}

// conditions is a set of guards, by their canonical texts.
type conditions map[string]bool

func (c conditions) within(d conditions) bool {
	for text := range c {
		if !d[text] {
			return false
		}
	}
	return true
}

// readDocument reads a document that infer invariants wrote.
func readDocument(path string) (document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := schemas.ReadInvariants(f, path)
	if err != nil {
		return nil, err
	}
	return newDocument(d)
}

// newDocument takes the invariants of a document apart.
func newDocument(d *schemas.Invariants) (document, error) {
	doc := document{}
	for _, p := range d.Points {
		at := place{p.Func, p.At}
		if doc[at] == nil {
			doc[at] = &point{known: map[string]*facts{}}
		}
		for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
			if err := doc[at].add(&inv); err != nil {
				return nil, fmt.Errorf("%s: %w", inv.ID, err)
			}
		}
	}
	for at, p := range doc {
		if at.at == schemas.AtEntry || at.at == schemas.AtType {
			continue
		}
		p.entry = doc[place{at.fn, schemas.AtEntry}]
		exit := doc[place{at.fn, schemas.AtExit}]
		if at.at != schemas.AtExit && exit != nil { // a single return
			exit.exits = append(exit.exits, p)
		}
	}
	return doc, nil
}

func (p *point) add(inv *schemas.Invariant) error {
	e, err := expr.Parse(inv.Expr)
	if err != nil {
		return err
	}
	e = fromDocument(e)
	cond, ok := e.(*expr.Implies)
	switch {
	case !ok:
		p.always = append(p.always, e)
	case inv.Template == "implication" || inv.Template == "error-result" ||
		!isExistence(expr.Guards(cond)):
		p.samples = append(p.samples, cond)
	default:
		g := guarded{expr.Guards(cond), cond.Then, nil}
		for _, name := range inv.Vars {
			g.vars = append(g.vars, fromDocument(expr.Var(name)))
		}
		p.guarded = append(p.guarded, g)
	}
	return nil
}

// isExistence reports whether guards have the forms of those by which a variable exists: p != nil,
// 0 <= i, i < len(a), len(a) > 0.
func isExistence(guards []expr.Expr) bool {
	for _, g := range guards {
		b, ok := g.(*expr.Binary)
		if !ok {
			return false
		}
		switch {
		case b.Op == token.NEQ && expr.IsNil(b.Y):
		case b.Op == token.LEQ && expr.Equal(b.X, expr.Zero):
		case b.Op == token.LSS && isLength(b.Y):
		case b.Op == token.GTR && isLength(b.X) && expr.Equal(b.Y, expr.Zero):
		default:
			return false
		}
	}
	return true
}

// facts returns what is known about the variables of a claim.
func (p *point) facts(c *claim) *facts {
	given := conditions{}
	needs := p.variableNeeds()
	for name := range p.unguarded().restate(c).variables() {
		maps.Copy(given, needs[name])
	}
	key := strings.Join(slices.Sorted(maps.Keys(given)), "\n")
	f := p.known[key]
	if f == nil {
		f = p.collect()
		for _, x := range p.existences() {
			if x.needs.within(given) {
				adder{f, x.old}.add(x.then)
			}
		}
		p.known[key] = f
	}
	return f
}

// unguarded returns what is known whether or not variables exist.
func (p *point) unguarded() *facts {
	if p.alone == nil {
		p.alone = p.collect()
	}
	return p.alone
}

// collect adds up the invariants without guards.
func (p *point) collect() *facts {
	f := newFacts()
	for _, e := range p.always {
		adder{f, false}.add(e)
	}
	for _, x := range p.samples {
		then := newFacts()
		adder{then, false}.add(x.Then)
		f.implications = append(f.implications, implication{expr.Guards(x), then})
	}
	if p.entry != nil {
		for _, e := range p.entry.always {
			adder{f, true}.add(e)
		}
	}
	return f
}

// existences returns the guarded invariants of the point and of its function's entry.
func (p *point) existences() []existence {
	if p.existing == nil {
		p.existing = []existence{}
		base := p.unguarded()
		for _, g := range p.guarded {
			needs := base.conditions(g.guards, false)
			p.existing = append(p.existing, existence{g, needs, false})
		}
		if p.entry != nil {
			for _, g := range p.entry.guarded {
				needs := base.conditions(g.guards, true)
				p.existing = append(p.existing, existence{g, needs, true})
			}
		}
	}
	return p.existing
}

// variableNeeds returns the conditions on which variables exist: those that all invariants over a
// variable have in common.
func (p *point) variableNeeds() map[string]conditions {
	if p.needs != nil {
		return p.needs
	}
	p.needs = map[string]conditions{}
	for _, x := range p.existences() {
		for _, v := range x.vars {
			name := withOld(v, x.old).String()
			have, ok := p.needs[name]
			if !ok {
				p.needs[name] = maps.Clone(x.needs)
				continue
			}
			maps.DeleteFunc(have, func(text string, _ bool) bool {
				return !x.needs[text]
			})
		}
	}
	return p.needs
}

// conditions returns guards, of values at the entry if old is set, without those that follow from
// the facts. Guards that are equivalent by the facts have the same text.
func (f *facts) conditions(guards []expr.Expr, old bool) conditions {
	out := conditions{}
	for _, g := range guards {
		b, ok := g.(*expr.Binary)
		if !ok || !expr.IsComparison(b.Op) {
			out[fmt.Sprint(g, old)] = true
			continue
		}
		x, y := atEntry(b.X, old), atEntry(b.Y, old)
		if f.comparison(x, b.Op, y) {
			continue
		}
		if expr.IsNil(y) && isVariable(x) {
			out[fmt.Sprint(f.root(variableOf(whole, x)), b.Op, "nil")] = true
			continue
		}
		s, t := linear(x), linear(y)
		if s == nil || t == nil {
			out[fmt.Sprint(x, b.Op, y)] = true
			continue
		}
		op, d := b.Op, f.plain(s.plus(t, minusOne))
		if op == token.LSS || op == token.LEQ { // d < 0 as -d > 0
			op, d = mirrored[op], sum{}.plus(d, minusOne)
		}
		out[d.String()+op.String()] = true
	}
	return out
}

// mirrored holds the order of -x and -y by that of x and y.
var mirrored = map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ}

// atEntry returns the tree of the values at the entry if old is set.
func atEntry(e expr.Expr, old bool) expr.Expr {
	switch x := e.(type) {
	case *expr.Const:
		return e
	case *expr.Binary:
		return &expr.Binary{Op: x.Op, X: atEntry(x.X, old), Y: atEntry(x.Y, old)}
	}
	return withOld(e, old)
}

// String returns a text that is the same for equal sums.
func (s sum) String() string {
	var b strings.Builder
	for _, v := range s.terms() {
		fmt.Fprintf(&b, "%s*%v + ", s[v].RatString(), v)
	}
	return b.String() + new(big.Rat).Set(s.offset()).RatString()
}
