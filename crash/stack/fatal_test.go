package stack

import (
	"strings"
	"testing"
)

// TestNotByInputs: which fatal errors are no question of inputs.
func TestNotByInputs(t *testing.T) {
	for text, want := range map[string]string{
		"fatal error: concurrent map writes\n":                      "concurrent map writes: two goroutines",
		"fatal error: all goroutines are asleep - deadlock!\n":      "every goroutine waited",
		"fatal error: runtime: out of memory\n":                     "more memory than there was",
		"fatal error: unexpected signal during runtime execution\n": "after a race",
		"fatal error: sync: unlock of unlocked mutex\n":             "",
		"fatal error: stack overflow\n":                             "",
		"panic: concurrent map writes\n":                            "",
	} {
		p := Read(text + "\ngoroutine 1 [running]:\nmain.main()\n\t/m/main.go:3 +0x1\n")
		if p == nil {
			t.Fatalf("%q is not read", text)
		}
		if got := p.NotByInputs(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
