package more

// Callers have types of their own, which an interface may hold unless it has unexported methods.

type Shape interface{ Sides() int }

type square struct{ width int }

func (square) Sides() int { return 4 }

func OpenCall(s Shape) int {
	if s == nil {
		return 0
	}
	return 1 / (s.Sides() - 3) // want div-zero nil-deref
}

func OpenAssert(s Shape) int {
	if s == nil {
		return 0
	}
	return s.(square).width // want type-assert
}

func OpenSwitch(s Shape) int {
	switch s := s.(type) {
	case nil:
		return 0
	case square:
		return s.width
	}
	panic("another shape") // want explicit-panic
}

type sealed interface{ sides() int }

func (square) sides() int { return 4 }

func SealedCall(s sealed) int {
	if s == nil {
		return 0
	}
	return 1 / (s.sides() - 3) // want nil-deref
}

func SealedSwitch(s sealed) int {
	switch s := s.(type) {
	case nil, *square:
		return 0
	case square:
		return s.width
	}
	panic("another shape")
}

// What the function made itself is of the types that it has.
func OpenOwn(large bool) int {
	var s Shape = square{1}
	if large {
		s = square{2}
	}
	return 1 / (s.Sides() - 3)
}
