package e2e_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the actual output of the commands into the scripts")

// result is the actual output and exit status of a step.
type result struct {
	step
	got  []string
	code int
}

// rewrite replaces the wanted output of steps by their results. A wanted line with ... stays if it
// matches.
func rewrite(t *testing.T, file, text string, results []result) {
	at := map[int]result{}
	for _, a := range results {
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
				t.Errorf("%s:%d: %s prints an empty line, which a script cannot contain", file, a.line,
					a.command)
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
