// Package m has conditions and calls to be observed.
package m

import (
	"errors"
	"net/url"
	"path"
	"strings"
	"time"

	"example.com/m/inner"
)

type flag bool

// Clean calls functions of the standard library.
func Clean(s string) string {
	if strings.HasPrefix(s, "/") && len(s) > 2 {
		return path.Clean(s)
	}
	return path.Join(s, "x")
}

// Host has a call with two results, and a condition of a named type.
func Host(s string, ok flag) string {
	u, err := url.Parse(s)
	if err != nil || !ok {
		return ""
	}
	return strings.ToUpper(u.Hostname())
}

// Sum has loops, a switch and a call in another package.
func Sum(list []int) (n int) {
	for i := range list {
		switch list[i] {
		case 1:
			n++
		case 2, 3:
			n += inner.Twice(list[i])
		}
	}
	for n > 9 {
		n -= 10
	}
	return n
}

// Add has a value as receiver, and arguments that are not kept.
func Add(t time.Time, err error, hard bool) (string, error) {
	defer strings.ToUpper("x")
	if hard {
		return spread(split("a=b"))
	}
	t = t.Add(2 * time.Second)
	return t.Format(time.RFC3339), errors.Unwrap(err)
}

func split(s string) ([]string, error) { return strings.Split(s, "="), nil }

func spread(list []string, err error) (string, error) { return strings.Join(list, "+"), err }
