package vcgen

import (
	"math/rand"
	"testing"

	"dsd/check/logic"
)

// TestMemories compares memories that share pages with lists that share nothing, over random writes, copies and joins.
func TestMemories(t *testing.T) {
	b := logic.NewBuilder()
	vars := make([]*logic.Var, 3*pageSize+5)
	for i := range vars {
		vars[i] = &logic.Var{Name: "m", Sort: logic.Memory(logic.Bool), Index: i}
		if i%7 == 0 {
			vars[i].Domain.Role = logic.RoleUnset
		}
	}
	initial := func(i int) *logic.Term {
		if i%7 == 0 {
			return b.Var(logic.Unset)
		}
		return b.Var(vars[i])
	}
	var values []*logic.Term
	for range 4 {
		values = append(values, b.Var(&logic.Var{Name: "v", Sort: logic.Memory(logic.Bool)}))
	}
	join := func(x, y *logic.Term) *logic.Term { return b.Ite(b.Eq(x, y), x, y) }
	draw := rand.New(rand.NewSource(1))
	have := []*memories{newMemories(b, vars)}
	want := [][]*logic.Term{make([]*logic.Term, len(vars))}
	for i := range vars {
		want[0][i] = initial(i)
	}
	for range 3000 {
		k, o := draw.Intn(len(have)), draw.Intn(len(have))
		switch draw.Intn(5) {
		case 0:
			have, want = append(have, have[k].copy()), append(want, append([]*logic.Term(nil), want[k]...))
		case 1:
			m := make([]*logic.Term, len(vars))
			for i := range m {
				if m[i] = want[k][i]; want[o][i] != m[i] {
					m[i] = join(want[k][i], want[o][i])
				}
			}
			have, want = append(have, have[k].join(have[o], join)), append(want, m)
		case 2:
			have[k].forget(logic.RoleUnset)
			for i := 0; i < len(vars); i += 7 {
				want[k][i] = initial(i)
			}
		default:
			i, v := draw.Intn(len(vars)), values[draw.Intn(len(values))]
			have[k].set(i, v)
			want[k][i] = v
		}
		if len(have) > 6 {
			have, want = have[1:], want[1:]
		}
	}
	for k := range have {
		for i := range vars {
			if have[k].get(i) != want[k][i] {
				t.Fatalf("memory %d of copy %d is %v, want %v", i, k, have[k].get(i), want[k][i])
			}
		}
		for o := range have {
			same := true
			for i := range vars {
				same = same && want[k][i] == want[o][i]
			}
			if got := have[k].equal(have[o]); got != same {
				t.Errorf("copies %d and %d are equal: %v, want %v", k, o, got, same)
			}
		}
	}
}
