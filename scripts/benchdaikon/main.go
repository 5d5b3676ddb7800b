// Benchdaikon compares infer invariants with Daikon on the same traces. Both read each trace, in
// turns, from start to exit. It prints a line per trace: the medians of the times, their ratio,
// and the peak memory of each. The FILES of one trace are separated by commas.
//
//	go run ./scripts/benchdaikon -daikon COMMAND [-n TURNS] [-bin DIR] FILES...
//
// COMMAND is called with the files of a trace, for example:
//
//	java -Xmx128m -cp daikon.jar daikon.Daikon --no_text_output --no_show_progress \
//		-o /tmp/learned.inv.gz
//
// With -gods DIR, it first creates a trace of over a million records and leaves it in gods.dtrace.
// DIR is a copy of github.com/emirpasic/gods, which is not written to. The program gods.go.txt
// uses its containers at random; infer trace records it with several seeds, and infer merge merges
// the traces.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"dsd/infer/dtrace"
	"dsd/schemas"
)

// seeds is the number of seeds that the program is run with.
const seeds = 26

func main() {
	log.SetFlags(0)
	daikon := flag.String("daikon", "", "the command that runs Daikon")
	turns := flag.Int("n", 5, "number of times that each reads a trace")
	bin := flag.String("bin", "bin", "directory of infer")
	gods := flag.String("gods", "", "a copy of github.com/emirpasic/gods")
	flag.Parse()
	infer, err := filepath.Abs(filepath.Join(*bin, "infer"))
	if err != nil {
		log.Fatal(err)
	}
	traces := flag.Args()
	if *gods != "" {
		if err := record(infer, *gods, "gods.dtrace"); err != nil {
			log.Fatal(err)
		}
		traces = append(traces, "gods.dtrace")
	}
	if *daikon == "" || len(traces) == 0 {
		return
	}
	fmt.Printf("%-40s %10s %10s %7s %16s\n", "trace", "Daikon s", "infer s", "times", "MiB")
	for _, trace := range traces {
		files := strings.Split(trace, ",")
		theirs, ours := &timings{}, &timings{}
		for range *turns {
			theirs.add(slices.Concat(strings.Fields(*daikon), files))
			for range 3 { // short runs are noisier, so there are more
				ours.add(slices.Concat([]string{infer, "invariants", "-o", os.DevNull}, files))
			}
		}
		a, b := theirs.median(), ours.median()
		fmt.Printf("%-40s %10.3f %10.3f %7.1f %7d and %4d\n",
			filepath.Base(files[len(files)-1]), a, b, a/b, theirs.memory, ours.memory)
	}
}

// timings holds the measurements of a command.
type timings struct {
	seconds []float64
	memory  int64 // the peak, in MiB
}

func (r *timings) add(command []string) {
	cmd := exec.Command(command[0], command[1:]...)
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		log.Fatalf("%s: %v\n%s", command[0], err, out)
	}
	r.seconds = append(r.seconds, time.Since(begin).Seconds())
	r.memory = max(r.memory, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10)
}

func (r *timings) median() float64 {
	slices.Sort(r.seconds)
	return r.seconds[len(r.seconds)/2]
}

// record writes the trace of gods.
func record(infer, dir, name string) error {
	work, err := os.MkdirTemp("", "benchdaikon-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program, err := os.ReadFile(filepath.Join("scripts", "benchdaikon", "gods.go.txt"))
	if err != nil {
		return err
	}
	module := filepath.Join(work, "gods")
	if err := os.CopyFS(module, os.DirFS(dir)); err != nil {
		return err
	}
	main := filepath.Join(module, "cmd", "use")
	if err := os.MkdirAll(main, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(main, "main.go"), program, 0o644); err != nil {
		return err
	}
	var parts []string
	for seed := range seeds {
		part := filepath.Join(work, fmt.Sprintf("%d.jsonl", seed))
		parts = append(parts, part)
		err := run(infer, "trace", "-C", module, "-o", part, "./...",
			"--", "go", "run", "./cmd/use", strconv.Itoa(seed))
		if err != nil {
			return err
		}
	}
	all := filepath.Join(work, "all.jsonl")
	if err := run(infer, slices.Concat([]string{"merge", "-o", all}, parts)...); err != nil {
		return err
	}
	f, err := os.Open(all)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := schemas.NewTraceReader(f, all)
	if err != nil {
		return err
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := dtrace.Write(out, t); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

func run(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = io.Discard, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %v\n%s", filepath.Base(name), args[0], err, stderr.String())
	}
	return nil
}
