package search

import (
	"go/types"
	"math"
	"slices"
	"strings"

	"dsd/crash/candidate"
)

// minimise makes a program small for which same holds: statements are dropped, first many at a time, and elements of slices;
// literals are made simpler, and earlier values of the same type take the place of later ones. It knows nothing else of the
// program; same must hold of p.
func minimise(p candidate.Program, table []*candidate.Op, same func(candidate.Program) bool) candidate.Program {
	for changed := true; changed; {
		changed = false
		try := func(q candidate.Program) bool {
			if same(q) {
				p, changed = q, true
				return true
			}
			return false
		}
		for n := 32; n > 1; n /= 2 {
			for i := len(p) - n; i >= 0; i -= n {
				if i+n <= len(p) {
					if q := withoutMany(p, i, n, table); len(q) < len(p) && len(q) > 0 {
						try(q)
					}
				}
			}
		}
		for i := len(p) - 1; i >= 0; i-- {
			if i >= len(p) {
				continue
			}
			if q, ok := without(p, i, table); ok && len(q) > 0 {
				try(q)
			}
		}
		zeroes(&p, table, try)
		earlier(&p, table, try)
		for i := 0; i < len(p); i++ {
			op := table[p[i].Op]
			if op.Lit {
				simplify(p, i, table, try)
			}
			if op.Variadic {
				for j := len(p[i].Args) - 1; j >= 0; j-- {
					q := slices.Clone(p)
					q[i].Args = slices.Delete(slices.Clone(p[i].Args), j, j+1)
					try(q)
				}
			}
		}
	}
	return p
}

// simplify tries simpler values of the literal that statement i is.
func simplify(p candidate.Program, i int, table []*candidate.Op, try func(candidate.Program) bool) {
	with := func(bits uint64, text string) bool {
		old := &p[i]
		if old.Bits == bits && old.Text == text {
			return false
		}
		q := slices.Clone(p)
		q[i].Bits, q[i].Text = bits, text
		if try(q) {
			p = q
			return true
		}
		return false
	}
	if t := p[i].Text; t != "" {
		if with(0, "") {
			return
		}
		for n := len(t) / 2; n > 0; n /= 2 {
			for from := 0; from+n <= len(p[i].Text); {
				t := p[i].Text
				if !with(0, t[:from]+t[from+n:]) {
					from += n
				}
			}
		}
		for j := range len(p[i].Text) {
			t := p[i].Text
			if t[j] != 'a' && !(t[j] >= '0' && t[j] <= '9') {
				with(0, t[:j]+"a"+t[j+1:])
			}
		}
		return
	}
	n := int64(p[i].Bits)
	simple := []uint64{0, 1}
	if kindOf(table[p[i].Op]) == "float" {
		simple = []uint64{0, math.Float64bits(1), math.Float64bits(-1)}
	} else if n < 0 || n > 2 {
		simple = append(simple, 2, ^uint64(0))
		for k := n / 2; k != 0 && k != n; k /= 2 {
			simple = append(simple, uint64(n-k))
		}
	}
	for _, bits := range simple {
		if int64(bits) == n {
			return // as simple as can be
		}
		if kindOf(table[p[i].Op]) != "float" && n >= 0 && int64(bits) > n {
			continue
		}
		if with(bits, "") {
			return
		}
	}
}

// withoutMany is p without those of its n statements from number i on whose results nobody uses then.
func withoutMany(p candidate.Program, i, n int, table []*candidate.Op) candidate.Program {
	for j := i + n - 1; j >= i; j-- {
		if q, ok := without(p, j, table); ok {
			p = q
		}
	}
	return p
}

// zeroes tries the zero value in place of each value that is made without effects, and of each number or string that a call
// returns.
func zeroes(p *candidate.Program, table []*candidate.Op, try func(candidate.Program) bool) {
	byType := map[string]int{}
	for i, o := range table {
		if o.Lit || o.Pure && len(o.In) == 0 && strings.HasPrefix(o.Name, "zero ") {
			byType[key(o.Out[0])] = i
		}
	}
	for i := 0; i < len(*p); i++ {
		o := table[(*p)[i].Op]
		if receives(*p, i, table) {
			continue
		}
		zero, ok := byType[key(first(o))]
		if ok && !o.Lit && (*p)[i].Op != zero && (o.Pure || table[zero].Lit && len(o.Out) == 1) {
			q := slices.Clone(*p)
			q[i] = candidate.Stmt{Op: zero}
			try(q)
		}
	}
}

// receives says that a method is called on a result of statement i, or a field of it set.
func receives(p candidate.Program, i int, table []*candidate.Op) bool {
	n := 0
	for _, st := range p[:i] {
		n += len(table[st.Op].Out)
	}
	for _, st := range p[i+1:] {
		if table[st.Op].OnFirst && st.Args[0] >= n && st.Args[0] < n+len(table[p[i].Op].Out) {
			return true
		}
	}
	return false
}

// first is the type of an operation's first result.
func first(o *candidate.Op) types.Type {
	if len(o.Out) == 0 {
		return types.Typ[types.Invalid]
	}
	return o.Out[0]
}

// maxEarlier is how many values are tried in place of one.
const maxEarlier = 3

// earlier tries, for each argument, the first values of its type.
func earlier(p *candidate.Program, table []*candidate.Op, try func(candidate.Program) bool) {
	for i := 0; i < len(*p); i++ {
		for j := range (*p)[i].Args {
			at := (*p)[i].Args[j]
			var kinds []string // of the results before the statement
			for _, st := range (*p)[:i] {
				for _, t := range table[st.Op].Out {
					kinds = append(kinds, key(t))
				}
			}
			tried := 0
			for r := 0; r < at && at < len(kinds) && tried < maxEarlier; r++ {
				if kinds[r] != kinds[at] {
					continue
				}
				tried++
				q := slices.Clone(*p)
				q[i].Args = slices.Clone(q[i].Args)
				q[i].Args[j] = r
				if try(q) {
					break
				}
			}
		}
	}
}
