// Package trailed has crashes at the end of a way through several functions.
package trailed

// Outer calls middle for long texts, and for short ones where it cannot crash.
func Outer(text string, log bool) int {
	noise := 0
	for i := 0; i < len(text); i++ {
		if log {
			noise++
		}
	}
	if len(text) < 3 {
		return middle([]int{1, 2, 3}, 1) + noise
	}
	return middle([]int{1, 2, 3}, int(text[0])-90) // the outer call
}

func middle(list []int, i int) int {
	if i > 1000 {
		return inner(nil, 0)
	}
	return inner(list, i) // the middle call
}

func inner(list []int, i int) int {
	if i < 0 {
		return 0
	}
	return list[i] // the crash
}

// Never cannot crash where it calls.
func Never(i int) int {
	if i > 2 {
		return 0
	}
	return middle([]int{1, 2, 3}, i) // the safe call
}

// NeverOuter cannot either.
func NeverOuter(i int) int {
	return Never(i) // the outermost call
}
