package main

import (
	"strings"
	"testing"

	"dsd/schemas"
)

// documentOf returns a document with one point for each of the given places. The lines of a place
// are expressions, or "implication: EXPR" for those that are conditional on the sample.
func documentOf(t *testing.T, points map[place]string) document {
	t.Helper()
	d := &schemas.Invariants{}
	for at, lines := range points {
		p := schemas.Point{Func: at.fn, At: at.at}
		for _, text := range strings.Split(strings.TrimSpace(lines), "\n") {
			inv := schemas.Invariant{Expr: strings.TrimSpace(text)}
			if rest, ok := strings.CutPrefix(inv.Expr, "implication: "); ok {
				inv.Template, inv.Expr = "implication", rest
			}
			// The operands of the conclusion; good enough where a test has guards.
			body := inv.Expr
			if i := strings.LastIndex(body, ", "); strings.HasPrefix(body, "implies(") && i > 0 {
				body = strings.TrimSuffix(body[i+2:], ")")
			}
			for _, op := range []string{" == ", " != ", " < ", " <= ", " > ", " >= "} {
				if left, _, ok := strings.Cut(body, op); ok {
					inv.Vars = []string{strings.Trim(left, "`")}
				}
			}
			p.Invariants = append(p.Invariants, inv)
		}
		d.Points = append(d.Points, p)
	}
	doc, err := newDocument(d)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestHolds has what follows from the invariants of one point, and what does not.
func TestHolds(t *testing.T) {
	at := place{"m.f()", schemas.AtExit}
	for _, test := range []struct {
		ours    string
		yes, no string // lines of Daikon's
	}{
		{"x == 3",
			"x == 3\nx >= 2\nx != 4\nx has only one value\nx one of { 3, 4 }",
			"x == 4\nx > 3\ny == 3\nx one of { 4, 5 }"},
		{"x == 1 || x == 3",
			"x one of { 1, 3 }\nx one of { 1, 2, 3 }\nx != 2\nx <= 3\nx >= 1",
			"x one of { 1 }\nx != 3\nx == 1\nx < 3"},
		{"x >= 1\nx <= 3", "x one of { 1, 2, 3 }\nx > 0\nx != 0", "x one of { 1, 2 }\nx > 1"},
		{"x < y\ny <= z", "x < z\nx != z\nz > x\nx <= z - 1", "z < x\nx == y\nx <= z - 2"},
		{"x == y\ny == z", "x == z\nx <= z", "x < z\nx != z"},
		{"y == 2 * x + 1\nz == y - 1",
			"z == 2 * x\nz < y\n2 * x == y - 1\nz - y + 1 == 0",
			"z == 2 * x + 1\ny == x"},
		{"y == x + 3\nx >= 1", "y >= 4\ny > x\nx - y <= -3", "y >= 5"},
		{"z == x + y\ny >= 1", "z > x\nz != x\nx == z - y", "z > y"},
		{"p != nil\nq == nil",
			"p != null\nq == null\np != q\nq has only one value",
			"p == null\nq != null\np has only one value"},
		{"constant(p)", "p has only one value\np != null", "q has only one value"},
		{"x != y\nz != 0", "x != y\ny != x\nz != 0", "x != z\nz > 0"},
		{`s == "a" || s == "b"` + "\n" + `t == "c"`,
			`s one of { "a", "b" }` + "\ns != t\ns < t\n" + `t == "c"`,
			`s == "a"` + "\ns > t"},
		{`s == " in x"`, `s == " in x"`, `s == " == "`},
		{"flag", "flag == true\nflag == 1\nflag != 0", "flag == false"},
		{"y % x == 0\nk & (k - 1) == 0",
			"y % x == 0\nk is a power of 2",
			"x % y == 0\ny is a power of 2"},
		{"x == 6\ny == 3", "x % y == 0", "y % x == 0"},
		{"forall(i, `::a[][i]` >= 1)\nforall(i, `::a[]`[i] < `::a[]`[i+1])",
			"::a[] elements >= 1\n::a[] elements != 0\n::a[] sorted by <=",
			"::a[] elements > 1\n::a[] sorted by >"},
		{"forall(i, a[][i] == 2 || a[][i] == 4)",
			"a[] elements one of { 2, 4 }\na[0] one of { 2, 4 }\na[i] != 3",
			"a[] elements one of { 2 }\na[] elements == 2"},
		{"forall(i, a[][i] < x)\nx <= 9",
			"a[] elements < x\na[] elements < 9\na[] elements != x",
			"a[] elements > x"},
		{"forall(i, a[..][i] != nil)", "a[] elements != null", "a[] elements == null\na[] != null"},
		{"contains(a[], x)\nx == y", "x in a[]\ny in a[]", "z in a[]\nx in b[]"},
		{"slices.Equal(a[], []int{1, 2, 5})\nlen(a[]) == 3\nx >= 1\nx <= 2",
			"a[] == [1, 2, 5]\na[] sorted by <\nx in a[]\n" +
				"a[] elements one of { 1, 2, 5 }\na[] one of { [1, 2, 5], [7] }",
			"a[] == [1, 2]\na[] sorted by >"},
		{"slices.Equal(a[], old(a[]))\ni == old(i)", "a[] == orig(a[])", "a[] == b[]"},
		{"slices.Equal(a[], old(a[]))\na[][i] == 4", "orig(a[post(i)]) == 4", "orig(a[post(j)]) == 4"},
		{"len(a[]) == 1\na[][len(a[])-1] == 7",
			"a[] elements == 7\na[] == 7 (elementwise)\nsize(a[]) - 1 == 0\na[-1] == 7",
			"a[] elements == 8"},
		{"len(a[]) == 1\na[][len(a[])-1] == old(a[][len(a[])-1]) + 1\nlen(old(a[])) == 1",
			"a[] - orig(a[]) - 1 == 0", "a[] - orig(a[]) - 2 == 0"},
		{`slices.Equal(argv[], []string{"./a"})`, "argv[] == [./a]", "argv[] == [./b]"},
		{"len(p[..].f[0]) == 1\nlen(old(p[..].f[0])) == 1\n" +
			"p[..].f[0][len(p[..].f[0])-1] == 7\nold(p[..].f[0][len(p[..].f[0])-1]) == 7",
			"p[].f[0] elements == 7\np[].f[0] == orig(p[].f[0])", "p[].g[0] elements == 7"},
		{"2 * len(a) == len(old(a))", "size(a[]) <= orig(size(a[]))", "size(a[]) < orig(size(a[]))"},
		{"slices.Equal(a[], []int{1, 2})\nslices.Equal(b[], []int{1, 3})",
			"a[] < b[] (lexically)\nb[] >= a[] (lexically)",
			"a[] > b[] (lexically)"},
		{"len(a[]) == 0\nlen(b[]) == 0", "a[] == b[]\na[] == []", "a[] == c[]"},
		{"x == 1", "size(a[]) >= 0\norig(size(a[].f)) >= 0", "size(a[]) > 0\nx is odd"},
		{"c[].f[i] == 2", "c[i].f == 2", "c[j].f == 2"},
		{"x == old(x)\nold(x) <= 4", "x <= 4\norig(x) < 5", "x <= 3"},
		// What is guarded counts where the claim is about the guarded variable.
		{"implies(p != nil, p.x == 3)\nimplies(`p->q` != nil, `p->q->x` >= 1)",
			"p.x == 3\np->q->x > 0",
			"p != null\nx == 3"},
		{"implies(len(a[]) == 0, a[] == nil)",
			"(size(a[]) == 0)  ==>  (a[] == null)",
			"a[] == null\nsize(a[]) == 0"},
		// Implications.
		{"implication: implies(p == nil, x >= 3)",
			"(p == null)  ==>  (x >= 3)\n(p == null)  ==>  (x > 2)",
			"(p != null)  ==>  (x >= 3)\nx >= 3\n(p == null)  ==>  (x >= 4)"},
		{"implication: implies(y >= 2, x == 3)",
			"(y >= 2)  ==>  (x == 3)\n(y == 5)  ==>  (x != 4)",
			"(y >= 1)  ==>  (x == 3)\n(y >= 2)  <==>  (x == 3)"},
		{"implication: implies(!ok, p == nil)\nimplication: implies(ok, p != nil)",
			"(ok == false)  ==>  (p == null)\n(p != null)  <==>  (ok == true)\n(ok)  ==>  (p != null)",
			"(ok == true)  ==>  (p == null)"},
		{"x == 3",
			"(p == null)  ==>  (x == 3)\n(x == 4)  ==>  (y == 7)\n(y == 1)  ==>  (y == 1)",
			"(p == null)  ==>  (y == 3)"},
	} {
		doc := documentOf(t, map[place]string{at: test.ours})
		for want, lines := range map[bool]string{true: test.yes, false: test.no} {
			for _, line := range strings.Split(lines, "\n") {
				if got := doc.states(at, parseClaim(line)); got != want {
					t.Errorf("of\n%s\nthe claim %s: %v, want %v", test.ours, line, got, want)
				}
			}
		}
	}
}

// TestPoints checks what an exit knows from the entry and from the returns, and a type from its
// methods.
func TestPoints(t *testing.T) {
	doc := documentOf(t, map[place]string{
		{"C.f()", schemas.AtEntry}: "x >= 2\nthis != nil\nthis.n == 1",
		{"C.f()", schemas.AtExit}:  "y == old(x)\nthis != nil\nthis.n == 1",
		{"C.f()", "exit3"}:         "z == 1",
		{"C.f()", "exit9"}:         "z == 2",
	})
	for _, test := range []struct {
		fn   string
		at   schemas.At
		line string
		want bool
	}{
		{"C.f()", schemas.AtExit, "y >= 2", true},
		{"C.f()", schemas.AtExit, "x >= 2", false},
		{"C.f()", schemas.AtExit, "z >= 1", true},
		{"C.f()", schemas.AtExit, "z >= 2", false},
		{"C.f()", "exit3", "orig(x) > 1", true},
		{"C", schemas.AtType, "this.n == 1", true},
		{"C", schemas.AtType, "z >= 1", false}, // not at the entry
		{"C.g()", schemas.AtEntry, "x == x", false},
	} {
		if got := doc.states(place{test.fn, test.at}, parseClaim(test.line)); got != test.want {
			t.Errorf("%s %s: %s: %v, want %v", test.fn, test.at, test.line, got, test.want)
		}
	}
}

// TestCompareLines checks the sections of a printed file.
func TestCompareLines(t *testing.T) {
	doc := documentOf(t, map[place]string{
		{"C.f()", schemas.AtEntry}: "x == 3\nthis != nil",
		{"C.f()", schemas.AtExit}:  `implication: implies(ok, y == 5)` + "\nthis != nil\n" + `t == "a.B"`,
	})
	printed := `Daikon version 5.8.25
===========================================================================
C:::OBJECT
this != null
===========================================================================
C.f():::ENTER
x == 3L
x one of { 3, 4 }
===========================================================================
C.f():::EXIT12
t == a.B.class
y == 5
===========================================================================
C.f():::EXIT12;condition="ok == true"
y == 5
===========================================================================
C.f():::EXIT12;condition="not(ok == true)"
y == 5
Exiting Daikon.
`
	for _, test := range []struct {
		turn   bool
		found  int
		claims int
		listed string
	}{
		{false, 5, 7, "exit y == 5; exit (ok == 0)  ==>  (y == 5)"},
		{true, 0, 5, ""},
	} {
		r := compareLines(printed, doc, test.turn)
		var listed []string
		for _, c := range r.listed {
			listed = append(listed, string(c.at.at)+" "+c.text)
		}
		got := strings.Join(listed, "; ")
		if r.found != test.found || r.claims != test.claims || got != test.listed {
			t.Errorf("turned %v: %d of %d, listed %s\nwant %d of %d, listed %s", test.turn,
				r.found, r.claims, got, test.found, test.claims, test.listed)
		}
	}
}

func TestTurned(t *testing.T) {
	for line, want := range map[string]string{
		"this != null":         "this == null",
		"x == 3":               "x != 3",
		"x one of { 3, 4 }":    "x one of { 4 }",
		"x < y":                "x >= y",
		"x % y == 0":           "x % y != 0",
		"x is a power of 2":    "",
		"x has only one value": "",
	} {
		got := ""
		if c := parseClaim(line).turned(); c != nil {
			got = c.text
		}
		if got != want {
			t.Errorf("turned %q is %q, want %q", line, got, want)
		}
	}
}

// TestCanonical checks that Daikon's names and ours are the same.
func TestCanonical(t *testing.T) {
	for _, test := range []struct{ daikon, ours, want string }{
		{"size(a[])", "len(a[..])", "len(a)"},
		{"size(orig(a[]))", "old(len(a[]))", "old(len(a))"},
		{"a[0]", "a[][0]", "a[0]"},
		{"orig(a[-1])", "old(a[][len(a[])-1])", "old(a[-1])"},
		{"a[size(a[])-1]", "a[len(a)-1]", "a[-1]"},
		{"a[size(b[])-1]", "a[][len(b[])-1]", "a[len(b)-1]"},
		{"c[i-1].f", "c[].f[i-1]", "c[i-1].f"},
		{"p->f", "`p->f`", "p.f"},
		{"::g", "`::g`", "`::g`"},
		{"this.els[].getClass().getName()",
			"this.els[..].getClass().getName()",
			"this.els[].getClass().getName()"},
	} {
		for _, text := range []string{test.daikon, strings.Trim(test.ours, "`")} {
			if got := parseTerm(text); got == nil || got.String() != test.want {
				t.Errorf("%s: %v, want %s", text, got, test.want)
			}
		}
	}
	for _, text := range []string{"", "x y", "1 (mod 4)", "y**2", `"abc`, "a[", "f(x", "x +"} {
		if got := parseTerm(text); got != nil {
			t.Errorf("%s: %s, want none", text, got)
		}
	}
}

// TestKind checks the counted form of a claim, and its opposite.
func TestKind(t *testing.T) {
	for _, test := range []struct{ line, kind, turned string }{
		{"x == 3", "x == N", "x != 3"},
		{"a[] elements one of { 1, 2 }", "x[] elements one of {...}", "a[] elements one of { 2 }"},
		{"a[] < b[] (lexically)", "lexical comparison of sequences", "a[] >= b[] (lexically)"},
		{"x % y == 0", "x % x == N", "x % y != 0"},
		{"a[] sorted by <", "x[] sorted by <", ""},
		{"(x == 1)  ==>  (y == 2)", "implication", ""},
		{`s == "a b"`, "x == x", `s != "a b"`},
	} {
		c := parseClaim(test.line)
		turned := ""
		if d := c.turned(); d != nil {
			turned = d.text
		}
		if c.kind() != test.kind || turned != test.turned {
			t.Errorf("%s: kind %q, turned %q, want %q, %q",
				test.line, c.kind(), turned, test.kind, test.turned)
		}
	}
}
