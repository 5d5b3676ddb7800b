package smt

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"dsd/check/logic"
)

// TestMain makes the test binary a misbehaving solver if fakeVar is set.
func TestMain(m *testing.M) {
	switch os.Getenv(fakeVar) {
	case "":
		os.Exit(m.Run())
	case "dies":
		os.Exit(3)
	case "dies when asked": // reads the options, then exits
		buf := make([]byte, 1)
		for i := 0; i < 2; { // two end marks
			if n, err := os.Stdin.Read(buf); n == 0 || err != nil {
				os.Exit(3)
			}
			if buf[0] == '\n' {
				i++
			}
		}
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Minute)
	default: // prints the value of fakeVar before every end mark
		answer := os.Getenv(fakeVar)
		var line strings.Builder
		buf := make([]byte, 1)
		for {
			if _, err := os.Stdin.Read(buf); err != nil {
				os.Exit(0)
			}
			if buf[0] != '\n' {
				line.Write(buf)
				continue
			}
			if strings.HasPrefix(line.String(), "(echo ") {
				fmt.Println(answer)
				fmt.Println(endMark)
			}
			line.Reset()
		}
	}
}

const fakeVar = "DSD_TEST_SOLVER"

// query returns x < 0 for a variable x, which is satisfiable.
func query() (*logic.Builder, *logic.Term) {
	b := logic.NewBuilder()
	x := b.Var(&logic.Var{Name: "x", Sort: logic.Int})
	return b, b.Cmp(logic.OpSLt, x, b.Const(logic.Int, 0))
}

// Values of every sort come back from the solver unchanged.
func TestModelValues(t *testing.T) {
	for _, solver := range []struct {
		name string
		open func(t *testing.T) *Solver
	}{{"libz3", open}, {"z3 -in", openProcess}} {
		t.Run(solver.name, func(t *testing.T) {
			s, b := solver.open(t), logic.NewBuilder()
			for _, test := range []struct {
				sort  logic.Sort
				value uint64
			}{
				{logic.Bool, 0},
				{logic.Bool, 1},
				{logic.BV(8), 0},
				{logic.BV(8), 0xff},
				{logic.BV(16), 0x8000},
				{logic.BV(32), 0x7fffffff},
				{logic.BV(64), 1 << 63},
				{logic.BV(64), math.MaxUint64},
				{logic.Float(64), math.Float64bits(0)},
				{logic.Float(64), math.Float64bits(math.Copysign(0, -1))},
				{logic.Float(64), math.Float64bits(-1.5)},
				{logic.Float(64), math.Float64bits(math.Inf(1))},
				{logic.Float(64), math.Float64bits(math.Inf(-1))},
				{logic.Float(64), 0x7ff8000000000000}, // NaN
				{logic.Float(64), math.Float64bits(math.SmallestNonzeroFloat64)},
				{logic.Float(64), math.Float64bits(math.MaxFloat64)},
				{logic.Float(32), 0},
				{logic.Float(32), 1 << 31},
				{logic.Float(32), uint64(math.Float32bits(0.1))},
				{logic.Float(32), uint64(math.Float32bits(float32(math.Inf(1))))},
				{logic.Float(32), uint64(math.Float32bits(float32(math.Inf(-1))))},
				{logic.Float(32), 0x7fc00000}, // NaN
				{logic.Float(32), 1},
			} {
				v := &logic.Var{Name: "v", Sort: test.sort}
				mem := &logic.Var{Name: "m", Sort: logic.Memory(test.sort)}
				o := &logic.Var{Name: "o", Sort: logic.Obj}
				is := b.Const(test.sort, test.value)
				cell := b.Select(b.Var(mem), b.Var(o), b.Const(logic.Slot, 5))
				verdict, m, err := s.Check([]*logic.Term{b.Eq(b.Var(v), is), b.Eq(cell, is),
					b.Eq(b.Var(o), b.Const(logic.Obj, 0x10007))})
				if verdict != Sat || err != nil {
					t.Errorf("sort %v, value %#x: the solver says %v, %v", test.sort, test.value, verdict, err)
					continue
				}
				if got := m.Vars[v]; got != test.value {
					t.Errorf("sort %v: the variable is %#x, want %#x", test.sort, got, test.value)
				}
				if got, ok := m.Cells[logic.Cell{Var: mem, Obj: 0x10007, Slot: 5}]; !ok || got != test.value {
					t.Errorf("sort %v: the cells are %v, want %#x at (0x10007, 5)", test.sort, m.Cells, test.value)
				}
			}
		})
	}
}

