// Package shrink makes candidates small while a predicate holds.
//
// A candidate is smaller if it is shorter, or else simpler. The passes, from coarse to fine:
//
//  1. drop runs of statements, long ones first;
//  2. use the zero value in place of a value that is made without side effects, and in place of a
//     number or string that a call returns;
//  3. use an earlier result of the same type as an argument;
//  4. simplify literals, and drop elements of slices. Of a number that stays large, as few bits are
//     left as the predicate needs.
//
// EvoCrash minimizes the test in the same way after the search: it removes statements, and then
// shortens numbers and strings [EVO III-C].
//
// Fit, in fit.go, comes before that: it gives a candidate values that the tests had. Usual, in usual.go, then makes
// it more like what people write.
package shrink

import (
	"go/types"
	"math"
	"slices"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/search/minimize"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
)

// Config says how to shrink a candidate.
type Config struct {
	// Table holds the operations of the candidate.
	Table []*candidate.Op
	// Pred reports whether a candidate still crashes as it should. It is called once for each
	// candidate, and must hold of the first.
	Pred func(candidate.Program) bool
	// Pkg is the package under test, whose constructors Usual uses for its types.
	Pkg *types.Package
	// MaxSteps is the number of candidates that are considered, 0 for any number.
	MaxSteps int
	// Stop reports whether to stop early.
	Stop func() bool
}

// longestRun is the number of statements of the longest run that is dropped at once.
const longestRun = 32

// Program returns the smallest candidate that the passes find, starting from p. It does not change
// p.
func Program(p candidate.Program, cfg Config) candidate.Program {
	s := &shrinker{table: cfg.Table}
	return minimize.Minimize(p, minimize.Config[candidate.Program]{
		Pred: cfg.Pred, Cost: statements, MaxSteps: cfg.MaxSteps, Stop: cfg.Stop,
		Key: func(p candidate.Program) string { return string(p.Append(nil, cfg.Table)) },
	}, minimize.DropRuns(longestRun, statements, s.withoutRun), s.zero, s.reuse, s.simplify)
}

// search is the minimization that the passes work on.
type search = minimize.Search[candidate.Program]

type shrinker struct{ table []*candidate.Op }

func statements(p candidate.Program) int { return len(p) }

// withoutRun returns p without those of its n statements from index i on whose results nothing
// uses. It reports false if that is none or all statements.
func (s *shrinker) withoutRun(p candidate.Program, i, n int) (candidate.Program, bool) {
	before := len(p)
	for j := i + n - 1; j >= i; j-- {
		if q, ok := program.Without(p, j, s.table); ok {
			p = q
		}
	}
	return p, len(p) < before && len(p) > 0
}

// zero proposes the zero value for each value that is made without side effects, and for each
// number or string that a call returns, unless a later statement acts on the value.
func (s *shrinker) zero(m *search) {
	zeros := map[string]int{} // the operation that makes the zero value, by type
	empty := map[string]int{} // the literal of a struct without fields, by type
	for i, o := range s.table {
		if !o.Pure || len(o.In) > 0 || len(o.Out) != 1 {
			continue
		}
		switch k := paramgraph.Key(o.Out[0]); {
		case o.Lit || strings.HasPrefix(o.Name, "zero "):
			zeros[k] = i
		case strings.HasSuffix(o.Name, "{}"):
			if _, isStruct := o.Out[0].Underlying().(*types.Struct); isStruct {
				empty[k] = i
			}
		}
	}
	for i := 0; i < len(m.Best()); i++ {
		p := m.Best()
		o := s.table[p[i].Op]
		if len(o.Out) == 0 || s.isReceiver(p, i) {
			continue
		}
		zero, ok := zeros[paramgraph.Key(o.Out[0])]
		if !ok && len(o.In) == 0 { // such as a fixed time
			zero, ok = empty[paramgraph.Key(o.Out[0])]
		}
		replaceable := o.Pure || len(o.Out) == 1 && ok && s.table[zero].Lit
		if ok && !o.Lit && p[i].Op != zero && replaceable {
			q := slices.Clone(p)
			q[i] = candidate.Stmt{Op: zero}
			m.Try(q)
		}
	}
}

// isReceiver reports whether a later statement calls a method on a result of statement i, or sets a
// field of it.
func (s *shrinker) isReceiver(p candidate.Program, i int) bool {
	first := program.FirstResult(p, i, s.table)
	next := first + len(s.table[p[i].Op].Out)
	for _, st := range p[i+1:] {
		if s.table[st.Op].OnFirst && st.Args[0] >= first && st.Args[0] < next {
			return true
		}
	}
	return false
}

