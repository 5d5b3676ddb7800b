package invariant

import (
	"slices"
	"strings"

	"dsd/schemas"
)

// maxSplits is by how many conditions the samples of a point are divided.
const maxSplits = 4

// splitter divides the samples of a point by a condition, and learns from both parts what holds there alone [DAIKON: conditional
// invariants]: implies(err != nil, n == 0) is what Go programmers think in.
type splitter struct {
	v        int // the variable that decides
	name     string
	sides    [2]string // the condition, and its opposite
	parts    [2]*Point
	isError  bool
	room     batch
	belongs  []bool
	decision func(code int64) bool
	// apart says, of each splitter before it, that both divided the samples differently.
	apart []uint8
}

// splitters are those of a point: results that say how a call went.
func splitters(decl Declaration) []*splitter {
	var out []*splitter
	for i, v := range decl.Vars {
		if decl.At != "exit" || !v.Result || v.Pointer != "" {
			continue
		}
		s := &splitter{v: i, name: v.Name, isError: v.Type == "error", decision: func(code int64) bool { return code != 0 }}
		switch kinds[v.Rep] {
		case boolean:
			s.sides = [2]string{v.Name, "!" + v.Name}
		case ref, dynamic:
			s.sides = [2]string{v.Name + " != nil", v.Name + " == nil"}
		default:
			continue
		}
		for k := range s.parts {
			s.parts[k] = newPoint(decl)
			s.parts[k].triples = nil
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b *splitter) int { // how a call went is told by its error first
		switch {
		case a.isError == b.isError:
			return 0
		case a.isError:
			return -1
		}
		return 1
	})
	return out[:min(len(out), maxSplits)]
}

// learn gives each part its samples. before are the splitters before it.
func (s *splitter) learn(b *batch, before []*splitter) {
	for len(s.apart) < len(before) {
		s.apart = append(s.apart, 0)
	}
	for i, t := range before {
		for r, code := range b.columns[s.v].code {
			if s.decision(code) == t.decision(b.columns[t.v].code[r]) {
				s.apart[i] |= 1
			} else {
				s.apart[i] |= 2
			}
		}
	}
	col := &b.columns[s.v]
	for k, part := range s.parts {
		s.belongs = s.belongs[:0]
		n := 0
		for r, code := range col.code {
			in := col.there(r) && s.decision(code) == (k == 0)
			s.belongs = append(s.belongs, in)
			if in {
				n++
			}
		}
		switch {
		case n == b.n:
			part.learn(b)
		case n > 0:
			b.rows(&s.room, s.belongs)
			part.learn(&s.room)
		}
	}
}

// implications are what holds in one part and not in all samples, which told is of.
func (s *splitter) implications(p *Point, told []schemas.Invariant) []schemas.Invariant {
	known := map[string]bool{}
	for _, inv := range told {
		known[inv.Expr] = true
	}
	var out []schemas.Invariant
	if s.parts[0].rows == 0 || s.parts[1].rows == 0 || slices.ContainsFunc(s.apart, func(seen uint8) bool { return seen != 3 }) {
		return nil // there are no two parts, or they have been told of
	}
	for k, part := range s.parts {
		part.Confidence = p.Confidence
		for _, inv := range part.own() {
			if known[inv.Expr] || len(inv.Vars) == 1 && inv.Vars[0] == s.name || p.weaker(inv, told) || known["implies("+opposite(inv.Expr)+", "+s.sides[1-k]+")"] {
				continue
			}
			cond, template := s.sides[k], "implication"
			if guard, rest, ok := cutImplies(inv.Expr); ok {
				cond, inv.Expr = cond+" && "+guard, rest
			} else if s.isError && k == 1 && inv.Template == "non-nil" && p.isResult(inv.Vars[0]) {
				template = "error-result"
			}
			inv.Params = append([]string{inv.Template}, inv.Params...)
			inv.Template = template
			inv.Expr = "implies(" + cond + ", " + inv.Expr + ")"
			inv.Vars = append([]string{s.name}, inv.Vars...)
			out = append(out, inv)
		}
	}
	return out
}

// opposite is the negation of a condition that is a side of a splitter.
func opposite(cond string) string {
	switch {
	case strings.HasSuffix(cond, " != nil"):
		return strings.TrimSuffix(cond, " != nil") + " == nil"
	case strings.HasSuffix(cond, " == nil"):
		return strings.TrimSuffix(cond, " == nil") + " != nil"
	case strings.HasPrefix(cond, "!"):
		return cond[1:]
	}
	return "!" + cond
}

func (p *Point) isResult(name string) bool {
	return slices.ContainsFunc(p.decl.Vars, func(v Variable) bool { return v.Name == name && v.Result })
}

// cutImplies takes apart implies(a, b).
func cutImplies(expr string) (a, b string, ok bool) {
	inner, ok := strings.CutPrefix(expr, "implies(")
	if !ok {
		return "", "", false
	}
	a, b, ok = strings.Cut(strings.TrimSuffix(inner, ")"), ", ")
	return a, b, ok
}

// weaker says that what holds in a part is told of all samples already, in stronger words: a constant, an equality.
func (p *Point) weaker(inv schemas.Invariant, told []schemas.Invariant) bool {
	for _, t := range told {
		if (t.Template == "constant" || t.Template == "always-nil") && slices.Equal(t.Vars, inv.Vars) {
			return true
		}
	}
	return false
}
