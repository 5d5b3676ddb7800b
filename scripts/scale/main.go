// Scale measures whether the time of learning is proportional to the number of samples. It writes
// traces of 1e5, 1e6 and 1e7 samples of the same functions, nearly all of them different, and
// times infer invariants on each, from start to exit. The sizes are timed in turns, and rates are
// compared within a turn, so that a machine that slows down for a while affects all sizes.
//
// It prints a line per size with medians over the turns: the time; samples per second, in total
// and without the time for a trace of one call per function; both also as a fraction of the best
// rate of the turn; and the peak memory.
//
// With -within, it times the same work, from the header of the trace to the document, repeatedly
// in its own process: without process start, and with memory already allocated.
//
//	go run ./scripts/scale [-n TURNS] [-bin DIR] [-dtrace] [-within]
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"time"

	"dsd/infer"
	"dsd/infer/dtrace"
	"dsd/schemas"
)

// functions is the number of functions; each has an entry and an exit.
const functions = 24

func main() {
	log.SetFlags(0)
	turns := flag.Int("n", 5, "number of times that each trace is read")
	bin := flag.String("bin", "bin", "directory of infer")
	daikon := flag.Bool("dtrace", false, "write the traces in Daikon's format")
	within := flag.Bool("within", false, "learn in this process instead of starting infer")
	flag.Parse()
	if *within {
		debug.SetGCPercent(400) // like the command, which hardly collects garbage at first
	}
	dir, err := os.MkdirTemp("", "scale")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	sizes := []int{2 * functions, 1e5, 1e6, 1e7}
	files := map[int]string{}
	for _, n := range sizes {
		if files[n], err = write(dir, n, *daikon); err != nil {
			log.Fatal(err)
		}
	}
	rows := make([]row, len(sizes))
	for range *turns {
		seconds := make([][]float64, len(sizes))
		for _, next := range sequence {
			for range next.times {
				trace, r := files[sizes[next.size]], &rows[next.size]
				begin := time.Now()
				if *within {
					learn(trace, *daikon)
				} else {
					r.memory = max(r.memory, run(*bin, trace))
				}
				seconds[next.size] = append(seconds[next.size], time.Since(begin).Seconds())
			}
		}
		start := median(seconds[0])
		var all, beyond []float64
		for i, n := range sizes {
			s := median(seconds[i])
			rows[i].seconds = append(rows[i].seconds, s)
			all = append(all, float64(n)/s)
			beyond = append(beyond, 0)
			if i > 0 {
				beyond[i] = float64(n-sizes[0]) / (s - start)
			}
		}
		for i := range rows {
			r := &rows[i]
			r.total = append(r.total, all[i])
			r.totalPart = append(r.totalPart, all[i]/slices.Max(all))
			r.beyond = append(r.beyond, beyond[i])
			r.beyondPart = append(r.beyondPart, beyond[i]/slices.Max(beyond))
		}
	}
	fmt.Println("   samples   seconds  samples/s  part     beyond  part   MiB")
	for i, n := range sizes {
		r := &rows[i]
		fmt.Printf("%10d %9.4f %10.0f  %4.2f %10.0f  %4.2f %5d\n", n, median(r.seconds),
			median(r.total), median(r.totalPart), median(r.beyond), median(r.beyondPart), r.memory)
	}
}

// row holds the measurements of one size. The slices have an element per turn.
type row struct {
	seconds       []float64
	total, beyond []float64 // samples per second, in total and without the smallest trace
	totalPart     []float64 // total as a fraction of the best of the turn
	beyondPart    []float64 // beyond as a fraction of the best of the turn
	memory        int64     // the peak, in MiB
}

// sequence is the order of one turn: the index of a size, and how often it is timed. Sizes that
// take milliseconds are timed often, before and after those that take seconds.
var sequence = []struct{ size, times int }{
	{0, 8}, {1, 8}, {2, 1}, {1, 8}, {0, 8}, {3, 1}, {0, 8}, {1, 8}, {2, 1}, {1, 8}, {0, 8},
}

// run runs infer invariants on a trace. It returns the peak memory in MiB.
func run(bin, trace string) (memory int64) {
	cmd := exec.Command(filepath.Join(bin, "infer"), "invariants", "-o", os.DevNull, trace)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		log.Fatal(err)
	}
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
}

