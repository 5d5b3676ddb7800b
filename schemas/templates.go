package schemas

// Templates lists the templates of invariants [DAIKON], each with an example of its expression.
// EXPRESSIONS.md describes the language of expressions. An expression over the fields of a pointer
// names the pointers that must not be nil: implies(p != nil, p.n >= 1).
var Templates = []string{
	// One variable.
	"constant",    // x == 3
	"one-of",      // x == 3 || x == 4
	"non-nil",     // p != nil
	"always-nil",  // p == nil
	"lower-bound", // x >= 1
	"upper-bound", // x <= 9
	"non-zero",    // x != 0

	// Two variables.
	"equal",      // x == y
	"not-equal",  // x != y
	"less",       // x < y
	"less-equal", // x <= y
	"unchanged",  // x == old(x)

	"error-result", // implies(err != nil, result == nil)

	// Numbers and strings.
	"linear",       // 3 * y == 2 * x - 3
	"modulus",      // x % 4 == 1
	"power-of-two", // x & (x - 1) == 0
	"prefix",       // strings.HasPrefix(s, "/usr/")
	"suffix",       // strings.HasSuffix(s, ".go")
	"divides",      // y % x == 0
	"square",       // y == x * x
	"bit-subset",   // x &^ y == 0

	// Dynamic types, whole sequences, conditions.
	"same-type",     // typeof(x) == typeof(y)
	"same-elements", // slices.Equal(a, b)
	"dynamic-type",  // typeof(x) == "*os.PathError"
	"implication",   // implies(x > 0, y != nil)

	// Three variables.
	"linear-3", // z == 2 * x + y + 1
	"min",      // z == min(x, y)
	"max",      // z == max(x, y)
	"and",      // z == x & y
	"or",       // z == x | y
	"xor",      // z == x ^ y
	"gcd",      // z == gcd(x, y)
	"product",  // z == x * y

	// The elements of a sequence.
	"element-non-nil",    // forall(i, a[i] != nil)
	"element-always-nil", // forall(i, a[i] == nil)
	"element-one-of",     // forall(i, a[i] == 3 || a[i] == 4)
	"element-bound",      // forall(i, a[i] >= 1)
	"sorted",             // forall(i, a[i] < a[i+1])
	"no-duplicates",      // distinct(a)
	"index",              // forall(i, a[i] == i)

	// Two sequences, or a sequence and a value.
	"elementwise", // forall(i, a[i] < b[i])
	"member",      // contains(a, x)
	"subset",      // subset(a, b)
	"subsequence", // subsequence(a, b)
	"reverse",     // reverse(a, b)

	"nil-if-empty",       // implies(len(a) == 0, a == nil)
	"unchanged-receiver", // *r == old(*r), of everything observed
	"same-object",        // constant(p)
	"constant-sequence",  // slices.Equal(a, []int{1, 2})
	"element-order",      // forall(i, a[i] < x)
	"string-order",       // s < t
}
