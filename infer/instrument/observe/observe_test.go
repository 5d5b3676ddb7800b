package observe

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"testing"
)

// TestValues checks how each kind of value is written.
func TestValues(t *testing.T) {
	type node struct{ _ int }
	a, b := &node{}, &node{}
	type pointer *node
	var none *node
	for _, test := range []struct {
		observe func(h *Handle)
		want    string
	}{
		{func(h *Handle) {}, ""},
		{func(h *Handle) { h.Int(-5); h.Int(math.MinInt64) }, "-5 -9223372036854775808"},
		{func(h *Handle) { h.Uint(math.MaxUint64) }, "18446744073709551615"},
		{func(h *Handle) { h.Float(0.1); h.Float(1e100); h.Float(math.Copysign(0, -1)) },
			"0.1 1e+100 -0"},
		{func(h *Handle) { h.Float(math.NaN()); h.Float(math.Inf(-1)) }, "NaN -Inf"},
		{func(h *Handle) { h.Bool(true); h.Bool(false) }, "true false"},
		{func(h *Handle) { h.String("a\tb\n\"\xff") }, `"a\tb\n\"\xff"`},
		{func(h *Handle) { h.String(""); h.String(strings.Repeat("x", maxString+1)) },
			`"" ~7d70a52549704607`},
		{func(h *Handle) { h.Nil(true); h.Nil(false) }, "nil 0"},
		{func(h *Handle) { h.Ptr(a); h.Ptr(b); h.Ptr(none); h.Ptr(a); h.Ptr(pointer(b)) }, "1 2 nil 1 2"},
		{
			func(h *Handle) {
				h.Type(nil)
				h.Type(3)
				h.Type(errors.New(""))
				h.Type((*fs.PathError)(nil))
			},
			`nil "int" "*errors.errorString" "*fs.PathError"`,
		},
		{func(h *Handle) { h.Skip(3) }, "- - -"},
		{func(h *Handle) {
			h.Int(1)
			h.Keep("0101")
			h.Int(2)
			h.Ptr(a)
			h.Skip(2)
			h.KeepAll()
			h.Int(3)
		}, "1 1 - 3"},
	} {
		h := &Handle{}
		test.observe(h)
		if got := strings.TrimSuffix(strings.ReplaceAll(string(h.buf), "\t", " "),
			" "); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestSchedule checks which calls are observed, and that CallsOf knows after each call how many
// there were.
func TestSchedule(t *testing.T) {
	last, left, n := int64(0), int32(0), int64(0)
	for i := int64(1); i <= 1_000_000; i++ {
		if left--; left < 0 {
			last = nextObserved(last)
			left = int32(nextObserved(last) - last - 1)
			if n++; last != i {
				t.Fatalf("call %d: observed as number %d", i, last)
			}
		}
		if all, observed := CallsOf(last, left); all != i || observed != n {
			t.Fatalf("CallsOf after %d calls, %d observed: %d calls, %d observed", i, n, all, observed)
		}
	}
	if want := int64(500 + 4500/10 + 95_000/100 + 900_000/1000); n != want {
		t.Errorf("%d of a million calls are observed, want %d", n, want)
	}
}

// TestNothing checks that without a directory for the trace, nothing is observed.
func TestNothing(t *testing.T) {
	if os.Getenv("DSD_TRACE") != "" {
		t.Skip("observing")
	}
	h := Enter(0)
	if h != nil || h.Returning(false) {
		t.Errorf("Enter returns %v, want nil", h)
	}
}

// call is a function as the instrumentation rewrites it.
func call(n int, do func()) (r int) {
	h := Enter(0)
	if h != nil {
		h.Int(int64(n))
		h.Entry()
	}
	defer func() {
		if h.Returning(false) {
			h.Int(int64(r))
			h.Exit()
		}
	}()
	do()
	return n * n
}

// TestTrace runs itself as a process with a directory for the trace, and reads the samples and
// their counts.
func TestTrace(t *testing.T) {
	if os.Getenv("DSD_TRACE") != "" {
		nothing := func() {}
		// Two tests, the second by name first. Goroutines that they start belong to them.
		during := func(test uint32, do func()) {
			done := make(chan bool)
			go func() {
				defer close(done)
				Test(test)
				inner := make(chan bool)
				go func() { defer close(inner); do() }()
				<-inner
			}()
			<-done
		}
		during(1, func() { call(2, nothing); call(3, nothing) })
		during(0, func() { call(2, nothing) })
		during(1, func() { call(2, nothing) })
		func() {
			defer func() { recover() }()
			call(4, func() { panic("no exit") })
		}()
		call(5, func() {
			defer func() { recover() }()
			panic("recovered before the exit")
		})
		done := make(chan bool)
		go func() {
			defer close(done)
			call(6, runtime.Goexit)
		}()
		<-done
		call(7, func() { call(8, nothing) })
		// Labels of the test replace ours, and pprof.Do leaves none behind, so these calls
		// have no witness.
		during(1, func() {
			labels := pprof.Labels("of", "the test")
			pprof.Do(context.Background(), labels, func(context.Context) { call(9, nothing) })
			call(10, nothing)
		})
		if limit := debug.SetMemoryLimit(-1); limit != memoryLimit {
			panic(limit)
		}
		record(7, nil) // a point without variables
		record(7, nil)
		for i := range many {
			record(6, []byte(fmt.Sprintf("%080d\t", i)))
		}
		os.Exit(0) // without cleaning up
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestTrace$")
	cmd.Env = append(os.Environ(), "DSD_TRACE="+dir, "GOMEMLIMIT=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names, err := filepath.Glob(dir + "/samples-*")
	if err != nil || len(names) != 1 {
		t.Fatalf("the files of samples are %v (%v), want one", names, err)
	}
	p, complete, err := Read(names[0], strings.Replace(names[0], "samples-", "counts-", 1), 0)
	if err != nil || !complete {
		t.Fatalf("complete is %v (%v)", complete, err)
	}
	if after := p.Calls; len(after) != 20 || binary.NativeEndian.Uint64(after) != 11 ||
		binary.NativeEndian.Uint64(after[8:]) != 0 {
		t.Errorf("after the witnesses: % x, want 20 bytes: "+
			"last call 11, 0 samples dropped, 0 calls left", after)
	}
	var got []string
	for i, line := range strings.Split(strings.TrimSuffix(p.Samples, "\n"), "\n") {
		line = strings.ReplaceAll(line, "\t", " ")
		if test := NoTest - binary.NativeEndian.Uint32(p.Witnesses[4*i:]); test != NoTest {
			line += fmt.Sprintf(" in %d", test)
		}
		got = append(got, fmt.Sprintf("%d x %s", binary.NativeEndian.Uint64(p.Counts[8*i:]), line))
	}
	want := []string{
		"3 x 0 2 in 0", "3 x 1 2 4 in 0", "1 x 0 3 in 1", "1 x 1 3 9 in 1", // of the tests
		"1 x 0 4", "1 x 2 4", // panics
		"1 x 0 5", "1 x 1 5 25", // recovers
		"1 x 0 6", // exits its goroutine
		"1 x 0 7", "1 x 0 8", "1 x 1 8 64", "1 x 1 7 49",
		"1 x 0 9", "1 x 1 9 81", "1 x 0 10", "1 x 1 10 100", "2 x 7",
	}
	for i := range many {
		want = append(want, fmt.Sprintf("1 x 6 %080d", i))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got the samples\n%q\nwant\n%q", got, want)
	}
}

// many is a number of samples of 80 bytes that fill the tail more than three times.
const many = 3 * SizeOfTail / 80

// TestTooMany: a file of samples with more lines than there can be is refused, as it was not written by this package.
func TestTooMany(t *testing.T) {
	samples, counts := filepath.Join(t.TempDir(), "samples"), filepath.Join(t.TempDir(), "counts")
	if err := os.WriteFile(samples, bytes.Repeat([]byte("\n"), MaxSamples+SizeOfTail), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := binary.NativeEndian.AppendUint64(nil, MaxSamples+SizeOfTail)
	if err := os.WriteFile(counts, begin, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(counts, Calls+20); err != nil {
		t.Fatal(err)
	}
	if _, complete, err := Read(samples, counts, 0); complete || err == nil {
		t.Errorf("complete is %v, and the error %v", complete, err)
	}
}

// TestKilled checks that Samples returns all complete lines wherever a process was killed.
func TestKilled(t *testing.T) {
	line := func(n, size int) []byte { return []byte(fmt.Sprintf("%0*d\n", size-1, n)) }
	var all []byte
	for n := 0; len(all) < 2*SizeOfTail; n++ {
		all = append(all, line(n, 64)...)
	}
	for _, test := range []struct {
		name                string
		file, end, overlaid int // bytes in the file, of samples, and of the tail overwritten since
		want                int
	}{
		{"nothing", 0, 0, 0, 0},
		{"in the tail", 0, 128, 0, 128},
		{"in the middle of a line", 0, 150, 0, 128},
		{"a full tail", 0, SizeOfTail, 0, SizeOfTail},
		{"on its way to the file", 1000, SizeOfTail, 0, SizeOfTail},
		{"in the file", SizeOfTail, SizeOfTail, 0, SizeOfTail},
		{"in the file, and the next in the tail but not counted", SizeOfTail, SizeOfTail, 64, SizeOfTail},
		{"in the file and in the tail", SizeOfTail, SizeOfTail + 64, 0, SizeOfTail + 64},
		{"the second full tail", SizeOfTail, 2 * SizeOfTail, 0, 2 * SizeOfTail},
		{"on its way behind the first", 2*SizeOfTail - 1, 2 * SizeOfTail, 0, 2 * SizeOfTail},
	} {
		name := filepath.Join(t.TempDir(), "samples")
		if err := os.WriteFile(name, all[:test.file], 0o600); err != nil {
			t.Fatal(err)
		}
		counts := make([]byte, Counts)
		binary.NativeEndian.PutUint64(counts, uint64(test.end))
		begin := (test.end - 1) / SizeOfTail * SizeOfTail
		copy(counts[Tail:], all[begin:test.end])
		copy(counts[Tail:], line(-1, 64)[:test.overlaid])
		if got, err := Samples(name, counts); err != nil || !bytes.Equal(got, all[:test.want]) {
			t.Errorf("%s: got %d bytes (%v), want %d", test.name, len(got), err, test.want)
		}
	}
}

// TestFull checks that once the disk is full, lost samples are counted and earlier ones stay.
func TestFull(t *testing.T) {
	if os.Getenv("DSD_TRACE") != "" {
		t.Skip("observing")
	}
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer device.Close()
	file := filepath.Join(t.TempDir(), "samples")
	if out, err = os.Create(file); err != nil {
		t.Fatal(err)
	}
	counted := make([]byte, Counts)
	tail, end, dropped = counted[Tail:], new(int64), new(int64)
	defer func() { out, tail, end, dropped, full, next = nil, nil, nil, nil, false, 0 }()
	line := []byte(strings.Repeat("x", 63) + "\n")
	const lines = SizeOfTail / 64
	for range lines + 1 {
		write(line)
	}
	out.Close()
	out = device
	for range 3 * lines {
		write(line)
	}
	binary.NativeEndian.PutUint64(counted, uint64(*end))
	got, err := Samples(file, counted)
	if err != nil || !bytes.Equal(got, bytes.Repeat(line, lines)) || *dropped != lines ||
		next != MaxSamples {
		t.Errorf("%d bytes (%v), %d samples dropped, next sample %d; want %d bytes, %d dropped, next %d",
			len(got), err, *dropped, next, lines*len(line), lines, MaxSamples)
	}
}
