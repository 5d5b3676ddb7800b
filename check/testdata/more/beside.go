package more

import (
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"
)

// Goroutines, and function literals that others may call.

func GoWaits(c chan int) (sum int) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for x := range c {
			sum += 100 / x // want div-zero
		}
	})
	wg.Wait()
	return sum
}

func Later(n int) *time.Timer {
	return time.AfterFunc(time.Second, func() {
		_ = 100 / n // want div-zero
	})
}

func Handler(users map[string]*decoded) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		u := users[r.URL.Path] // want nil-deref
		if w.Header() != nil {
			_ = u.A // want nil-deref
		}
	})
}

func Sorted(s []int) {
	sort.Slice(s, func(i, j int) bool { return s[i] < s[j] })
}

func SortedBy(s, by []int) {
	sort.Slice(s, func(i, j int) bool { return by[i] < s[j] }) // want index
}

func Mapped(s string, table []rune) string {
	return strings.Map(func(r rune) rune {
		return table[r] // want index
	}, s)
}

type callbackTable struct{ f func(i int) int }

func Stored(t *callbackTable, s []int) {
	if t != nil {
		t.f = func(i int) int { return s[i] } // want index
	}
}

func Returned(s []int) func(i int) int {
	return func(i int) int { return s[i] } // want index
}

func ReturnedGuarded(s []int) func(i int) int {
	return func(i int) int {
		if i < 0 || i >= len(s) {
			return 0
		}
		return s[i]
	}
}
