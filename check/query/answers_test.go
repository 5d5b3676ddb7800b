package query_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"dsd/check/logic"
	"dsd/check/query"
	"dsd/check/smt"
)

// TestAnswers checks that a run answers the questions of an earlier run without the solver, and in the same way.
func TestAnswers(t *testing.T) {
	if !smt.Linked {
		t.Skip("without libz3")
	}
	// questions are asked in turn: each is about x and y, and the last number.
	questions := func(b *logic.Builder, x, y *logic.Term) [][]*logic.Term {
		n := func(i uint64) *logic.Term { return b.Const(logic.Int, i) }
		product := b.Mul(x, y)
		small := func(x *logic.Term) *logic.Term { return b.Cmp(logic.OpULt, x, n(1<<20)) }
		return [][]*logic.Term{
			{b.Cmp(logic.OpSLt, n(2), x), b.Cmp(logic.OpSLt, x, y), b.Cmp(logic.OpSLt, y, n(1000)), b.Eq(product, n(1011*7))},
			{b.Cmp(logic.OpSLt, x, y), b.Cmp(logic.OpSLt, y, x)},
			{b.Eq(b.Add(b.Mul(product, x), b.Mul(b.Mul(y, y), b.Mul(y, n(5)))), n(1<<55+123457)), small(x), small(y)}, // too hard
		}
	}
	run := func(known *query.Answers, open func() (smt.Session, error), before int) (got string, q *query.Querier) {
		q = query.New(context.Background(), "f", query.Config{Open: open, Rlimit: 200_000, Log: io.Discard})
		defer q.Close()
		b := logic.NewBuilder()
		for i := range before {
			b.Var(&logic.Var{Name: fmt.Sprint(i), Sort: logic.Bool})
		}
		q.Begin(b)
		q.Known = known
		x, y := b.Var(&logic.Var{Name: "x", Sort: logic.Int}), b.Var(&logic.Var{Name: "y", Sort: logic.Int})
		for _, terms := range questions(b, x, y) {
			v, m := q.Ask(terms, false)
			got += fmt.Sprint(v)
			if m != nil {
				got += fmt.Sprint(" x=", m.Eval(x), " y=", m.Eval(y))
			}
			got += "; "
		}
		return got + fmt.Sprintf("%+v %s", q.Stats, q.Exhausted()), q
	}
	without, _ := run(nil, smt.NewZ3, 0)
	if !strings.Contains(without, "Unsat:1 Sat:1 Unknown:1") {
		t.Errorf("the questions have other answers than one of each: %s", without)
	}
	known := query.ReadAnswers(nil)
	if got, _ := run(known, smt.NewZ3, 0); got != without {
		t.Errorf("got %s, without answers to keep %s", got, without)
	}
	data, err := known.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	closed := func() (smt.Session, error) { return nil, errors.New("asked") }
	if got, q := run(query.ReadAnswers(data), closed, 5); got != without || q.Dead {
		t.Errorf("from what was kept: %s, want %s", got, without)
	}
	if _, q := run(query.ReadAnswers(data[:len(data)-1]), closed, 0); !q.Dead {
		t.Error("answers of damaged data")
	}
}

// TestAnswersUnused checks that an answer is dropped after three runs that did not need it.
func TestAnswersUnused(t *testing.T) {
	if !smt.Linked {
		t.Skip("without libz3")
	}
	ask := func(a *query.Answers, limit uint64) []byte {
		q := query.New(context.Background(), "f", query.Config{Open: smt.NewZ3, Rlimit: 200_000, Log: io.Discard})
		defer q.Close()
		b := logic.NewBuilder()
		q.Begin(b)
		q.Known = a
		x, y := b.Var(&logic.Var{Name: "x", Sort: logic.Int}), b.Var(&logic.Var{Name: "y", Sort: logic.Int})
		if q.Consistent([]*logic.Term{b.Cmp(logic.OpSLt, x, y), b.Cmp(logic.OpSLt, y, x), b.Cmp(logic.OpSLt, x, b.Const(logic.Int, limit))}) {
			t.Error("the terms can be true")
		}
		data, err := a.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one := ask(query.ReadAnswers(nil), 1)
	data := one
	for n := range 3 {
		data = ask(query.ReadAnswers(data), 10)
		if more := len(data) > len(one)*3/2; more != (n < 2) {
			t.Errorf("run %d has %d bytes, the first one %d", n, len(data), len(one))
		}
	}
}