// The address of a cell may itself be in a cell.
func TestCells(t *testing.T) {
	s := open(t)
	b := logic.NewBuilder()
	next := &logic.Var{Name: "next", Sort: logic.Memory(logic.Obj)}
	p := &logic.Var{Name: "p", Sort: logic.Obj}
	zero := b.Const(logic.Slot, 0)
	one := b.Select(b.Var(next), b.Var(p), zero)
	two := b.Select(b.Var(next), one, zero)
	// p and its two successors are three objects, and the list ends there.
	distinct := func(x, y *logic.Term) *logic.Term { return b.Not(b.Eq(x, y)) }
	terms := []*logic.Term{distinct(b.Var(p), one), distinct(one, two), distinct(b.Var(p), two),
		b.Eq(b.Select(b.Var(next), two, zero), b.Const(logic.Obj, 0))}
	v, m, err := s.Check(terms)
	if v != Sat || err != nil {
		t.Fatalf("the solver says %v, %v", v, err)
	}
	for _, x := range terms {
		if m.Eval(x) != 1 {
			t.Errorf("%v does not hold for p = %d, cells %v", x, m.Vars[p], m.Cells)
		}
	}
	if len(m.Cells) != 3 {
		t.Errorf("the model has the cells %v, want 3", m.Cells)
	}
}

// The bits of a float are a constant that converts to the float.
func TestFloatBits(t *testing.T) {
	s := open(t)
	b := logic.NewBuilder()
	f := &logic.Var{Name: "f", Sort: logic.Float(64)}
	bits := b.FConv(logic.OpFBits, logic.BV(64), b.Var(f))
	for range 2 { // the constant is declared once
		v, m, err := s.Check([]*logic.Term{b.Eq(bits, b.Const(logic.BV(64), math.Float64bits(-2.5)))})
		if v != Sat || err != nil || m.Vars[f] != math.Float64bits(-2.5) {
			t.Errorf("the solver says %v, %v, with %v", v, err, m)
		}
	}
}

// Queries in a session are independent of each other, and of the errors of earlier ones.
func TestSessionsContinue(t *testing.T) {
	for _, solver := range []struct {
		name string
		open func(t *testing.T) *Solver
	}{{"libz3", open}, {"z3 -in", openProcess}} {
		t.Run(solver.name, func(t *testing.T) {
			s := solver.open(t)
			b := logic.NewBuilder()
			x := b.Var(&logic.Var{Name: "x", Sort: logic.Int})
			y := b.Var(&logic.Var{Name: "y", Sort: logic.Int})
			byte := b.Var(&logic.Var{Name: "byte", Sort: logic.BV(8)})
			k := func(v int64) *logic.Term { return b.Const(logic.Int, uint64(v)) }
			less := b.Cmp(logic.OpSLt, x, k(0))
			for i, test := range []struct {
				terms []*logic.Term
				want  Verdict
				err   bool
			}{
				{[]*logic.Term{less}, Sat, false},
				{[]*logic.Term{less, b.Cmp(logic.OpSLt, k(5), x)}, Unsat, false},
				{[]*logic.Term{b.Cmp(logic.OpSLt, k(5), x)}, Sat, false}, // the first query is forgotten
				{nil, Sat, false},
				{[]*logic.Term{b.True()}, Sat, false},
				{[]*logic.Term{b.False()}, Unsat, false},
				{[]*logic.Term{b.Cmp(logic.OpSLt, y, byte)}, Unknown, true}, // an error: the widths differ
				{[]*logic.Term{less}, Sat, false},
				// x + y is shared
				{[]*logic.Term{b.Cmp(logic.OpSLt, b.Add(x, y), k(5)), b.Cmp(logic.OpSLt, k(4), b.Add(x, y))},
					Unsat, false},
				{[]*logic.Term{b.Cmp(logic.OpSLt, b.Add(x, y), k(5)), b.Cmp(logic.OpSLt, k(3), b.Add(x, y))},
					Sat, false},
			} {
				v, m, err := s.Check(test.terms)
				if v != test.want || (err != nil) != test.err {
					t.Errorf("query %d: the solver says %v, %v; want %v", i, v, err, test.want)
				}
				if (m != nil) != (v == Sat) {
					t.Errorf("query %d: %v with the model %v", i, v, m)
				}
				for _, x := range test.terms {
					if v == Sat && m.Eval(x) != 1 {
						t.Errorf("query %d: %v does not hold in the model", i, x)
					}
				}
			}
		})
	}
}

