package check

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"dsd/internal/source"
)

// TestPromising: exported functions come first, those with the most assertions at the front, each
// after what it waits for: here low, which is called through an interface, and those of even and odd,
// which call each other, that come lower. A lower rank comes before all that.
func TestPromising(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": `package m

type reader interface{ get(l []int, i int) int }

type plain struct{}

func (plain) get(l []int, i int) int { return low(l, i) }

func low(l []int, i int) int { return l[i] }

func unused(l []int) int { return l[0] + l[1] + l[2] + l[3] + l[4] + l[5] + l[6] + l[7] }

func One(l []int) int { return l[0] }

func Even(l []int, n int) bool { return n == 0 || odd(l, n-1) }

func odd(l []int, n int) bool { return n != low(l, 0) && Even(l, n-1) }

func Most(r reader, l []int) int { return l[0] + l[1] + l[2] + l[3] + r.get(l, 4) }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, b := lowered(t, prog, Options{})
	names := func() (order []string) {
		for _, i := range b.cache.Order {
			order = append(order, b.roots[i].Func.Obj.Name())
		}
		return order
	}
	unusedFirst := func(f *source.Func) int {
		if f.Obj.Name() == "unused" {
			return 0
		}
		return 1
	}
	b.cache.Promising(b.roots, unusedFirst)
	if order := names(); order[0] != "unused" || order[1] == "One" {
		t.Errorf("the lowest rank does not come first, and then the most assertions: %v", order)
	}
	b.cache.Promising(b.roots, func(*source.Func) int { return 0 })
	order := names()
	at := func(name string) int { return slices.Index(order, name) }
	for n, i := range b.cache.Order {
		for _, key := range b.cache.Awaited(b.roots[i].Key) {
			if !slices.ContainsFunc(b.cache.Order[:n], func(i int) bool { return b.roots[i].Key == key }) {
				t.Errorf("%s comes before %s, for which it waits", order[n], key)
			}
		}
	}
	if len(order) != 7 || at("Even") > at("unused") || at("low") > at("Most") || at("get") > at("Most") ||
		at("Most") > at("One") || at("One") > at("unused") {
		t.Errorf("order %v", order)
	}
}

func TestAnalysisTime(t *testing.T) {
	for _, tt := range []struct {
		left     time.Duration
		n, total int
		lowering time.Duration
		want     time.Duration
	}{
		{60 * time.Second, 100, 100, time.Second, 59 * time.Second},     // a small module
		{60 * time.Second, 100, 1000, 2 * time.Second, 4 * time.Second}, // a tenth of a module
		{60 * time.Second, 10, 1000, 5 * time.Second, 5 * time.Second},  // lowering takes more than the share
		{10 * time.Second, 100, 100, 40 * time.Second, 10 * time.Second},
		{time.Nanosecond, 10, 100, time.Second, time.Nanosecond},
		{0, 10, 100, time.Second, 0}, // no budget
	} {
		if got := analysisTime(tt.left, tt.n, tt.total, tt.lowering); got != tt.want {
			t.Errorf("%v for %d of %d functions, lowered in %v: got %v, want %v", tt.left, tt.n, tt.total, tt.lowering, got, tt.want)
		}
	}
}
