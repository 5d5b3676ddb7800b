package expr

import (
	goparser "go/parser"
	"strings"
	"testing"
)

// TestString reads expressions and prints them: want is "" where the text stays as it is.
func TestString(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"x", ""}, {"result0.next", ""}, {"*p", ""}, {"len(s.items)", ""}, {"old(s.n)", ""},
		{"-1", ""}, {"- 1", "-1"}, {"x - -1", ""}, {"-x", ""}, {"--5", ""}, {"2.5e-07", ""},
		{"0x1p-2", ""}, {"9223372036854775808", ""},
		{`s == "a < b && \"c\""`, ""}, {"ok == true", ""}, {"err != nil", ""},
		{"a[len(a)-1]", ""}, {"a[ i + 1 ]", "a[i+1]"}, {"a[b[i-1]*2] < 3", ""},
		{"x & (x - 1) == 0", ""}, {"(x & x) - 1", "x & x - 1"}, {"a - (b - c)", ""},
		{"(a - b) - c", "a - b - c"}, {"y == 2 * x + 3", ""}, {"2 * *p", ""},
		{"a && (b || c)", ""}, {"a && b || c", ""}, {"!(a == b)", ""}, {"!ok", ""},
		{"implies(a > 0 && b, c)", ""}, {"forall(i, a[i] <= a[i+1])", ""},
		{"strings.HasPrefix(s, \"x\")", ""}, {"slices.Equal(a, []int{1, -2})", ""},
		{"slices.Equal(a, []example.T{})", ""}, {"old(list)[i] >= len(list)", ""},
		{"typeof(x) == \"*errors.errorString\"", ""}, {"has(m, k)", ""}, {"*s == old(*s)", ""},
		{"return == 1", ""}, {"this.theArray[]", ""}, {"this.a[..]", ""}, {"this.getClass()", ""},
		{"`::x` > 0", ""}, {"strings.length > 0", ""}, {"(1).x", ""}, {"len", ""}, {"old + 1", ""},
	} {
		if test.want == "" {
			test.want = test.text
		}
		e, err := Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := e.String(); got != test.want {
			t.Errorf("%s: printed as %s, want %s", test.text, got, test.want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "column 1: want an operand"},
		{"x <", "column 4: want an operand"},
		{"unheard(a)", "column 8: unknown function unheard"},
		{"x y", `column 3: unexpected "y"`},
		{"len(x", `column 6: want ")"`},
		{"implies(a)", `column 10: want ","`},
		{"min(a, b, c)", `column 9: want ")"`},
		{`s == "abc`, "column 6: a string that does not end, or has a bad escape"},
		{"x == 0b", "column 6: 0b is not a number"},
		{"`x", "column 1: a name that begins with a backquote does not end in one"},
		{strings.Repeat("(", 2000), "nested too deeply"},
	} {
		_, err := Parse(test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.20s: got %v, want %s", test.text, err, test.want)
		}
	}
}

// FuzzParse checks that what is printed is read as the same tree, that Go's parser accepts what
// uses Go alone, and that the walks terminate.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"x", "a[i+1] < -2", "implies(!ok, err != nil)", "`a b`[].f()",
		"forall(i, a[i] &^ 1 == 0 || b)", `strings.HasPrefix(s, "\x00")`, "1.x", "a<<-b", "x--1",
		"(0).f", "1e+5 > x", "0x1p-2", "[]int{1, 2}", "a[-1]-(b-c)*d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Parse(text)
		if err != nil {
			return
		}
		printed := e.String()
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%q is printed as %q, which cannot be read: %v", text, printed, err)
		}
		if got := again.String(); got != printed {
			t.Fatalf("%q is printed as %q, and that as %q", text, printed, got)
		}
		Free(e)
		NewCondition(e)
		if n := Negate(Negate(e)); n.String() == "" {
			t.Fatalf("%q has no negation", text)
		}
		if !Entails(e, e) {
			t.Fatalf("%q does not entail itself", text)
		}
	})
}

// TestGoSyntax checks that expressions without the language's own names are Go.
func TestGoSyntax(t *testing.T) {
	for _, text := range []string{"a[len(a)-1] &^ 2 == -x", "x & (x - 1) == 0", "2 * *p < y % 3",
		"implies(!a && b, forall(i, s[i] != nil))"} {
		e, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := goparser.ParseExpr(e.String()); err != nil {
			t.Errorf("%s: %v", e, err)
		}
	}
}

