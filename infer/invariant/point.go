package invariant

import (
	"math"
	"sort"
	"strings"

	"dsd/schemas"
)

// Point learns the invariants of one program point.
type Point struct {
	decl    schemas.TracePoint
	samples int64
	columns []*column
	pairs   []*pair
	pairAt  [][2]int // columns of pairs, in step
	errors  []*errorResult
}

// errorResult is the template implies(err == nil, result != nil) [DAIKON: Go's idiom in place of Java's exceptions].
type errorResult struct {
	err, res int // columns
	n        int64
	refuted  bool
	resNil   bool // the result was nil at least once, so the implication says something
}

// NewPoint begins a point without samples.
func NewPoint(decl schemas.TracePoint) *Point {
	p := &Point{decl: decl}
	for _, v := range decl.Vars {
		p.columns = append(p.columns, newColumn(v))
	}
	for i, a := range decl.Vars {
		for j := i + 1; j < len(decl.Vars); j++ {
			if comparable(a, decl.Vars[j]) {
				p.pairs = append(p.pairs, &pair{a: p.columns[i], b: p.columns[j]})
				p.pairAt = append(p.pairAt, [2]int{i, j})
			}
		}
	}
	if decl.At == "exit" {
		for i, e := range decl.Vars {
			for j, r := range decl.Vars {
				if e.Result && r.Result && e.Type == "error" && r.Type != "error" && e.Pointer == "" && r.Pointer == "" && (r.Rep == "ref" || r.Rep == "type") {
					p.errors = append(p.errors, &errorResult{err: i, res: j})
				}
			}
		}
	}
	return p
}

// Add takes in a sample that was seen n times; values line up with the point's variables.
func (p *Point) Add(values []string, n int64) {
	p.samples += n
	parsed := make([]value, len(values))
	for i, text := range values {
		parsed[i] = parse(p.decl.Vars[i], text)
		p.columns[i].add(parsed[i], n)
	}
	for i, pr := range p.pairs {
		at := p.pairAt[i]
		pr.add(parsed[at[0]], parsed[at[1]], n)
	}
	for _, e := range p.errors {
		err, res := parsed[e.err], parsed[e.res]
		if err.missing || res.missing {
			continue
		}
		e.n += n
		e.resNil = e.resNil || res.isNil
		e.refuted = e.refuted || err.isNil && res.isNil
	}
}

// ambitious are the templates that check does not assume [DSD 6.4.2].
var ambitious = map[string]bool{"prefix": true, "suffix": true}

// Invariants returns what was learned, unary templates first, in the order of the variables; ids are left empty.
func (p *Point) Invariants() []schemas.Invariant {
	out := []schemas.Invariant{}
	add := func(template string, params []string, cond string, confidence float64, samples int64, vars ...*column) {
		if confidence < MinConfidence {
			return
		}
		inv := schemas.Invariant{Template: template, Params: params, Expr: guard(cond, vars), Samples: samples,
			Confidence: math.Floor(confidence*1e4) / 1e4, Assumed: !ambitious[template], Vars: []string{}}
		for _, c := range vars {
			inv.Vars = append(inv.Vars, c.v.Name)
		}
		out = append(out, inv)
	}
	for _, c := range p.columns {
		if p.decl.At == "exit" && strings.HasPrefix(c.v.Name, "old(") {
			continue // the entry's own business
		}
		c.unary(func(template string, params []string, cond string, confidence float64) {
			add(template, params, cond, confidence, c.n, c)
		})
	}
	for _, pr := range p.pairs {
		if p.decl.At == "exit" && strings.HasPrefix(pr.a.v.Name, "old(") && strings.HasPrefix(pr.b.v.Name, "old(") {
			continue
		}
		pr.binary(func(template string, a, b *column, params []string, cond string, confidence float64) {
			add(template, params, cond, confidence, pr.n, a, b)
		})
	}
	for _, e := range p.errors {
		if !e.refuted && e.resNil {
			err, res := p.columns[e.err], p.columns[e.res]
			add("error-result", nil, "implies("+err.v.Name+" == nil, "+res.v.Name+" != nil)", chance(0.5, e.n), e.n, err, res)
		}
	}
	return out
}

// guard makes a condition on variables that did not always exist conditional on the pointers that lead to them.
func guard(cond string, vars []*column) string {
	var need []string
	for _, c := range vars {
		if c.missing == 0 || c.v.Pointer == "" {
			continue
		}
		p := c.v.Pointer + " != nil"
		if strings.HasPrefix(c.v.Name, "old(") {
			p = "old(" + c.v.Pointer + ") != nil"
		}
		need = append(need, p)
	}
	if len(need) == 0 {
		return cond
	}
	need = compact(need)
	return "implies(" + strings.Join(need, " && ") + ", " + cond + ")"
}

func compact(list []string) []string {
	var out []string
	for _, s := range list {
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}

func sorted(list []string) []string {
	out := append([]string{}, list...)
	sort.Strings(out)
	return out
}
