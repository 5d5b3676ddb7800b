// Package way has functions that crash where several conditions lead.
package way

import "strings"

// Outer calls inner if a is more than ten, and the text is right.
func Outer(a int, text string) int {
	if a <= 10 {
		return 0
	}
	switch {
	case text == "key":
		for i := 0; i < a; i++ {
			if i == 3 || a == 20 {
				return inner(a - 11) // the outer place
			}
		}
	}
	return 1
}

func inner(n int) int {
	if n < 0 || n%2 == 1 && n != 7 {
		panic("no")
	} else if strings.Repeat("a", n) == "" {
		return 1
	}
	list := []int{1, 2, 3, 4}
	total := 0
	for range list {
		total += list[n] // the crash
	}
	return 10 / total
}

// Text has a function literal and a slice expression on the way.
func Text(s string, b []byte, f float64) byte {
	type pair struct{ a, b int }
	var p *pair
	if f > 0.5 && len(s) != 2 {
		p = &pair{1, 2}
		func() {
			for {
				if p.a == p.b {
					return
				}
				p.a++
			}
		}()
		if x := s[len(s)-1:]; x == "\n" {
			return b[p.a:3][0] // the slice
		}
	}
	return 0
}

// Deep never returns for large numbers.
func Deep(n int) int {
	if n > 1000 {
		return Deep(n) + 1
	}
	return n
}

// Steep crashes if both are right, for some numbers.
func Steep(a int, text string) int {
	if a <= 10 {
		return 0
	}
	if text == "key" {
		if a%2 == 1 {
			panic("odd")
		}
		return []int{1, 2, 3}[a%8] // steep
	}
	return 1
}

// Same returns its argument.
func Same(n int) int { return n }
