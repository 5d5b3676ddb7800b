package expr

import "testing"

// TestEntails lists which condition follows from which.
func TestEntails(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"n == 3", "n >= 0", true},
		{"n >= 0", "n == 3", false},
		{"n >= 1", "n != 0", true},
		{"n >= 0", "n != 0", false},
		{"n <= -1", "n != 0", true},
		{"n <= 3", "n <= 4", true},
		{"n <= 4", "n <= 3", false},
		{"n == 1 || n == 2", "n == 1 || n == 2 || n == 3", true},
		{"n == 1 || n == 2", "n <= 2", true},
		{"n == 1 || n == 3", "n <= 2", false},
		{"a < b", "a <= b", true},
		{"a < b", "b > a", true},
		{"a < b", "b != a", true},
		{"a <= b", "a < b", false},
		{"a == b", "b >= a", true},
		{"a < b", "a < c", false},
		{"n == 3", "implies(err != nil, n >= 0)", true},
		{"implies(err != nil, n == 3)", "implies(err != nil, n >= 0)", true},
		{"implies(err != nil, n == 3)", "implies(err == nil, n >= 0)", false},
		{"implies(err != nil, n == 3)", "n == 3", false},
		{"implies(n >= 0, m == 1)", "implies(n == 2, m == 1)", true},
		{"implies(n == 2, m == 1)", "implies(n >= 0, m == 1)", false},
		{"n % 12 == 7", "n % 6 == 1", true},
		{"n % 6 == 1", "n % 12 == 7", false},
		{"n % 6 == 1", "n % 3 == 2", false},
		{"n == 7", "n % 6 == 1", true},
		{`strings.HasPrefix(s, "abc")`, `strings.HasPrefix(s, "ab")`, true},
		{`strings.HasPrefix(s, "ab")`, `strings.HasPrefix(s, "abc")`, false},
		{`s == "abc"`, `strings.HasSuffix(s, "bc")`, true},
		{`s == "abc"`, `strings.HasSuffix(t, "bc")`, false},
		{"forall(i, x[i] < x[i+1])", "forall(i, x[i] <= x[i+1])", true},
		{"forall(i, x[i] <= x[i+1])", "forall(i, x[i] < x[i+1])", false},
		{"forall(i, x[i] < x[i+1])", "distinct(x)", true},
		{"forall(i, x[i] <= x[i+1])", "distinct(x)", false},
		{"a == b + 3", "a > b", true},
		{"a == b + 3", "b <= a", true},
		{"a == b - 3", "a < b", true},
		{"a == b - 3", "a > b", false},
		{"a == 2*b + 3", "a > b", false},
		{"x >= 1.5", "x >= 1", true},
		{`s == "a"`, "s >= 1", false},
		{"a - (b - c) == 0", "a - b - c == 0", false},
		{`typeof(x) == "int"`, "typeof(x) != nil", true},
		{"typeof(x) == nil", "typeof(x) != nil", false},
		{"n == 3", "x == nil", false},
	} {
		if got := Entails(mustParse(t, test.a), mustParse(t, test.b)); got != test.want {
			t.Errorf("%s follows from %s: got %v, want %v", test.b, test.a, got, test.want)
		}
	}
}
