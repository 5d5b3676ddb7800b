package more

// Of keys that are too large to follow, nothing is known but their types.

type wideKey struct {
	a, b, c string
	x       float64
	any     any
}

func WideLookup(m map[wideKey]*decoded, k wideKey) int {
	if k.any != nil {
		return 0
	}
	return m[k].A // want nil-deref
}

func WideComparable(m map[wideKey]int, v any) int {
	return m[wideKey{any: v}] // want uncomparable
}

func WideRange(m map[wideKey]int) (n int) {
	for k, v := range m {
		n += len(k.a) / v // want div-zero
	}
	return n
}

func WideStore(m map[wideKey]int, k wideKey) int {
	if k.any == nil {
		m[k] = 1 // want nil-map
	}
	return len(m)
}
