package panics

func upTo(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

func RangeFunc(n int) (sum int) {
	for i := range upTo(n) {
		sum += 10 / (1 - i) // want div-zero
	}
	return sum
}

func RangeFuncReturn(a []int) (int, bool) {
	for i := range upTo(3) {
		if i == 1 {
			return a[i], true // want index
		}
	}
	return 0, false
}

func RangeFuncReturned() int {
	x, ok := RangeFuncReturn([]int{1, 2})
	if !ok {
		return 0
	}
	return 1 / (x - 2) // want div-zero
}

func RangeFuncBreak(a [2]int) int {
	last := 0
outer:
	for i := range upTo(3) {
		for j := range upTo(3) {
			if j == 1 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			last = i + j
		}
		last = 7
	}
	return a[last] // last is 1
}

func RangeFuncAll(a [2]int) int {
	last := 0
	for i := range upTo(3) {
		if i == 1 {
			continue
		}
		last = i
	}
	return a[last] // want index
}

func RangeFuncUnknown(f func(func(string, error) bool)) int {
	for s, err := range f { // want nil-deref
		if err != nil {
			return len(s)
		}
	}
	return 0
}

func RangeFuncGoto(a []int) int {
	for i := range upTo(3) {
		for j := range upTo(2) {
			if i+j == 2 {
				goto out
			}
		}
	}
	return 0
out:
	return a[0] // want index
}

func RangeFuncDefer() (r int) {
	defer func() { r = 1 / (r - 6) }() // want div-zero
	for i := range upTo(2) {
		defer func(k int) { r = r*2 + k }(i) // last one first
	}
	return 1
}

func RangeFuncDeferNested() (r int) {
	defer func() { r = 1 / (r - 21) }() // want div-zero
	for i := range upTo(2) {
		for j := range upTo(1) {
			defer func() { r = r*3 + i + j }()
		}
	}
	return 2
}

func RangeFuncDeferReturn(n int) (r int) {
	for i := range upTo(3) {
		defer func() { r++ }()
		if i == 1 {
			return n
		}
	}
	return 0
}

func RangeFuncDeferReturned() int { return 1 / (RangeFuncDeferReturn(4) - 6) } // want div-zero

func RangeFuncRecover(s []int) (r int) {
	for range upTo(1) {
		defer func() {
			if recover() != nil {
				r = 2
			}
		}()
	}
	return s[3]
}

func RangeFuncRecovered() int { return 1 / (RangeFuncRecover(nil) - 2) } // want div-zero

func RangeFuncNotRecovered(s []int) (r int) {
	for range upTo(1) {
		defer func() { r = 2 }()
	}
	return s[3] // want index
}
