package exact

// Loops over functions.

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func heedless(yield func(int) bool) {
	yield(1)
	yield(2)
}

var kept func(int) bool

func keeps(yield func(int) bool) { kept = yield }

func NeverHeedful() {
	n := 0
	for i := range upTo(5) {
		if i == 3 {
			break
		}
		n += i
	}
	for a := range upTo(3) {
		for b := range upTo(3) {
			if b > a {
				continue
			}
			n += 10
		}
	}
	for range heedless {
		n += 100
	}
	must(n == 3+60+200)
}

func NeverReturns() {
	f := func() int {
		for i := range upTo(4) {
			if i == 2 {
				return i * 7
			}
		}
		return -1
	}
	must(f() == 14)
}

func CanContinueAfterBreak() {
	for range heedless {
		break
	}
}

func CanContinueAfterReturn() {
	func() int {
		for i := range heedless {
			return i
		}
		return 0
	}()
}

func CanCallAfterLoop() {
	for range keeps {
	}
	kept(3)
}
