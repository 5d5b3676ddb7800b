package confirm

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

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
)

// minimizing is a crash whose inputs are made smaller.
type minimizing struct {
	crash *schemas.Crash
	*attempt
	done bool
}

// minimize makes the inputs of literals smaller.
func (c *confirmer) minimize(ctx context.Context) {
	for _, pkg := range c.prog.All {
		var list []*minimizing
		for i := range c.crashes {
			x := &c.crashes[i]
			a := c.solved[x.Warning]
			if a != nil && a.test.Source == x.Test.Source && a.test.Package == pkg.Path &&
				isLarge(a.ce) {
				list = append(list, &minimizing{crash: x, attempt: a})
			}
		}
		for round := 0; round < minimizeRounds && len(list) > 0 && ctx.Err() == nil; round++ {
			if !c.minimizeOnce(ctx, pkg, list) {
				break
			}
		}
	}
}

// minimizeOnce tries variants of each crash of a package, and reports whether one is smaller.
func (c *confirmer) minimizeOnce(
	ctx context.Context, pkg *source.Package, list []*minimizing,
) bool {
	type variant struct {
		of   *minimizing
		test *compose.Test
		ce   *schemas.Counterexample
	}
	var variants []variant
	var tests []schemas.Test
	for n, m := range list {
		if m.done {
			continue
		}
		f := c.funcs[m.warning.Func]
		seen := map[string]bool{m.inputs: true}
		for k, ce := range reductions(m.ce) {
			name := fmt.Sprintf("%s_%d", m.test.Name, k)
			file := fmt.Sprintf("zz_small_%d_%d_test.go", n, k)
			t, err := compose.Compose(c.prog, f, ce, name, file, "")
			if err != nil || seen[t.Inputs] {
				continue
			}
			seen[t.Inputs] = true
			variants = append(variants, variant{m, t, ce})
			tests = append(tests, schemas.Test{Package: pkg.Path, File: file, Name: name,
				Source: t.Source})
		}
	}
	if len(tests) == 0 {
		return false
	}
	results, err := verify.Run(ctx, c.prog, pkg, tests, testrun.Options{
		Timeout: min(c.opt.Timeout, verify.Timeout), Jobs: c.opt.Jobs,
		Unconfined: c.opt.Unconfined, HideOwnTests: true,
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
		if b, ok := best[v.of]; !ok || size(v.ce) < size(b.ce) {
			best[v.of] = v
		}
	}
	for _, m := range list {
		v, ok := best[m]
		if m.done = !ok; ok {
			m.use(c, v.ce)
		}
	}
	return len(best) > 0
}

// use makes a counterexample that was tried that of the crash.
func (m *minimizing) use(c *confirmer, ce *schemas.Counterexample) {
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

// reductions returns smaller variants of a counterexample.
func reductions(ce *schemas.Counterexample) []*schemas.Counterexample {
	var out []*schemas.Counterexample
	for _, reduce := range []func(n *schemas.Node){
		func(n *schemas.Node) { cutText(n, 1); shrinkNumber(n, 1); cutSlice(n, 1) },
		func(n *schemas.Node) { cutText(n, 1) },
		func(n *schemas.Node) { shrinkNumber(n, 1) },
		func(n *schemas.Node) { shrinkNumber(n, 10) },
		func(n *schemas.Node) { cutSlice(n, 1) },
		func(n *schemas.Node) { halveText(n); halveNumber(n); halveSlice(n) },
		halveText, halveNumber, halveSlice, trimCapacity,
	} {
		small := clone(ce)
		small.Walk(reduce)
		out = append(out, small)
	}
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
