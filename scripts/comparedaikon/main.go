package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"

	"dsd/schemas"
)

func main() {
	log.SetFlags(0)
	verbose := flag.Bool("v", false,
		"print each invariant that is missing, with -t each that is found")
	turn := flag.Bool("t", false, "negate Daikon's invariants first")
	flag.Parse()
	var all result
	for _, arg := range flag.Args() {
		parts := strings.Split(arg, ":")
		if len(parts) != 3 {
			log.Fatalf("invalid argument %q: want NAME:PRINTED:DOCUMENT", arg)
		}
		doc, err := readDocument(parts[2])
		if err != nil {
			log.Fatal(err)
		}
		printed, err := os.ReadFile(parts[1])
		if err != nil {
			log.Fatal(err)
		}
		r := compareLines(string(printed), doc, *turn)
		r.print(parts[0])
		r.printListed(*verbose)
		all.claims, all.found = all.claims+r.claims, all.found+r.found
	}
	all.print("all")
}

// result counts the claims of a file that a document states.
type result struct {
	claims, found int
	// listed are the claims to look at: those that are missing, or of negated ones those that
	// were found.
	listed []listed
}

// listed is a claim at a program point.
type listed struct {
	at place
	*claim
}

var (
	longLiteral   = regexp.MustCompile(`(\d)L\b`)
	classLiteral  = regexp.MustCompile(`([\w.$]+)\.class\b`)
	conditionLine = regexp.MustCompile(`^(.*):::(EXIT\d*);condition="(not\()?(.*) == true\)?"$`)
	typeLine      = regexp.MustCompile(`^(.*):::(OBJECT|CLASS)$`)
	pointLine     = regexp.MustCompile(`^(.*):::(ENTER|EXIT\d*)$`)
)

// compareLines judges the lines that daikon.PrintInvariants printed. If turn is set, each is
// negated first, and those that cannot be negated are left out.
func compareLines(printed string, doc document, turn bool) *result {
	r := &result{}
	var at place
	premise := "" // of the lines of a part of the samples
	lines := bufio.NewScanner(strings.NewReader(printed))
	lines.Buffer(nil, len(printed)+1)
	for lines.Scan() {
		line := longLiteral.ReplaceAllString(lines.Text(), "$1")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "===") ||
			strings.HasPrefix(line, "Daikon") || strings.HasPrefix(line, "Exiting") {
			continue
		}
		if m := conditionLine.FindStringSubmatch(line); m != nil {
			truth := 1
			if m[3] != "" {
				truth = 0
			}
			premise = fmt.Sprintf("(%s == %d)  ==>  ", m[4], truth)
			continue
		}
		// A type is a string in the trace.
		line = classLiteral.ReplaceAllString(line, `"$1"`)
		if m := typeLine.FindStringSubmatch(line); m != nil {
			at, premise = place{m[1], schemas.AtType}, ""
			continue
		}
		if m := pointLine.FindStringSubmatch(line); m != nil {
			at, premise = place{m[1], schemas.At(strings.ToLower(m[2]))}, ""
			if m[2] == "ENTER" {
				at.at = schemas.AtEntry
			} else if doc[at] == nil {
				at.at = schemas.AtExit
			}
			continue
		}
		c := parseClaim(line)
		if turn {
			if premise != "" {
				continue
			}
			if c = c.turned(); c == nil {
				continue
			}
		}
		if premise != "" {
			c = parseClaim(premise + "(" + line + ")")
		}
		r.claims++
		found := doc.states(at, c)
		if found {
			r.found++
		}
		if found == turn {
			r.listed = append(r.listed, listed{at, c})
		}
	}
	return r
}

// print prints how many claims were found.
func (r *result) print(name string) {
	percent := 100 * float64(r.found) / float64(max(r.claims, 1))
	fmt.Printf("%-14s %5d of %5d  %5.1f %%\n", name, r.found, r.claims, percent)
}

// maxKinds is the number of kinds of listed claims that are printed.
const maxKinds = 40

// printListed prints the kinds of the listed claims, the most frequent first, and each claim if
// verbose is set.
func (r *result) printListed(verbose bool) {
	counts := map[string]int{}
	var kinds []string
	for _, m := range r.listed {
		k := m.kind()
		if counts[k]++; counts[k] == 1 {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return counts[b] - counts[a] })
	for _, k := range kinds[:min(maxKinds, len(kinds))] {
		fmt.Printf("    %4d  %.140s\n", counts[k], k)
	}
	if verbose {
		for _, m := range r.listed {
			line := fmt.Sprintf("    %s %s: %s", m.at.fn, m.at.at, m.text)
			fmt.Printf("%.260s\n", line)
		}
	}
}
