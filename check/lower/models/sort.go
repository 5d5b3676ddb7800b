//go:build ignore

package sort

import (
	"sort"

	"dsd"
)

func Ints(x []int) {
	if len(x) > 1 {
		for i := range x {
			x[i] = dsd.Any[int]()
		}
	}
}
func Strings(x []string) {
	if len(x) > 1 {
		for i := range x {
			x[i] = dsd.Any[string]()
		}
	}
}
func Sort(data sort.Interface) {
	n := data.Len()
	if n > 1 {
		data.Less(1, 0)
		data.Swap(0, 1)
	}
}
func Stable(data sort.Interface) { Sort(data) }
func Search(n int, f func(int) bool) int {
	if n <= 0 {
		return 0
	}
	f(n / 2) // the first call
	i := dsd.Any[int]()
	dsd.Assume(0 <= i && i <= n)
	if i > 0 {
		dsd.Assume(!f(i - 1))
	}
	if i < n {
		dsd.Assume(f(i))
	}
	return i
}
func SearchInts(a []int, x int) int {
	i := dsd.Any[int]()
	dsd.Assume(0 <= i && i <= len(a))
	dsd.Assume(i == len(a) || a[i] >= x)
	return i
}
func SearchStrings(a []string, x string) int {
	i := dsd.Any[int]()
	dsd.Assume(0 <= i && i <= len(a))
	return i
}
