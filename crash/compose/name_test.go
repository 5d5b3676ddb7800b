package compose

import (
	"slices"
	"testing"
)

// TestUseAll checks that variables that nothing uses are assigned before the call.
func TestUseAll(t *testing.T) {
	for _, tt := range []struct{ lines, want []string }{
		{[]string{"\tp := 1", "\tF()"}, []string{"\tp := 1", "\t_ = p", "\tF()"}},
		{[]string{"\tp := 1", "\tF(p)"}, []string{"\tp := 1", "\tF(p)"}},
		{[]string{"\tvar n T", "\tx := S{n: 1}", "\tx.n()"},
			[]string{"\tvar n T", "\tx := S{n: 1}", "\t_ = n", "\tx.n()"}},
	} {
		w := &writer{lines: slices.Clone(tt.lines)}
		if w.useAll(); !slices.Equal(w.lines, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.lines, w.lines, tt.want)
		}
	}
}
