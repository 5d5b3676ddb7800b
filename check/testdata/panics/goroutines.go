package panics

func GoLiteral(s []int, n int) {
	go func() {
		s[n]++ // want index
	}()
}

func GoArgument(n int) {
	go func(i int) {
		_ = 100 / i // want div-zero
	}(n - 1)
}

func GoFunction(n int) {
	go divided(n) // the panic is that of divided
}

func divided(n int) int { return 100 / n } // want div-zero

func GoRecovered(n int) {
	defer func() { recover() }() // not for the goroutine
	go func() {
		_ = 100 / n // want div-zero
	}()
}

func GoRecovers(n int) {
	go func() {
		defer func() { recover() }()
		_ = 100 / n
	}()
}

func GoGuarded(s []int) {
	for i := range s {
		go func() { s[i]++ }()
	}
}
