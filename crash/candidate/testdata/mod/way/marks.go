package way

import "strings"

// Marks returns a number for a list of marks, such as "a=1 b .". A dot is short for a name that no text of the package has.
func Marks(list string) int {
	special := strings.Repeat("kx", 3)
	seen, sum := 0, 0
	for _, m := range strings.Fields(list) {
		name, value, _ := strings.Cut(m, "=")
		if name == "." {
			name = special
		}
		if name == special {
			if seen++; seen > 1 {
				sum += []int{seen}[len(value)] // the value
			}
		}
	}
	return sum
}