// hard returns a query that exceeds a small budget: the factors of a number.
func hard(b *logic.Builder) []*logic.Term {
	x := b.ZExt(b.Var(&logic.Var{Name: "x", Sort: logic.BV(32)}), 64)
	y := b.ZExt(b.Var(&logic.Var{Name: "y", Sort: logic.BV(32)}), 64)
	one := b.Const(logic.BV(64), 1)
	return []*logic.Term{
		b.Eq(b.Mul(x, y), b.Const(logic.BV(64), 2860486313*3267000013)),
		b.Cmp(logic.OpULt, one, x), b.Cmp(logic.OpULt, one, y), b.Cmp(logic.OpULt, x, y),
	}
}

// A query that exceeds the budget gives Unknown, and the session remains usable.
func TestBudget(t *testing.T) {
	session, _ := NewZ3()
	defer session.Close()
	s := NewSolver(session, 5000, testMillis)
	b, easy := query()
	for range 3 {
		if v, m, err := s.Check(hard(b)); v != Unknown || m != nil || err != nil {
			t.Fatalf("the hard query: %v, %v, %v; want unknown", v, m, err)
		}
		if v, m, err := s.Check([]*logic.Term{easy}); v != Sat || err != nil || m.Eval(easy) != 1 {
			t.Fatalf("the easy query after it: %v, %v, %v; want sat", v, m, err)
		}
		if v, _, err := s.Check([]*logic.Term{easy, b.Not(easy)}); v != Unsat || err != nil {
			t.Fatalf("the impossible query after it: %v, %v; want unsat", v, err)
		}
	}
}

// Wall time is limited, too.
func TestTime(t *testing.T) {
	session, _ := NewZ3()
	defer session.Close()
	s := NewSolver(session, 0, 100) // without rlimit
	b, easy := query()
	start := time.Now()
	if v, _, err := s.Check(hard(b)); v != Unknown || err != nil {
		t.Fatalf("the hard query: %v, %v; want unknown", v, err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("100 ms took %v", d)
	}
	if v, _, err := s.Check([]*logic.Term{easy}); v != Sat || err != nil {
		t.Fatalf("the easy query after it: %v, %v; want sat", v, err)
	}
}

// The budget counts work, so it gives the same answers in every session.
func TestSameBudgetSameAnswer(t *testing.T) {
	var before string
	for i := range 2 {
		session, _ := NewZ3()
		s := NewSolver(session, 30000, testMillis)
		g := newRandom(7)
		var got strings.Builder
		for range 40 {
			g.grow(false)
		}
		for _, x := range g.terms[logic.Bool] {
			v, m, err := s.Check([]*logic.Term{x})
			fmt.Fprint(&got, v, err)
			if m != nil {
				for _, v := range g.vars {
					fmt.Fprint(&got, " ", m.Vars[v.Var])
				}
			}
			fmt.Fprintln(&got)
		}
		session.Close()
		if i > 0 && got.String() != before {
			t.Errorf("first\n%sthen\n%s", before, got.String())
		}
		before = got.String()
	}
}

// script is a session that gives its answers in order. After the last one it is lost.
type script struct{ answers []string }

func (s *script) Eval(text string) (string, error) {
	if strings.HasPrefix(text, "(set-option") || strings.HasPrefix(text, "(pop") {
		return "", nil
	}
	if len(s.answers) == 0 {
		return "", io.ErrUnexpectedEOF
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	return a, nil
}

func (s *script) Close() {}

// Every output of a solver gives a verdict or an error.
func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		answers []string
		want    Verdict
		err     string // a part of the error
	}{
		{[]string{"unsat\n"}, Unsat, ""},
		{[]string{"unknown\n"}, Unknown, ""},
		{[]string{"timeout\n"}, Unknown, ""},
		{[]string{""}, Unknown, ""},
		{[]string{"sat\nsat\n"}, Unknown, ""}, // two answers to one query
		{[]string{"sat\n", "((x #xffffffffffffffff))\n"}, Sat, ""},
		{[]string{"sat", "((x\n  #xffffffffffffffff))"}, Sat, ""},
		{[]string{"sat\n", "(error \"line 1 column 3: model is not available\")\n"}, Unknown, ""},
		{[]string{"sat\n", "lorem ipsum\n"}, Unknown, ""},
		{[]string{"sat\n", "((x #xffffffffffffffff) (y #x00))\n"}, Unknown, ""},
		{[]string{"sat\n", "((x (let ((a #x00)) a)))\n"}, Unknown, ""},
		{[]string{"sat\n", ""}, Unknown, ""},
		{[]string{"sat\n"}, Unknown, "EOF"},
		{[]string{`(error "line 3 column 7: unknown constant x")` + "\nsat\n"}, Unknown,
			"unknown constant x"},
		{[]string{`(error "line 3 column 7: canceled")`}, Unknown, ""},
		{[]string{`(error "max. resource limit exceeded")`}, Unknown, ""},
		{nil, Unknown, "EOF"},
	} {
		s := NewSolver(&script{answers: test.answers}, testRlimit, testMillis)
		_, x := query()
		v, m, err := s.Check([]*logic.Term{x})
		if v != test.want || (err == nil) != (test.err == "") || err != nil &&
			!strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: got %v and the error %v, want %v and %q", test.answers, v, err, test.want,
				test.err)
		}
		if (m != nil) != (v == Sat) {
			t.Errorf("%q: got the model %v", test.answers, m)
		}
	}
}

