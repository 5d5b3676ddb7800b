//go:build ignore

package regexp

import (
	"regexp"

	"dsd"
)

func MustCompile(str string) *regexp.Regexp { return new(regexp.Regexp) }
func Compile(expr string) (*regexp.Regexp, error) {
	if dsd.Any[bool]() {
		return new(regexp.Regexp), nil
	}
	err := dsd.Any[error]()
	dsd.Assume(err != nil)
	return nil, err
}

// found returns what a match makes of s: a part of it.
func found(s string) string {
	i, j := dsd.Any[int](), dsd.Any[int]()
	dsd.Assume(0 <= i && i <= j && j <= len(s))
	return s[i:j]
}

// pairs returns the n indexes of a match in something of a length, two for each group: a group that
// did not match has -1 twice. Those of the first group are those of the match.
func pairs(length int) []int {
	loc := dsd.Any[[]int]()
	dsd.Assume(2 <= len(loc) && len(loc)%2 == 0)
	dsd.Assume(0 <= loc[0] && loc[0] <= loc[1] && loc[1] <= length)
	for i := 2; i+1 < len(loc); i += 2 {
		dsd.Assume(loc[i] == -1 && loc[i+1] == -1 || loc[0] <= loc[i] && loc[i] <= loc[i+1] &&
			loc[i+1] <= loc[1])
	}
	return loc
}

func QuoteMeta(s string) string {
	q := dsd.Any[string]()
	dsd.Assume(len(s) <= len(q) && len(q) <= 2*len(s))
	return q
}
func Regexp_FindString(re *regexp.Regexp, s string) string { return found(s) }
func Regexp_FindStringIndex(re *regexp.Regexp, s string) []int {
	if dsd.Any[bool]() {
		return nil
	}
	i, j := dsd.Any[int](), dsd.Any[int]()
	dsd.Assume(0 <= i && i <= j && j <= len(s))
	return []int{i, j}
}
func Regexp_FindIndex(re *regexp.Regexp, b []byte) []int {
	if dsd.Any[bool]() {
		return nil
	}
	i, j := dsd.Any[int](), dsd.Any[int]()
	dsd.Assume(0 <= i && i <= j && j <= len(b))
	return []int{i, j}
}
func Regexp_FindStringSubmatchIndex(re *regexp.Regexp, s string) []int {
	if dsd.Any[bool]() {
		return nil
	}
	return pairs(len(s))
}
func Regexp_FindSubmatchIndex(re *regexp.Regexp, b []byte) []int {
	if dsd.Any[bool]() {
		return nil
	}
	return pairs(len(b))
}
func Regexp_FindStringSubmatch(re *regexp.Regexp, s string) []string {
	if dsd.Any[bool]() {
		return nil
	}
	list := dsd.Any[[]string]()
	dsd.Assume(1 <= len(list))
	dsd.Assume(len(list[0]) <= len(s))
	return list
}
func Regexp_Split(re *regexp.Regexp, s string, n int) []string {
	if n == 0 {
		return nil
	}
	list := dsd.Any[[]string]()
	dsd.Assume(1 <= len(list) && (n < 0 || len(list) <= n))
	return list
}
func Regexp_NumSubexp(re *regexp.Regexp) int {
	n := dsd.Any[int]()
	dsd.Assume(n >= 0)
	return n
}