// maxEarlier is the number of earlier results that are tried as one argument.
const maxEarlier = 3

// reuse proposes, for each argument, the first results of its type.
func (s *shrinker) reuse(m *search) {
	for i := 0; i < len(m.Best()); i++ {
		for j := range m.Best()[i].Args {
			p := m.Best()
			at := p[i].Args[j]
			var results []string // types of the results before statement i
			for _, st := range p[:i] {
				for _, t := range s.table[st.Op].Out {
					results = append(results, paramgraph.Key(t))
				}
			}
			tried := 0
			for r := 0; r < at && at < len(results) && tried < maxEarlier; r++ {
				if results[r] != results[at] {
					continue
				}
				tried++
				q := slices.Clone(p)
				q[i].Args = slices.Clone(q[i].Args)
				q[i].Args[j] = r
				if m.Try(q) {
					break
				}
			}
		}
	}
}

// simplify proposes simpler literals, and slices with fewer elements.
func (s *shrinker) simplify(m *search) {
	for i := 0; i < len(m.Best()); i++ {
		p := m.Best()
		op := s.table[p[i].Op]
		switch {
		case op.Lit && p[i].Text != "":
			simplifyText(m, i)

		case op.Lit:
			s.simplifyNumber(m, i)

		case op.Variadic:
			for j := len(p[i].Args) - 1; j >= 0; j-- {
				q := slices.Clone(m.Best())
				q[i].Args = slices.Delete(slices.Clone(q[i].Args), j, j+1)
				m.Try(q)
			}
		}
	}
}

// tryLiteral proposes another value of the literal that statement i is.
func tryLiteral(m *search, i int, bits uint64, text string) bool {
	p := m.Best()
	if p[i].Bits == bits && p[i].Text == text {
		return false
	}
	q := slices.Clone(p)
	q[i].Bits, q[i].Text = bits, text
	return m.Try(q)
}

// simplifyText proposes the empty string, or a string without some of its bytes or with letters in
// place of others.
func simplifyText(m *search, i int) {
	text := func() string { return m.Best()[i].Text }
	if tryLiteral(m, i, 0, "") {
		return
	}
	for n := len(text()) / 2; n > 0; n /= 2 {
		for from := 0; from+n <= len(text()); {
			t := text()
			if !tryLiteral(m, i, 0, t[:from]+t[from+n:]) {
				from += n
			}
		}
	}
	for j := range len(text()) {
		t := text()
		if t[j] != 'a' && !(t[j] >= '0' && t[j] <= '9') {
			tryLiteral(m, i, 0, t[:j]+"a"+t[j+1:])
		}
	}
}

// simplifyNumber proposes simpler numbers, the simplest first: 0, 1, for integers 2 and -1, and
// then numbers that are closer and closer to the present one.
func (s *shrinker) simplifyNumber(m *search, i int) {
	p := m.Best()
	n := int64(p[i].Bits)
	isFloat := program.IsFloat(s.table[p[i].Op])
	simple := []uint64{0, 1}
	if isFloat {
		simple = []uint64{0, math.Float64bits(1), math.Float64bits(-1)}
	} else if n < 0 || n > 2 {
		simple = append(simple, 2, ^uint64(0))
		for k := n / 2; k != 0 && k != n; k /= 2 {
			simple = append(simple, uint64(n-k))
		}
	}
	for _, bits := range simple {
		if int64(bits) == n {
			break // there is nothing simpler
		}
		if !isFloat && n >= 0 && int64(bits) > n {
			continue
		}
		if tryLiteral(m, i, bits, "") {
			return
		}
	}
	if !isFloat && (n >= 0 || s.isUnsigned(p[i].Op)) {
		clearBits(m, i)
	}
}

// clearBits proposes an integer without one of its bits, for each, from the highest to the lowest.
func clearBits(m *search, i int) {
	for bit := uint64(1) << 63; bit > 0; bit /= 2 {
		if b := m.Best()[i].Bits; b&bit != 0 && b != bit {
			tryLiteral(m, i, b&^bit, "")
		}
	}
}

// isUnsigned reports whether an operation makes an unsigned integer.
func (s *shrinker) isUnsigned(op int) bool {
	b, ok := s.table[op].Out[0].Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}
