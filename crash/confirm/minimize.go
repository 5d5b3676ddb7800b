package confirm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"dsd/crash/compose"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/schemas"
)

// The solver has no taste: it takes a string of 8192 letters where two would do. The inputs of a
// confirmed literal are made smaller in rounds. Each round composes a few smaller variants of every
// counterexample, runs all of a package in one build, and keeps the shortest that still crashes.

// minimizeRounds is the number of rounds.
const minimizeRounds = 8

// Values from which on inputs are worth a build.
const (
	longText    = 12   // bytes of a string
	largeNumber = 1000 // absolute value of an integer
	longSlice   = 12   // elements
	longFloat   = 6    // digits of a floating-point number, with its sign, point and exponent
)

// minimizeShare is the part of a budget that is left for making inputs smaller: one of so many.
const minimizeShare = 4

// ended reports whether the budget is spent.
func (c *confirmer) ended() bool { return !c.end.IsZero() && time.Now().After(c.end) }

// minimizing is a crash whose inputs are made smaller.
type minimizing struct {
	crash *schemas.Crash
	*attempt
	done bool
}

// minimize makes the inputs of literals smaller.
func (c *confirmer) minimize(ctx context.Context) {
	byPackage := map[string][]*minimizing{}
	for i := range c.crashes {
		x := &c.crashes[i]
		if a := c.solved[x.Warning]; a != nil && a.test.Source == x.Test.Source && isLarge(a.ce) {
			byPackage[a.test.Package] = append(byPackage[a.test.Package], &minimizing{crash: x, attempt: a})
		}
	}
	packages := slices.Sorted(maps.Keys(byPackage))
	c.parallel(len(packages), func(i, jobs int) {
		pkg, list := c.prog.Package(packages[i]), byPackage[packages[i]]
		for round := 0; round < minimizeRounds && ctx.Err() == nil && !c.ended(); round++ {
			if !c.minimizeOnce(ctx, pkg, list, jobs) {
				break
			}
		}
	})
}

// minimizeOnce tries variants of each crash of a package, some tests at a time, and reports whether one is smaller.
func (c *confirmer) minimizeOnce(
	ctx context.Context, pkg *source.Package, list []*minimizing, jobs int,
) bool {
	type variant struct {
		of   *minimizing
		test *compose.Test
		ce   *schemas.Counterexample
		got  verify.Verdict
		// order is less for the variants that are preferred, whatever their size.
		order int
	}
	var variants []variant
	var tests []schemas.Test
	for n, m := range list {
		if m.done {
			continue
		}
		f := c.funcs[m.warning.Func]
		seen := map[string]bool{m.inputs: true}
		for k, r := range reductions(m.ce) {
			ce := r.ce
			name := fmt.Sprintf("%s_%d", m.test.Name, k)
			file := fmt.Sprintf("zz_small_%d_%d_test.go", n, k)
			t, err := compose.Compose(c.prog, f, ce, name, file, "")
			if err != nil || seen[t.Inputs] {
				continue
			}
			seen[t.Inputs] = true
			variants = append(variants, variant{of: m, test: t, ce: ce, order: r.order})
			tests = append(tests, schemas.Test{Package: pkg.Path, File: file, Name: name,
				Source: t.Source})
		}
	}
	if len(tests) == 0 {
		return false
	}
	results, err := verify.Run(ctx, c.prog, pkg, tests, testrun.Options{
		Timeout: min(c.opt.Timeout, verify.Timeout), Jobs: jobs,
		Unconfined: c.opt.Unconfined, Memo: c.opt.Memo, HideOwnTests: true,
	})
	if err != nil {
		return false
	}
	best := map[*minimizing]variant{}
	for i, v := range variants {
		want := verify.Expected{Kind: v.of.crash.Kind, Pos: v.of.crash.Pos, File: v.test.File}
		got := verify.Compare(c.prog, want, results[i])
		if got.Status != verify.Same || len(got.Stack) != len(v.of.crash.Stack) {
			continue
		}
		v.got = got
		b, ok := best[v.of]
		if !ok || cmp.Or(v.order-b.order, cmp.Compare(size(v.ce), size(b.ce))) < 0 {
			best[v.of] = v
		}
	}
	for _, m := range list {
		v, ok := best[m]
		if m.done = !ok; ok {
			m.use(c, v.ce, v.got)
		}
	}
	return len(best) > 0
}

// use makes a counterexample that was tried that of the crash; got is what its test showed.
func (m *minimizing) use(c *confirmer, ce *schemas.Counterexample, got verify.Verdict) {
	f := c.funcs[m.warning.Func]
	t, err := compose.Compose(c.prog, f, ce, m.test.Name, m.test.File,
		verify.Comment(m.test.Name, m.warning.Pos, m.warning.Message))
	if err != nil {
		m.done = true
		return
	}
	rounds := m.rounds
	m.attempt = newAttempt(m.warning, f.Pkg, t, ce)
	m.rounds = rounds
	m.crash.Inputs, m.crash.Test, m.crash.BuiltBy = m.inputs, m.test, m.builtBy
	m.crash.Message, m.crash.Stack = got.Message, got.Stack
}

// isLarge reports whether a counterexample has a value that a person would not write.
func isLarge(ce *schemas.Counterexample) (large bool) {
	ce.Walk(func(n *schemas.Node) {
		if s, ok := textOf(n); ok && len(s) > longText {
			large = true
		}
		if v, ok := numberOf(n); ok && (v >= largeNumber || v <= -largeNumber) {
			large = true
		}
		if _, ok := floatOf(n); ok && len(n.Lit) > longFloat {
			large = true
		}
		large = large || n.Len != nil && *n.Len > longSlice || n.Cap != nil && *n.Cap > longSlice
	})
	return large
}

