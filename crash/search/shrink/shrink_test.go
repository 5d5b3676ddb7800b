package shrink

import (
	"fmt"
	"go/types"
	"math"
	"math/rand"
	"testing"

	"dsd/crash/candidate"
)

// The operations of the tests.
const (
	number = iota
	text
	float
	list
	call
	flags
	date
	noDate
)

var (
	integer = types.Typ[types.Int]
	str     = types.Typ[types.String]
	day     = types.NewNamed(types.NewTypeName(0, nil, "Day", nil), types.NewStruct(nil, nil), nil)
	table   = []*candidate.Op{
		number: candidate.Literal(integer),
		text:   candidate.Literal(str),
		float:  candidate.Literal(types.Typ[types.Float64]),
		list:   candidate.SliceOf(types.NewSlice(integer)),
		call:   {Name: "call", In: []types.Type{integer}, Out: []types.Type{integer}},
		flags:  candidate.Literal(types.Typ[types.Uint64]),
		date:   {Name: "Date(1, 2)", Out: []types.Type{day}, Pure: true},
		noDate: candidate.Composite(day, false, nil),
	}
)

// TestProgram checks what each pass makes of a candidate.
func TestProgram(t *testing.T) {
	bits := math.Float64bits
	for _, tt := range []struct {
		name string
		p    candidate.Program
		pred func(p candidate.Program) bool
		want candidate.Program
	}{
		{
			"statements",
			candidate.Program{
				{Op: number}, {Op: number}, {Op: call, Args: []int{1}}, {Op: text},
			},
			func(p candidate.Program) bool { return p[len(p)-1].Op == text },
			candidate.Program{{Op: text}},
		},
		{
			"a result becomes a literal",
			candidate.Program{
				{Op: number}, {Op: call, Args: []int{0}}, {Op: call, Args: []int{1}},
			},
			func(p candidate.Program) bool { return p[len(p)-1].Op == call },
			candidate.Program{{Op: number}, {Op: call, Args: []int{0}}},
		},
		{
			"number",
			candidate.Program{{Op: number, Bits: 1000}},
			func(p candidate.Program) bool { return int64(p[0].Bits) >= 17 },
			candidate.Program{{Op: number, Bits: 17}},
		},
		{
			"negative number",
			candidate.Program{{Op: number, Bits: ^uint64(999)}},
			func(p candidate.Program) bool { return int64(p[0].Bits) < 0 },
			candidate.Program{{Op: number, Bits: ^uint64(0)}},
		},
		{
			"flags",
			candidate.Program{{Op: flags, Bits: ^uint64(3)}},
			func(p candidate.Program) bool { return p[0].Bits&(1<<40|1<<9) != 0 },
			candidate.Program{{Op: flags, Bits: 1 << 9}},
		},
		{
			"a value without inputs becomes an empty one",
			candidate.Program{{Op: date}},
			func(p candidate.Program) bool { return true },
			candidate.Program{{Op: noDate}},
		},
		{
			"float",
			candidate.Program{{Op: float, Bits: bits(3.75)}},
			func(p candidate.Program) bool { return p[0].Bits != 0 },
			candidate.Program{{Op: float, Bits: bits(1)}},
		},
		{
			"text",
			candidate.Program{{Op: text, Text: "key: {value}"}},
			func(p candidate.Program) bool {
				for i := range p[0].Text {
					if p[0].Text[i] == '{' {
						return len(p[0].Text) > i+1
					}
				}
				return false
			},
			candidate.Program{{Op: text, Text: "{a"}},
		},
		{
			"elements",
			candidate.Program{{Op: number}, {Op: list, Args: []int{0, 0, 0}}},
			func(p candidate.Program) bool {
				last := p[len(p)-1]
				return last.Op == list && len(last.Args) > 0
			},
			candidate.Program{{Op: number}, {Op: list, Args: []int{0}}},
		},
	} {
		got := Program(tt.p, Config{Table: table, Pred: tt.pred})
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestProgramRandom uses a coin as predicate: no candidate may be tried twice, all must be
// well-formed, and the result is the last one that was accepted.
func TestProgramRandom(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		var p candidate.Program
		for i := range 1 + r.Intn(40) {
			st := candidate.Stmt{Op: number, Bits: r.Uint64() >> r.Intn(64)}
			if i > 0 && r.Intn(4) > 0 {
				st = candidate.Stmt{Op: call, Args: []int{r.Intn(i)}}
			}
			p = append(p, st)
		}
		last := p
		seen := map[string]bool{}
		got := Program(p, Config{Table: table, Pred: func(q candidate.Program) bool {
			for i, st := range q {
				for _, a := range st.Args {
					if a < 0 || a >= i { // each operation has one result
						t.Fatalf("seed %d: statement %d of %v uses result %d",
							seed, i, q, a)
					}
				}
			}
			key := string(q.Append(nil, table))
			if seen[key] {
				t.Fatalf("seed %d: %v is tried twice", seed, q)
			}
			seen[key] = true
			if r.Intn(4) > 0 {
				return false
			}
			last = q
			return true
		}})
		if fmt.Sprint(got) != fmt.Sprint(last) {
			t.Errorf("seed %d: got %v, want the last accepted %v", seed, got, last)
		}
	}
}
