package exact

// Keys of maps, and loops over maps.

func NeverAnyKeys() {
	m := map[any]int{}
	m[true], m[1.5], m['x'], m[-1] = 1, 2, 3, 4
	m[1.5] = 5
	m[[2]bool{true}] = 6
	m[nil] = 7
	must(len(m) == 6 && m[true] == 1 && m[false] == 0 && m[1.5] == 5 && m[int32('x')] == 3)
	must(m[-1] == 4 && m[[2]bool{true, false}] == 6 && m[nil] == 7)
	_, ok := m[int64(-1)]
	must(!ok)
}

func NeverPartsOfObjects() {
	var a [3]int
	var s struct{ x, y int }
	m := map[*int]string{&a[0]: "a0", &a[2]: "a2", &s.x: "x", &s.y: "y"}
	must(len(m) == 4 && m[&a[2]] == "a2" && m[&s.y] == "y" && m[&a[1]] == "")
}

func NeverNaNKeys(x float64) {
	m := map[float64]int{}
	m[x] = 1
	m[x] = 2
	if x != x {
		must(len(m) == 2 && m[x] == 0)
		delete(m, x)
		must(len(m) == 2)
		clear(m)
		must(len(m) == 0)
	} else {
		must(len(m) == 1 && m[x] == 2)
	}
}

func NeverZeros() {
	m := map[float64]int{0: 1}
	zero := 0.0
	m[-zero] = 2
	must(len(m) == 1 && m[0] == 2)
}

func NeverTwice() {
	sum, n := 0, 0
	for k, v := range map[string]int{"a": 1, "b": 2, "c": 4} {
		sum += v
		n += len(k)
	}
	must(sum == 7 && n == 3)
}

func NeverDeleted() {
	m := map[int]int{1: 1, 2: 2, 3: 3}
	n := 0
	for k := range m {
		n++
		for other := 1; other <= 3; other++ {
			if other != k {
				delete(m, other)
			}
		}
	}
	must(n == 1 && len(m) == 1)
}

func NeverCleared() {
	m := map[int]bool{1: true, 2: true}
	n := 0
	for range m {
		n++
		clear(m)
	}
	must(n == 1)
}

func NeverNested() {
	m := map[int]int{1: 1, 2: 2}
	n := 0
	for a := range m {
		for b := range m {
			n += a * b
		}
	}
	must(n == 9)
}

func CanNaN(x float64) {
	m := map[float64]int{x: 1}
	must(m[x] == 1)
}

func CanClearedInLoop() {
	m := map[int]int{1: 1, 2: 2}
	for range m {
		clear(m)
	}
	panic("reached")
}

func CanFirst() {
	for k := range map[int]int{1: 1, 2: 2} {
		must(k == 1)
	}
}

func CanDeletedEarly() {
	m := map[int]int{1: 1, 2: 2, 3: 3}
	n := 0
	for k := range m {
		n++
		delete(m, k%3+1)
	}
	must(n == 3)
}

func NeverLongKeys() {
	m := map[string]int{"a key that is long": 1, "another key that is long": 2}
	must(m["a key that is long"] == 1 && m["another key that is long"] == 2 && len(m) == 2)
	name := "a key " + "that is"
	name += " long"
	must(m[name] == 1)
	must(m["a key that is long"[2:]] == 0 && m["in a key that is long"[3:]] == 1)
}

func CanBuiltKey(s string) {
	m := map[string]int{"a string that is": 1}
	must(m["a string that "+s] == 0)
}
