package check

import (
	"slices"
	"testing"
)

// TestRecovered checks that panics which a deferred function recovers are warned of on request only,
// and marked; those that may end the program are not.
func TestRecovered(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod": "module recovered\n\ngo 1.24\n",
		"r.go": `package recovered

import "errors"

func Own(a, b int) (n int, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("failed")
		}
	}()
	return a / b, nil
}

func Inner(s []int) int {
	try(func() { s[3] = 1 })
	return s[2]
}

func try(f func()) {
	defer func() { recover() }()
	f()
}

func Again(s []int) int {
	defer func() {
		if r := recover(); r != nil && len(s) < 3 {
			panic(r)
		}
	}()
	return s[4]
}
`})
	for _, on := range []bool{false, true} {
		var got []string
		for _, w := range run(t, dir, Options{Recovered: on}).Warnings {
			mark := ""
			if w.Recovered {
				mark = " recovered"
			}
			got = append(got, w.Func+" "+w.Pos+mark)
		}
		want := []string{"recovered.Inner r.go:16:9", "recovered.Again r.go:30:9"}
		if on {
			want = []string{
				"recovered.Own r.go:11:11 recovered", "recovered.Inner r.go:15:15 recovered",
				"recovered.Inner r.go:16:9", "recovered.try r.go:21:2 recovered",
				"recovered.Again r.go:27:4 recovered", "recovered.Again r.go:30:9",
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("recovered %v: got\n%q, want\n%q", on, got, want)
		}
	}
}