func TestNegate(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`s == "a < b"`, `s != "a < b"`},
		{`s != "x == y"`, `s == "x == y"`},
		{"a < b", "a >= b"}, {"a >= b", "a < b"}, {"a > b", "a <= b"}, {"a <= b", "a > b"},
		{"ok", "!ok"}, {"!ok", "ok"}, {"a < b && c", "a >= b || !c"}, {"a || b", "!a && !b"},
		{"implies(a, b > 1)", "a && b <= 1"}, {"has(m, k)", "!has(m, k)"},
		{"forall(i, a[i] > 0)", "!forall(i, a[i] > 0)"},
	} {
		if got := Negate(mustParse(t, test.text)).String(); got != test.want {
			t.Errorf("not %s: got %s, want %s", test.text, got, test.want)
		}
	}
}

func mustParse(t *testing.T, text string) Expr {
	t.Helper()
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestFreeAndRename(t *testing.T) {
	for _, test := range []struct{ text, free, renamed string }{
		{"s.n > 0", "s", "t.n > 0"},
		{"old(s.n) == len(s.items)", "s", "old(t.n) == len(t.items)"},
		{`x == "s"`, "x", `x == "s"`},
		{"x.s == s", "x s", "x.s == t"},
		{"forall(s, a[s] > s)", "a", "forall(s, a[s] > s)"},
		{"!forall(s, a[s] > 0) && s > 1", "a s", "!forall(s, a[s] > 0) && t > 1"},
		{"implies(s > 0, forall(i, a[i] < s))", "s a", "implies(t > 0, forall(i, a[i] < t))"},
		{"strings.HasPrefix(s, \"s\")", "s", "strings.HasPrefix(t, \"s\")"},
	} {
		e := mustParse(t, test.text)
		if got := strings.Join(Free(e), " "); got != test.free {
			t.Errorf("%s: free variables %s, want %s", test.text, got, test.free)
		}
		if got := Rename(e, "s", "t").String(); got != test.renamed {
			t.Errorf("%s: renamed to %s, want %s", test.text, got, test.renamed)
		}
	}
}

func TestRenameVar(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"s", "t"}, {"s.a.b", "t.a.b"}, {"len(s.a)", "len(t.a)"}, {"*s", "*t"}, {"s[0]", "t[0]"},
		{"so.a", ""}, {"a.s", ""}, {"cap(s.a)", ""}, {"has(s, k)", ""}, {"", ""},
	} {
		if got, ok := RenameVar(test.name, "s", "t"); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%s: got %q %v, want %q", test.name, got, ok, test.want)
		}
	}
}

func TestOldNames(t *testing.T) {
	for _, test := range []struct {
		name, inner string
		old         bool
	}{
		{"x", "x", false}, {"old(x)", "x", true}, {"old(len(x))", "len(x)", true},
		{"old(x)[i]", "old(x)[i]", false}, {"old(x) + f(y)", "old(x) + f(y)", false},
		{"older(x)", "older(x)", false},
	} {
		if inner, old := CutOld(test.name); inner != test.inner || old != test.old {
			t.Errorf("CutOld(%s): got %s %v, want %s %v", test.name, inner, old, test.inner, test.old)
		}
	}
	if !Applied("old(has(m, k))", "has") || Applied("hash(x)", "has") || !Applied("len(x)", "len") {
		t.Error("Applied is wrong")
	}
}

func TestWhen(t *testing.T) {
	a, b := mustParse(t, "a"), mustParse(t, "b == 1")
	for _, test := range []struct {
		got  Expr
		want string
	}{
		{When(nil, b), "b == 1"},
		{When(a, b), "implies(a, b == 1)"},
		{When(a, When(mustParse(t, "has(m, k)"), b)), "implies(a && has(m, k), b == 1)"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	const text = "implies(err == nil && len(s.items) > 0, " +
		"s.items[len(s.items)-1] >= old(s.limit) + 12)"
	for b.Loop() {
		if _, err := Parse(text); err != nil {
			b.Fatal(err)
		}
	}
}
