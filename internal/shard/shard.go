// Package shard divides work among machines: each does one of several parts, and merging their documents
// gives that of one run.
package shard

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Of parts, from 1 on; the zero Shard is all of them.
type Shard struct{ Number, Of int }

// Parse reads a shard such as "2/4"; "" is the zero Shard.
func Parse(text string) (s Shard, err error) {
	if text == "" {
		return s, nil
	}
	i, n, _ := strings.Cut(text, "/")
	if s.Number, err = strconv.Atoi(i); err == nil {
		s.Of, err = strconv.Atoi(n)
	}
	if err != nil || s.Number < 1 || s.Number > s.Of {
		return Shard{}, fmt.Errorf("%q: want I/N, such as 2/4, with I from 1 to N", text)
	}
	return s, nil
}

// First reports whether what belongs to no part in particular is the shard's.
func (s Shard) First() bool { return s.Number <= 1 }

// Each reports which of n things are the shard's, if each of them counts the same.
func (s Shard) Each(n int) []bool {
	mine := make([]bool, n)
	for i := range mine {
		mine[i] = s.Of == 0 || i%s.Of == s.Number-1
	}
	return mine
}

// Runs reports which of the things with those weights, at least 1, are the shard's: of neighbors about as
// much as of any other shard. together reports whether a thing must be with the one before it.
func (s Shard) Runs(weights []int, together func(i int) bool) []bool {
	mine := make([]bool, len(weights))
	total, before, number := 0, 0, 1
	for _, w := range weights {
		total += w
	}
	for i, w := range weights {
		if i == 0 || !together(i) {
			number = min(s.Of, before*s.Of/total+1)
		}
		mine[i] = s.Of == 0 || number == s.Number
		before += w
	}
	return mine
}
