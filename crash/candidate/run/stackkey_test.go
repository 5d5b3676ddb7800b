package run

import (
	"math/rand"
	"runtime"
	"testing"
	"unsafe"
)

// walk calls itself from one of three places, as the choices say, and panics after the last one.
//
//go:noinline
func walk(choices []int, noise uint64) uint64 {
	local := [4]uint64{noise, noise >> 8, noise >> 16} // makes the stacks differ in data
	if len(choices) == 0 {
		return local[noise%3] + crash(int(noise>>3%8), noise)
	}
	switch choices[0] {
	case 0:
		return walk(choices[1:], noise) + local[2]
	case 1:
		return walk(choices[1:], noise*3) + local[1]
	}
	return leaf(choices[1:], noise) + local[0]
}

//go:noinline
func leaf(choices []int, noise uint64) uint64 { return walk(choices, noise^1) }

// crash panics in the given way.
//
//go:noinline
func crash(how int, noise uint64) uint64 {
	var list []int
	var node *struct {
		far  [1 << 13]byte
		next *uint64
	}
	var any any = noise
	switch how {
	case 0:
		return uint64(list[noise%5])
	case 1:
		return load(nil) + noise
	case 2: // at another return address
		return load(nil) - noise
	case 3:
		return *node.next
	case 4:
		return noise / zero
	case 5:
		return uint64(len(any.(string)))
	case 6:
		// faults in memmove
		copy(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), 8)), 100),
			"some text that is longer than a few words")
	}
	defer func() { noise++ }()
	if noise%2 == 0 {
		panic(any)
	}
	func() { panic(list) }()
	return noise
}

var zero uint64

// load is small enough to have no frame.
//
//go:noinline
func load(p *uint64) uint64 { return *p }

// TestStackKeys checks that panics have the same key if and only if they have the same stack.
func TestStackKeys(t *testing.T) {
	w := &worker{stacks: stackKeys{keys: map[uint64]uint64{}}}
	w.stacks.init()
	panicked := func(choices []int, noise uint64) (key uint64, stack [64]uintptr) {
		var end int
		defer func() {
			recover()
			runtime.Callers(1, stack[:])
			// As many functions between the panic and key as in production; see
			// skippedCallers.
			key = func() uint64 {
				return func() uint64 { return w.stacks.key(unsafe.Pointer(&end)) }()
			}()
		}()
		walk(choices, noise)
		return
	}
	keys, stacks := map[[64]uintptr]uint64{}, map[uint64][64]uintptr{}
	r := rand.New(rand.NewSource(1))
	const all = 20000
	for range all {
		choices := make([]int, r.Intn(5))
		for i := range choices {
			choices[i] = r.Intn(3)
		}
		key, stack := panicked(choices, r.Uint64())
		if k, ok := keys[stack]; ok && k != key {
			t.Fatalf("choices %v: the same stack has keys %x and %x", choices, k, key)
		}
		if s, ok := stacks[key]; ok && s != stack {
			t.Fatalf("choices %v: two stacks have the key %x", choices, key)
		}
		keys[stack], stacks[key] = key, stack
	}
	if n := len(w.stacks.keys); runtime.GOARCH == "amd64" && n != len(keys) {
		t.Errorf("%d frame lists for %d stacks", n, len(keys))
	}
	if len(keys) < 50 {
		t.Errorf("the test makes %d stacks only", len(keys))
	}
}
