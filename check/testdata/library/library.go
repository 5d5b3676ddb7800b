// Package library rests on what init functions and the standard library do.
package library

import (
	"container/ring"
	"flag"
	"net/http"
	"net/url"
	"os"
	"regexp"
)

// Variables that init functions give their only value have it in all functions.
var (
	initRegexp *regexp.Regexp
	initLimit  int
	initNames  []string
	initTwice  int
	initLocal  int
)

func init() {
	initRegexp = regexp.MustCompile(`^v(\d+)$`)
	initLimit = 3
	initNames = []string{"a", "b"}
	initTwice = 1
	n := len(os.Args)
	initLocal = n
}

func init() { initTwice = 2 }

func matchVersion(s string) string {
	m := initRegexp.FindStringSubmatchIndex(s)
	if m == nil {
		return ""
	}
	return s[m[0]:m[1]]
}

func nameOf(i int) string {
	if i < 0 || i > 1 || initLimit == 0 {
		return ""
	}
	return initNames[i]
}

func lastTwice() int { return 4 / initTwice }

func lastOfTwo(x int) int { return 4 / (initTwice - x) } // want div-zero

func unknownLocal() int { return 4 / initLocal } // want div-zero

func knownLimit(x int) int { return 1 / (initLimit - x) } // want div-zero

// Functions of the standard library return a result or an error.
func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return u.Host // want nil-deref
	}
	return u.Host
}

func proxyOf(r *http.Request) string {
	u, err := http.ProxyFromEnvironment(r)
	if err != nil {
		return ""
	}
	return u.Host // want nil-deref
}

// Constructors of the standard library do not return nil, with few exceptions.
func newFlags() string { return flag.NewFlagSet("", flag.ContinueOnError).Name() }

func newRing(n int) any {
	return ring.New(n).Value // want nil-deref
}
