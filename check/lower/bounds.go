package lower

// The bounds of the lowering, as ir.Assume.Bound has them. Executions beyond a bound are not
// analyzed, and the document says which bounds were met.
const (
	// boundStrings is that of stringEqual and stringLess (maxCompare).
	boundStrings = "comparisons of two strings longer than 8 bytes are not followed"
	// boundConversions is that of conversions between strings and runes (maxCompare).
	boundConversions = "conversions of non-ASCII characters and of strings longer than 8 bytes " +
		"are not followed"
	// boundKeys and boundNaN are those of keys of maps, see keys.go.
	boundKeys = "keys of maps that do not fit into 64 bits are not followed"
	boundNaN  = "keys of maps that are NaN are not followed"
	// boundMake is that of makeCall (maxMake).
	boundMake = "slices of more than 256 MB are not made"
	// boundDefer and boundRangeFuncDefer are those of deferred calls (maxDeferred).
	boundDefer          = "a defer statement in a loop is followed for 5 calls"
	boundRangeFuncDefer = "a loop over a function whose body defers calls is followed for 1 run"
	// boundReinterpreted drops no executions: what they read may be anything.
	boundReinterpreted = "memory that unsafe.Pointer gives another type may hold anything"
)