// learn does the work of infer invariants in this process.
func learn(trace string, daikon bool) {
	var doc *schemas.Invariants
	var err error
	if daikon {
		doc, err = infer.FromDaikon([]string{trace}, 0.99, os.Stderr)
	} else {
		var f *os.File
		open := func() (*schemas.TraceReader, error) {
			if f, err = os.Open(trace); err != nil {
				return nil, err
			}
			return schemas.NewTraceReader(f, trace)
		}
		doc, err = infer.Invariants([]infer.Source{open}, 0.99, os.Stderr)
		f.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
	if err := schemas.WriteInvariants(io.Discard, doc); err != nil {
		log.Fatal(err)
	}
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// write writes a trace of n samples, half of them at entries and half at exits, and returns its
// name. In Daikon's format, each sample is a record.
func write(dir string, n int, daikon bool) (string, error) {
	name := filepath.Join(dir, fmt.Sprintf("%d.jsonl", n))
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	t, err := schemas.NewTraceWriter(f, header())
	if err != nil {
		return "", err
	}
	random := rand.New(rand.NewSource(1))
	for i := range n / 2 {
		entry, exit := call(random, i%functions)
		if err := t.WriteSample(entry); err != nil {
			return "", err
		}
		if err := t.WriteSample(exit); err != nil {
			return "", err
		}
	}
	if err := t.Close(); err != nil || !daikon {
		return name, err
	}
	if _, err := f.Seek(0, 0); err != nil {
		return "", err
	}
	r, err := schemas.NewTraceReader(f, name)
	if err != nil {
		return "", err
	}
	records := filepath.Join(dir, fmt.Sprintf("%d.dtrace", n))
	g, err := os.Create(records)
	if err != nil {
		return "", err
	}
	defer g.Close()
	defer os.Remove(name)
	return records, dtrace.Write(g, r)
}

// header declares the methods of a queue.
func header() schemas.TraceHeader {
	h := schemas.TraceHeader{
		Header:   schemas.Header{Module: schemas.Module{Path: "example.com/queue", Go: "1.21"}},
		Packages: []string{"example.com/queue"},
		Tests:    1,
	}
	state := []schemas.TraceVar{
		{Name: "q", Type: "*Queue", Rep: schemas.RepRef},
		{Name: "q.size", Type: "int", Rep: schemas.RepInt, Pointer: "q"},
		{Name: "q.limit", Type: "int", Rep: schemas.RepInt, Pointer: "q"},
		{Name: "q.head", Type: "*node", Rep: schemas.RepRef, Pointer: "q"},
		{Name: "q.name", Type: "string", Rep: schemas.RepString, Pointer: "q"},
	}
	params := []schemas.TraceVar{
		{Name: "key", Type: "int", Rep: schemas.RepInt},
		{Name: "weight", Type: "float64", Rep: schemas.RepFloat},
		{Name: "urgent", Type: "bool", Rep: schemas.RepBool},
	}
	for i := range functions {
		name := fmt.Sprintf("example.com/queue.(*Queue).Method%d", i)
		entry := slices.Concat(state, params)
		var exit []schemas.TraceVar
		for _, v := range state[1:] {
			v.Name = "old(" + v.Name + ")"
			exit = append(exit, v)
		}
		exit = slices.Concat(exit, entry, []schemas.TraceVar{
			{Name: "n", Type: "int", Rep: schemas.RepInt, Result: true},
			{Name: "err", Type: "error", Rep: schemas.RepType, Result: true},
		})
		for at, vars := range map[schemas.At][]schemas.TraceVar{
			schemas.AtEntry: entry, schemas.AtExit: exit,
		} {
			h.Points = append(h.Points, schemas.TracePoint{
				Func: name, At: at, Receiver: "q", Params: []string{"key", "weight", "urgent"},
				Results: []string{"n", "err"}, Vars: vars,
			})
		}
		slices.SortFunc(h.Points[2*i:],
			func(a, b schemas.TracePoint) int { return len(a.Vars) - len(b.Vars) })
	}
	return h
}

// call returns the samples of a call. Some methods add, some remove, some only look; all of them
// fail for a negative key.
func call(random *rand.Rand, method int) (entry, exit schemas.Sample) {
	size, limit := random.Intn(1000), 1000
	key, urgent := random.Intn(1_000_000)-1000, random.Intn(2) == 0
	head, failure, result, next := "1", "nil", size, size
	name := `"queue` + strconv.Itoa(random.Intn(50)) + `"`
	if size == 0 {
		head = "nil"
	}
	switch {
	case key < 0:
		failure, result = `"*queue.keyError"`, 0
	case method%3 == 0:
		next = size + 1
	case method%3 == 1 && size > 0:
		next = size - 1
	}
	weight := strconv.FormatFloat(float64(random.Intn(1_000_000))/64, 'g', -1, 64)
	state := func(size int) []string {
		return []string{"1", strconv.Itoa(size), strconv.Itoa(limit), head, name}
	}
	params := []string{strconv.Itoa(key), weight, strconv.FormatBool(urgent)}
	results := []string{strconv.Itoa(result), failure}
	entry = schemas.Sample{Point: 2 * method, Count: 1, Values: slices.Concat(state(size), params)}
	exit = schemas.Sample{Point: 2*method + 1, Count: 1,
		Values: slices.Concat(state(size)[1:], state(next), params, results)}
	return entry, exit
}
