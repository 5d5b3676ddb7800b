package exact

// Function literals that are deferred in loops over functions come after others in the source.

func NeverMixedLiterals() {
	n := 0
	for i := range upTo(2) {
		defer func(k int) { n += k + i }((func(k int) int { return k * 2 })(1))
	}
	same := func(k int) int { return k }
	f := func() int { return n + same(2) }
	if f() != 2 {
		panic("another function is called")
	}
}
