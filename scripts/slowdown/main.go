// Slowdown measures how much infer trace slows down the tests of a module. The tests of every
// package are compiled plain and instrumented, and run in turns. It prints a line per module: the
// wall time of both (median of the turns) and their ratio; how many tests and subtests end as they
// do in the plain run; the peak memory of the tests, plain and instrumented; the size of the
// trace; and the peak memory of tracing and of learning.
//
//	go run ./scripts/slowdown [-n TURNS] DIR...
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"syscall"
	"time"

	"dsd/infer/instrument"
	"dsd/internal/overlay"
	"dsd/internal/source"
)

func main() {
	log.SetFlags(0)
	turns := flag.Int("n", 5, "number of times that the tests run")
	bin := flag.String("bin", "bin", "directory of infer")
	flag.Parse()
	fmt.Printf("%-12s %9s %9s %6s  %-28s %13s %9s %9s %9s\n", "module", "plain s", "traced s", "ratio",
		"tests with equal outcome", "test MiB", "trace MB", "trace MiB", "learn MiB")
	var ratios []float64
	for _, dir := range flag.Args() {
		ratio, err := measure(dir, *bin, *turns)
		if err != nil {
			log.Printf("%s: %v", dir, err)
			continue
		}
		ratios = append(ratios, ratio)
	}
	if len(ratios) > 0 {
		sort.Float64s(ratios)
		fmt.Printf("ratio: median %.2f, maximum %.2f\n", median(ratios), ratios[len(ratios)-1])
	}
}

// variant is one way to run the tests of a module: plain or traced.
type variant struct {
	binaries []string
	seconds  []float64
	results  map[string][]string // by package and test: the outcome of each run
	memory   int64               // the peak, in KiB
}

func measure(dir, bin string, turns int) (float64, error) {
	ctx := context.Background()
	dir, err := filepath.Abs(dir)
	if err != nil {
		return 0, err
	}
	prog, err := source.Load(ctx, dir, []string{"./..."})
	if err != nil {
		return 0, err
	}
	plain, err := overlay.Open(prog.Dir)
	if err != nil {
		return 0, err
	}
	defer plain.Close()
	traced, err := overlay.Open(prog.Dir)
	if err != nil {
		return 0, err
	}
	defer traced.Close()
	for name, content := range instrument.Rewrite(prog, instrument.DefaultDepth).Files {
		if err := traced.Add(name, content); err != nil {
			return 0, err
		}
	}
	var packages []*source.Package
	for _, p := range prog.Packages {
		if len(p.TestFiles) > 0 {
			packages = append(packages, p)
		}
	}
	variants := [2]*variant{}
	for i, o := range []*overlay.Overlay{plain, traced} {
		s := &variant{results: map[string][]string{}}
		for j, p := range packages {
			file := filepath.Join(o.Scratch, fmt.Sprintf("test%d", j))
			cmd, err := o.Command(ctx, "test", "-c", "-o", file, p.Path)
			if err != nil {
				return 0, err
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				return 0, fmt.Errorf("%s: %w\n%s", p.Path, err, out)
			}
			s.binaries = append(s.binaries, file)
		}
		variants[i] = s
	}
	for range turns {
		for i, s := range variants {
			total := 0.0
			for j, p := range packages {
				seconds, err := s.run(s.binaries[j], p, i == 1)
				if err != nil {
					return 0, err
				}
				total += seconds
			}
			s.seconds = append(s.seconds, total)
		}
	}
	trace := filepath.Join(traced.Scratch, "trace.jsonl")
	tracing, err := memoryOf(filepath.Join(bin, "infer"), "trace", "-C", dir, "-o", trace, "./...")
	if err != nil {
		return 0, err
	}
	learning, err := memoryOf(filepath.Join(bin, "infer"), "invariants", "-o", os.DevNull, trace)
	if err != nil {
		return 0, err
	}
	st, err := os.Stat(trace)
	if err != nil {
		return 0, err
	}
	a, b := median(variants[0].seconds), median(variants[1].seconds)
	same, all, differ := compare(variants[0].results, variants[1].results)
	fmt.Printf("%-12s %9.2f %9.2f %6.2f  %-28s %13s %9.1f %9d %9d\n",
		filepath.Base(dir), a, b, b/a, fmt.Sprintf("%d of %d", same, all),
		fmt.Sprintf("%d -> %d", variants[0].memory>>10, variants[1].memory>>10),
		float64(st.Size())/1e6, tracing>>10, learning>>10)
	for _, d := range differ {
		fmt.Println("   ", d)
	}
	return b / a, nil
}

var outcome = regexp.MustCompile(`(?m)^\s*--- (PASS|FAIL|SKIP): (\S+)`)

// run runs a test binary once.
func (s *variant) run(binary string, p *source.Package, traced bool) (seconds float64, err error) {
	cmd := exec.Command(binary, "-test.v", "-test.timeout=10m", "-test.count=1")
	cmd.Dir = p.Dir
	cmd.Env = append(os.Environ(), "PWD="+p.Dir)
	if traced {
		samples, err := os.MkdirTemp("", "slowdown-")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(samples)
		cmd.Env = append(cmd.Env, "DSD_TRACE="+samples)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	err = cmd.Run()
	seconds = time.Since(start).Seconds()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	s.memory = max(s.memory, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	for _, m := range outcome.FindAllStringSubmatch(out.String(), -1) {
		name := p.Path + " " + m[2]
		s.results[name] = append(s.results[name], m[1])
	}
	name := p.Path + " exit status"
	s.results[name] = append(s.results[name], fmt.Sprint(cmd.ProcessState.ExitCode()))
	return seconds, nil
}

// compare counts the tests with the same outcomes in both variants, and describes the others.
func compare(a, b map[string][]string) (same, all int, differ []string) {
	names := map[string]bool{}
	for n := range a {
		names[n] = true
	}
	for n := range b {
		names[n] = true
	}
	for n := range names {
		all++
		if slices.Equal(a[n], b[n]) {
			same++
		} else {
			differ = append(differ, fmt.Sprintf("%s: plain %v, traced %v", n, a[n], b[n]))
		}
	}
	sort.Strings(differ)
	return same, all, differ
}

// memoryOf runs a command and returns its peak memory in KiB, without that of its child processes.
func memoryOf(name string, args ...string) (int64, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss, nil
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}
