package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the commands of scripts print into the scripts")

// answer is what a step came to.
type answer struct {
	step
	got  []string
	code int
}

// rewrite puts answers in place of what a script wants. A wanted line that leaves something open, and fits, stays.
func rewrite(t *testing.T, file, text string, answers []answer) {
	at := map[int]answer{}
	for _, a := range answers {
		at[a.line] = a
	}
	var out []string
	skip := false
	for i, l := range strings.Split(text, "\n") {
		if skip && l != "" && !strings.HasPrefix(l, "$ ") && !marker.MatchString(l) {
			continue
		}
		skip = false
		out = append(out, l)
		a, ok := at[i+1]
		if !ok {
			continue
		}
		if skip = true; a.code != 0 {
			out = append(out, fmt.Sprintf("exit %d", a.code))
		}
		for _, line := range a.got {
			if line == "" {
				t.Errorf("%s:%d: %s prints an empty line, which a script cannot want", file, a.line, a.command)
			}
			for _, w := range a.want {
				if strings.Contains(w, "...") && matches([]string{line}, []string{w}) {
					line = w
					break
				}
			}
			out = append(out, line)
		}
	}
	if err := os.WriteFile(file, []byte(strings.Join(out, "\n")), 0o666); err != nil {
		t.Error(err)
	}
}
