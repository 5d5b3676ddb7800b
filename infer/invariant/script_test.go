package invariant

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dsd/schemas"
)

var update = flag.Bool("update", false, "write the learned invariants to the scripts in testdata")

// TestScripts runs the scripts in testdata. A script feeds a point sample by sample and states what
// the point has learned at times. Its lines are:
//
//	point entry|exit
//	condition EXPR                  a condition of the source that divides the samples
//	confidence P                    the confidence of the point; the default is 0.9
//	var NAME TYPE REP [POINTER]     a variable of the point
//	3 * 5 | nil                     a sample that was seen 3 times; values in the order of the
//	                                variables
//	1 * 0..9 | 10..19               ten samples
//	want                            the invariants so far, one per line
//	  x == 5  [constant 0.9375 of 4]
//
// A line that starts with # is a comment. The flag -update rewrites the wanted invariants.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		if filepath.Ext(file) != ".txt" {
			t.Errorf("%s: not a script (want .txt)", file)
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runScript(t, file) })
	}
}

// runScript runs one script.
func runScript(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var decl schemas.TracePoint
	var p *Point
	confidence := 0.9
	lines := strings.Split(string(text), "\n")
	var updated []string
	defer func() {
		if *update && !t.Failed() {
			if err := os.WriteFile(file, []byte(strings.Join(updated, "\n")), 0o666); err != nil {
				t.Error(err)
			}
		}
	}()
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		updated = append(updated, lines[i])
		words := strings.Fields(line)
		at := fmt.Sprintf("%s:%d", file, i+1)
		switch {
		case line == "" || line[0] == '#':

		case words[0] == "point":
			decl, p = schemas.TracePoint{Func: "m.F", At: schemas.At(words[1])}, nil

		case words[0] == "var":
			v := schemas.TraceVar{Name: words[1], Type: words[2], Rep: schemas.Rep(words[3])}
			for _, w := range words[4:] {
				if w == "result" {
					v.Result = true
				} else {
					v.Pointer = w
				}
			}
			decl.Vars = append(decl.Vars, v)

		case words[0] == "confidence":
			if confidence, err = strconv.ParseFloat(words[1], 64); err != nil {
				t.Fatalf("%s: %v", at, err)
			}

		case words[0] == "condition":
			decl.Conditions = append(decl.Conditions, strings.TrimPrefix(lines[i], "condition "))

		case words[0] == "want":
			want := ""
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") {
				i++
				want += strings.TrimSpace(lines[i]) + "\n"
			}
			if p == nil {
				p = NewPoint(decl)
				p.Confidence = confidence
			}
			got := show(p.Invariants())
			if *update {
				for _, inv := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
					if inv != "" {
						updated = append(updated, "  "+inv)
					}
				}
			} else if got != want {
				t.Errorf("%s: got\n%swant\n%s", at, got, want)
			}

		default:
			count, rest, ok := strings.Cut(line, " * ")
			n, err := strconv.ParseInt(count, 10, 64)
			if !ok || err != nil {
				t.Fatalf("%s: unknown line %q", at, line)
			}
			if p == nil {
				p = NewPoint(decl)
				p.Confidence = confidence
			}
			for _, values := range expand(strings.Split(rest, " | ")) {
				if len(values) != len(decl.Vars) {
					t.Fatalf("%s: got %d values, want %d", at, len(values), len(decl.Vars))
				}
				p.Add(values, n)
			}
		}
	}
}

// expand returns the samples of a line. A range such as 0..9 makes several; other ranges of the
// line advance with the first.
func expand(values []string) [][]string {
	for i, v := range values {
		from, to, ok := strings.Cut(v, "..")
		a, err1 := strconv.Atoi(from)
		b, err2 := strconv.Atoi(to)
		if !ok || err1 != nil || err2 != nil {
			continue
		}
		var out [][]string
		for k := a; k <= b; k++ {
			row := slices.Clone(values)
			row[i] = strconv.Itoa(k)
			for j := i + 1; j < len(row); j++ {
				if from, _, ok := strings.Cut(values[j], ".."); ok {
					c, _ := strconv.Atoi(from)
					row[j] = strconv.Itoa(c + k - a)
				}
			}
			out = append(out, row)
		}
		return out
	}
	return [][]string{values}
}

// show returns one line per invariant.
func show(list []schemas.Invariant) string {
	var out strings.Builder
	for _, inv := range list {
		fmt.Fprintf(&out, "%s  [%s %v of %d]\n", inv.Expr, inv.Template, inv.Confidence, inv.Samples)
	}
	return out.String()
}