// The logged commands give the same answers when z3 replays them.
func TestLog(t *testing.T) {
	s := open(t)
	var log strings.Builder
	s.Log = func(text string) { log.WriteString(text) }
	g := newRandom(3)
	for range 40 {
		g.grow(true)
	}
	var want []string
	for _, x := range g.terms[logic.Bool] {
		if bits(x) > 0 {
			continue
		}
		v, _, err := s.Check(append(g.fixed(), x))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, [...]string{"unknown", "sat", "unsat"}[v])
	}
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("z3 is not installed")
	}
	cmd := exec.Command(path, "-in")
	cmd.Stdin = strings.NewReader(log.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got []string
	for _, line := range strings.Split(string(out), "\n") {
		if line == "sat" || line == "unsat" || line == "unknown" {
			got = append(got, line)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("replayed, the solver says\n%v\nwant\n%v", got, want)
	}
}

// fake starts the test binary as a solver that misbehaves in that manner.
func fake(t *testing.T, manner string) Session {
	t.Helper()
	t.Setenv(fakeVar, manner)
	p, err := NewProcess(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// A misbehaving solver process ends the session, not the program.
func TestBadProcesses(t *testing.T) {
	for _, test := range []struct {
		manner string
		err    string
	}{
		{"dies", "the solver: "},
		{"dies when asked", "the solver: "},
		{"lorem ipsum", ""},
		{"))((", ""},
		{"sat", ""}, // to get-value, too
		{"sat\n((", ""},
		{`(error "the licence has expired")`, "the licence has expired"},
	} {
		s := NewSolver(fake(t, test.manner), testRlimit, testMillis)
		_, x := query()
		for range 2 {
			v, m, err := s.Check([]*logic.Term{x})
			if v != Unknown || m != nil || (err == nil) != (test.err == "") || err != nil &&
				!strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got %v, %v, %v; want unknown and the error %q", test.manner, v, m, err, test.err)
			}
		}
	}
}

func TestHangingProcess(t *testing.T) {
	session := fake(t, "hangs")
	_, x := query()
	done := make(chan Verdict)
	go func() {
		v, _, _ := NewSolver(session, testRlimit, 100).Check([]*logic.Term{x})
		done <- v
	}()
	select {
	case v := <-done:
		if v != Unknown {
			t.Errorf("got %v, want unknown", v)
		}
	case <-time.After(5 * time.Second):
		t.Errorf("a query with a time-out of 100 ms has no answer after 5 s")
	}
}

func TestNewProcess(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{"", "--solver: no command"},
		{"  ", "--solver: no command"},
		{"/nonexistent/solver -in", "starting the solver: "},
	} {
		if _, err := NewProcess(test.command); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: got the error %v, want %q", test.command, err, test.want)
		}
	}
}

// Contexts are independent of each other.
func TestParallelSessions(t *testing.T) {
	ask := func() string {
		session, _ := NewZ3()
		defer session.Close()
		s := NewSolver(session, testRlimit, testMillis)
		g := newRandom(5)
		var got strings.Builder
		for range 40 {
			g.grow(false)
		}
		for _, x := range g.terms[logic.Bool] {
			v, _, err := s.Check([]*logic.Term{x})
			fmt.Fprintln(&got, v, err)
		}
		return got.String()
	}
	want := ask()
	answers := make(chan string)
	for range 4 {
		go func() { answers <- ask() }()
	}
	for range 4 {
		if got := <-answers; got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

func (s *script) Interrupt() {}

// TestLateInterrupt: an interrupt that comes after the end of a session does nothing.
func TestLateInterrupt(t *testing.T) {
	killed := false
	var end closing
	end.unlessClosed(func() { killed = true })
	if !killed {
		t.Error("an open session is not interrupted")
	}
	end.close(func() {})
	end.unlessClosed(func() { t.Error("a closed session is interrupted") })
	if s, err := NewZ3(); err == nil {
		s.Close()
		s.Interrupt()
	}
}

// BenchmarkNewZ3 measures what a session costs that asks nothing.
func BenchmarkNewZ3(b *testing.B) {
	for b.Loop() {
		s, err := NewZ3()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Eval("(check-sat)\n"); err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
