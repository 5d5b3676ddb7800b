package exact

// Deferred calls: of values, of nil, in loops; recover.

type recoverer struct{}

func (recoverer) Recover() { recover() }

type handler interface{ Recover() }

type hooks struct{ after func() }

func recovers() { recover() }

func chosen() func() { return recovers }

func NeverRecoverByInterface() {
	var h handler = recoverer{}
	defer h.Recover()
	panic(1)
}

func NeverRecoverByValue() {
	f := recovers
	defer f()
	panic(1)
}

func NeverRecoverByMethodValue() {
	f := recoverer{}.Recover
	defer f()
	panic(1)
}

func NeverRecoverByField() {
	h := hooks{chosen()}
	defer h.after()
	panic(1)
}

func NeverNilInterface() {
	reached := false
	func() {
		defer recovers()
		var h handler
		defer h.Recover()
		reached = true
	}()
	must(!reached)
}

func NeverLarge() {
	var buf [100000]byte
	defer func() {
		buf[99999] = 1
		recover()
	}()
	panic(1)
}

func NeverReplaced() {
	defer func() { must(recover() == "second") }()
	defer func() { panic("second") }()
	panic("first")
}

func NeverNestedDefers() {
	defer func() {
		defer func() { must(recover() == nil) }()
		must(recover() == "x")
	}()
	panic("x")
}

func CanNilValue() {
	reached := false
	func() {
		defer recovers()
		var f func()
		defer f()
		reached = true
	}()
	must(!reached)
}

func CanLoopOfDefers() {
	n := 0
	func() {
		for i := range 5 {
			defer func() { n += i }()
		}
	}()
	must(n != 10)
}

func CanLongLoop() {
	n := 0
	for i := 0; i < 200; i++ {
		n += i
	}
	must(n != 19900)
}

func CanNotDirectly() {
	defer func() { recovers() }()
	panic("recovers is not called by a defer statement")
}

// NeverPanicsAgain: deferred calls panic while they recover from others.
func NeverPanicsAgain() {
	defer func() {
		defer func() {
			if recover() != 3 {
				panic("the last panic counts")
			}
		}()
		defer panic(3)
		panic(2)
	}()
	defer func() {
		recover()
	}()
	panic(1)
}