// size returns the sum of the lengths of the texts and slices of a counterexample, and of the digits
// of its numbers.
func size(ce *schemas.Counterexample) (sum int64) {
	ce.Walk(func(n *schemas.Node) {
		sum += int64(len(n.Lit))
		if n.Len != nil {
			sum += *n.Len
		}
		if n.Cap != nil {
			sum += *n.Cap
		}
	})
	return sum
}

// maxValues is the number of different large literals of a counterexample that are replaced one at a
// time.
const maxValues = 6

// reduction is a smaller variant of a counterexample. Those of a lower order are preferred: to make
// equal values small and leave the others comes before making all a little smaller, after which more
// of them are equal.
type reduction struct {
	ce    *schemas.Counterexample
	order int
}

// reductions returns smaller variants of a counterexample.
func reductions(ce *schemas.Counterexample) (out []reduction) {
	add := func(order int, reduce func(n *schemas.Node)) {
		small := clone(ce)
		small.Walk(reduce)
		out = append(out, reduction{small, order})
	}
	add(0, func(n *schemas.Node) { cutText(n, 1); shrinkNumber(n, 1); shrinkFloat(n); cutSlice(n, 1) })
	for _, lit := range largeLiterals(ce) {
		add(1, func(n *schemas.Node) {
			if n.Lit == lit {
				cutText(n, 1)
				shrinkNumber(n, 1)
			}
		})
	}
	for _, reduce := range []func(n *schemas.Node){
		func(n *schemas.Node) { cutText(n, 1) },
		func(n *schemas.Node) { shrinkNumber(n, 1) },
		func(n *schemas.Node) { shrinkNumber(n, 10) },
		func(n *schemas.Node) { shrinkNumber(n, 1000) },
		func(n *schemas.Node) { shrinkNumber(n, 100_000) },
		func(n *schemas.Node) { cutSlice(n, 1) },
		func(n *schemas.Node) { halveText(n); halveNumber(n); halveSlice(n) },
		halveText, halveNumber, halveSlice, trimCapacity, shrinkFloat,
	} {
		add(2, reduce)
	}
	return out
}

// largeLiterals returns the first different texts and integers that a person would not write.
func largeLiterals(ce *schemas.Counterexample) (out []string) {
	ce.Walk(func(n *schemas.Node) {
		text, isText := textOf(n)
		v, isNumber := numberOf(n)
		large := isText && len(text) > longText ||
			isNumber && (v >= largeNumber || v <= -largeNumber)
		if large && !slices.Contains(out, n.Lit) && len(out) < maxValues {
			out = append(out, n.Lit)
		}
	})
	return out
}

func clone(ce *schemas.Counterexample) *schemas.Counterexample {
	text, err := json.Marshal(ce)
	out := new(schemas.Counterexample)
	if err == nil {
		err = json.Unmarshal(text, out)
	}
	if err != nil { // a document was read from such a text
		panic(err)
	}
	return out
}

// textOf returns the string that a node is.
func textOf(n *schemas.Node) (string, bool) {
	if !strings.HasPrefix(n.Lit, `"`) {
		return "", false
	}
	s, err := strconv.Unquote(n.Lit)
	return s, err == nil
}

// numberOf returns the integer that a node is.
func numberOf(n *schemas.Node) (int64, bool) {
	v, err := strconv.ParseInt(n.Lit, 10, 64)
	return v, err == nil
}

// floatOf returns the floating-point number that a node is.
func floatOf(n *schemas.Node) (float64, bool) {
	if n.Type != "float64" && n.Type != "float32" {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.Lit, 64)
	return v, err == nil
}

// shrinkFloat makes a number with many digits 1 or -1.
func shrinkFloat(n *schemas.Node) {
	switch v, ok := floatOf(n); {
	case !ok || len(n.Lit) <= longFloat:
	case math.Signbit(v):
		n.Lit = "-1"
	default:
		n.Lit = "1"
	}
}

func cutText(n *schemas.Node, length int) {
	if s, ok := textOf(n); ok && len(s) > length {
		n.Lit = strconv.Quote(s[:length])
	}
}

func halveText(n *schemas.Node) {
	if s, ok := textOf(n); ok && len(s) > 1 {
		n.Lit = strconv.Quote(s[:len(s)/2])
	}
}

func shrinkNumber(n *schemas.Node, least int64) {
	switch v, ok := numberOf(n); {
	case ok && v > least:
		n.Lit = strconv.FormatInt(least, 10)
	case ok && v < -least:
		n.Lit = strconv.FormatInt(-least, 10)
	}
}

func halveNumber(n *schemas.Node) {
	if v, ok := numberOf(n); ok && (v > 1 || v < -1) {
		n.Lit = strconv.FormatInt(v/2, 10)
	}
}

func cutSlice(n *schemas.Node, length int64) {
	if n.Len != nil && *n.Len > length {
		n.Len = &length
		n.Cap = &length
	}
}

func halveSlice(n *schemas.Node) {
	if n.Len != nil && *n.Len > 1 {
		half := *n.Len / 2
		n.Len, n.Cap = &half, &half
	}
}

func trimCapacity(n *schemas.Node) {
	if n.Len != nil && n.Cap != nil && *n.Cap > *n.Len {
		n.Cap = n.Len
	}
}
