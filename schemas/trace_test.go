package schemas

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// readTrace reads a whole trace.
func readTrace(r io.Reader) (h TraceHeader, samples []Sample, err error) {
	t, err := NewTraceReader(r, "in")
	if err != nil {
		return h, nil, err
	}
	for {
		s, err := t.Next()
		if err == io.EOF {
			return t.Header, samples, nil
		}
		if err != nil {
			return h, nil, err
		}
		samples = append(samples, s)
	}
}

func writeTrace(w io.Writer, h TraceHeader, samples []Sample) error {
	t, err := NewTraceWriter(w, h)
	if err != nil {
		return err
	}
	for _, s := range samples {
		if err := t.WriteSample(s); err != nil {
			return err
		}
	}
	return t.Close()
}

func rewriteTrace(text []byte) ([]byte, error) {
	h, samples, err := readTrace(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := writeTrace(&out, h, samples); err != nil {
		panic(err) // a trace that was read must be writable
	}
	h2, samples2, err := readTrace(bytes.NewReader(out.Bytes()))
	if err != nil {
		panic(err) // and readable again
	}
	if !reflect.DeepEqual(h, h2) || !reflect.DeepEqual(samples, samples2) {
		panic("writing and reading again changed the trace")
	}
	return out.Bytes(), nil
}

func zip(text []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(text)
	z.Close()
	return out.Bytes()
}

func TestTraceRefuses(t *testing.T) {
	const head = `{"schema":"dsd/trace/v1","module":{"path":"m"},"packages":[],"tests":1,"points":[` +
		`{"func":"m.F","at":"exit","vars":[` +
		`{"name":"x","type":"int","rep":"int"},{"name":"y","type":"int","rep":"int"}]}]}`
	const line = `{"p":0,"n":3,"v":["1","2"]}` + "\n"
	counted := strings.Replace(head, `"tests":1`, `"tests":1,"samples":2`, 1)
	zipped := string(zip(example(t, TraceName)))
	damaged := []byte(zipped)
	damaged[len(damaged)-6] ^= 1 // the checksum

	for _, test := range []struct{ text, want string }{
		{"", `in: is empty`},
		{"\n", `in: is empty`},
		{"{", `in: is cut off after 1 bytes`},
		{"p", `in: is not JSON: line 1, column 1: invalid character 'p' looking for beginning of value`},
		{line, `in: has no "schema": not a dsd document`},
		{string(example(t, InvariantsName)), `in: is a dsd/invariants/v1 document, want dsd/trace/v1`},
		{strings.Replace(head, "v1", "v2", 1), `in: is dsd/trace/v2; this program reads v1: update dsd`},
		{strings.Replace(head, `"rep":"int"`, `"rep":"i"`, 1),
			`in: points[0].vars[0].rep: "i" is not one of int, uint, float, bool, string, ref, type, ` +
				`ints, uints, floats, strings, refs`},
		{strings.Replace(head, ",", ",\n", 1) + "\n" + line, `in: has a header of more than one line`},
		{head + line, `in: has more on the line of the header`},

		{counted + "\n" + line, `in: the trace is cut off: it has 1 of the 2 samples that its header counts`},
		{counted, `in: the trace is cut off: it has 0 of the 2 samples that its header counts`},
		{head + "\n" + line + `{"p":0,"n":3,"v":["1`, `in:3: the trace is cut off: the line ends after 20 bytes`},
		{head + "\n" + `{"p":0,"n":3,"v":["1` + "\n" + line,
			`in:2: is not JSON: column 21: invalid character '\n' in string literal`},
		{head + "\n" + `{"p":0,"n":3,` + "\n" + line, `in:2: the trace is cut off: the line ends after 13 bytes`},
		{head + "\n\n" + line, `in:2: the line is empty`},
		{head + "\n" + line + line + "{]\n",
			`in:4: is not JSON: column 2: invalid character ']' looking for beginning of object key string`},
		{head + "\n" + line[:len(line)-1] + line, `in:2: the line has more after the sample`},
		{"\n" + head + "\n" + line + "[]\n", `in:4: want an object, got array`},
		{head + "\n" + `{"p":99,"n":1,"v":[]}`, `in:2: p: 99 is not a point (the header declares 1)`},
		{head + "\n" + `{"p":-1,"n":1,"v":[]}`, `in:2: p: -1 is less than 0`},
		{head + "\n" + `{"p":0,"n":0,"v":["1","2"]}`, `in:2: n: 0 is less than 1`},
		{head + "\n" + `{"p":0,"n":01,"v":["1","2"]}`,
			`in:2: is not JSON: column 13: invalid character '1' after object key:value pair`},
		{head + "\n" + `{"p":0,"n":9223372036854775808,"v":["1","2"]}`,
			`in:2: n: want an integer, got number`},
		{head + "\n" + `{"p":0,"n":1,"v":["1"]}`, `in:2: v: 1 values for the 2 variables of m.F at exit`},
		{head + "\n" + `{"p":0,"n":1,"v":["1","2","3"]}`,
			`in:2: v: 3 values for the 2 variables of m.F at exit`},
		{head + "\n" + `{"p":0,"n":1,"v":["1",2]}`, `in:2: v[1]: want a string, got number`},
		{head + "\n" + `{"p":0,"n":1,"v":null}`, `in:2: v: want an array, got null`},
		{head + "\n" + `{"p":0,"n":1}`, `in:2: "v" is missing`},
		{head + "\n" + `{"p":0,"n":1,"v":["1","2"],"w":0}`, `in:2: w: unknown field`},
		{head + "\n" + `{"p":0,"n":1,"t":1,"v":["1","2"]}`,
			`in:2: t: 1 is not a test (the header has 0)`},
		{head + "\n" + `{"p":0,"n":1,"v":["1","2"],"p":0}`, `in:2: p: appears twice`},

		{"\x1f\x8b", `in: is cut off: its gzip data ends early`},
		{"\x1f\x8bnot gzip at all", `in: has damaged gzip data: gzip: invalid header`},
		{zipped[:40], `in: is cut off: its gzip data ends early`},
		{zipped[:len(zipped)-20], `in: is cut off: its gzip data ends early`},
		{zipped[:len(zipped)-1], `in: is cut off: its gzip data ends early`},
		{string(damaged), `in: has damaged gzip data: gzip: invalid checksum`},
	} {
		_, _, err := readTrace(strings.NewReader(test.text))
		if err == nil || err.Error() != test.want {
			t.Errorf("%.300q\ngot  %v\nwant %s", test.text, err, test.want)
		}
	}
	if _, _, err := readTrace(strings.NewReader(head + "\n" + line)); err != nil {
		t.Error(err) // otherwise all the errors above prove little
	}
}

func TestTraceGzip(t *testing.T) {
	text := example(t, TraceName)
	var want, got [3]any
	want[0], want[1], want[2] = readTrace(bytes.NewReader(text))
	// Concatenated gzip streams are one, as for gunzip.
	for _, zipped := range [][]byte{zip(text), append(zip(text[:100]), zip(text[100:])...)} {
		got[0], got[1], got[2] = readTrace(iotest.OneByteReader(bytes.NewReader(zipped)))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	}
}

// A reopened trace has the same samples and the same line numbers.
func TestTraceReopen(t *testing.T) {
	text := example(t, TraceName)
	broken := append(bytes.Clone(text), "{}\n"...)
	for name, text := range map[string][]byte{
		"plain": text, "gzip": zip(text), "after blank lines": append([]byte("\n \n"),
			text...), "broken": broken,
		"header alone": text[:bytes.IndexByte(text,
			'\n')+1], "no end of line": bytes.TrimSpace(text[:bytes.IndexByte(text, '\n')]),
	} {
		first, err := NewTraceReader(bytes.NewReader(text), "in")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all := func(r *TraceReader) (list []string) {
			for {
				s, err := r.Next()
				list = append(list, fmt.Sprint(s, err))
				if err != nil {
					return list
				}
			}
		}
		want := all(first)
		second, err := first.Reopen(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: reopened: %v", name, err)
		}
		if got := all(second); !reflect.DeepEqual(got, want) ||
			!reflect.DeepEqual(first.Header, second.Header) {
			t.Errorf("%s: reopened: got %q, want %q", name, got, want)
		}
	}
	first, err := NewTraceReader(bytes.NewReader(text), "in")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Reopen(strings.NewReader("")); err == nil ||
		!strings.Contains(err.Error(), "in: has changed since it was read") {
		t.Errorf("reopened an empty trace: error %v", err)
	}
}

func TestTracePassesErrorsOn(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for _, text := range [][]byte{example(t, TraceName), zip(example(t, TraceName))} {
		for n := range text {
			r := io.MultiReader(bytes.NewReader(text[:n]), iotest.ErrReader(broken))
			if _, _, err := readTrace(r); !errors.Is(err, broken) {
				t.Fatalf("after %d bytes: got %v, want %v", n, err, broken)
			}
		}
	}
}

func TestTraceLongLines(t *testing.T) {
	h := TraceHeader{
		Header: Header{Module: Module{Path: "m"}},
		Points: []TracePoint{{Func: "m.F", At: "entry",
			Vars: []TraceVar{{Name: "s", Type: "string", Rep: "string"}}}},
	}
	var want []Sample
	for _, n := range []int{1 << 20, 3, 1<<16 - 20, 1<<16 - 19, 1 << 17} {
		want = append(want, Sample{Count: 1, Values: []string{strings.Repeat("x", n)}})
	}
	var out bytes.Buffer
	if err := writeTrace(&out, h, want); err != nil {
		t.Fatal(err)
	}
	_, got, err := readTrace(&out)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("error %v; the %d samples read differ from those written", err, len(got))
	}
}

func TestWriteSampleRefuses(t *testing.T) {
	var out bytes.Buffer
	w, err := NewTraceWriter(&out, TraceHeader{
		Header: Header{Module: Module{Path: "m"}}, Points: []TracePoint{{Func: "m.F", At: "exit"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s    Sample
		want string
	}{
		{Sample{Point: 1, Count: 1}, `writing dsd/trace/v1: p: 1 is not a point (the header declares 1)`},
		{Sample{Point: -1, Count: 1},
			`writing dsd/trace/v1: p: -1 is not a point (the header declares 1)`},
		{Sample{}, `writing dsd/trace/v1: n: 0 is less than 1`},
		{Sample{Count: 1, Values: []string{""}},
			`writing dsd/trace/v1: v: 1 values for the 0 variables of m.F at exit`},
	} {
		if err := w.WriteSample(test.s); err == nil || err.Error() != test.want {
			t.Errorf("%v: got %v, want %s", test.s, err, test.want)
		}
	}
}

// parseCanonical accepts every line that TraceWriter wrote. It agrees with parseAny on these and on
// every other line that it accepts.
func TestCanonical(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSpace(string(example(t, TraceName))), "\n")
	r, err := NewTraceReader(strings.NewReader(lines[0]), "in")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		if !agree(t, r, line) {
			t.Errorf("not canonical: %q", line)
		}
		// Each byte dropped, and each replaced by one that matters to JSON.
		for i := range line {
			agree(t, r, line[:i]+line[i+1:])
			for _, c := range "\"\\,:[]{}0 -n\x00\n\x80" {
				agree(t, r, line[:i]+string(byte(c))+line[i+1:])
			}
		}
	}
}

// agree reports whether parseCanonical accepts the line, and fails the test unless parseAny agrees.
func agree(t *testing.T, r *TraceReader, line string) bool {
	t.Helper()
	var l Line
	if !parseCanonical([]byte(line), r.Header.Points, &l) {
		return false
	}
	got := l.sample()
	want, err := r.parseAny([]byte(line))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: parseCanonical got %v, parseAny got %v, %v", line, got, want, err)
	}
	return true
}

// Blocks of any size hold the lines that Next reads, with their numbers, even if the last line is
// cut off.
func TestBlock(t *testing.T) {
	old := blockSize
	defer func() { blockSize = old }()
	const head = `{"schema":"dsd/trace/v1","module":{"path":"m"},"packages":[],"tests":1,"points":[` +
		`{"func":"m.F","at":"exit","vars":[{"name":"x","type":"string","rep":"string"}]}]}` + "\n"
	trace := head
	for i := range 200 {
		trace += fmt.Sprintf(`{"p":0,"n":%d,"v":["\"%s\""]}`+"\n", i+1, strings.Repeat("ab", i%37))
	}
	_, want, err := readTrace(strings.NewReader(trace))
	if err != nil || len(want) != 200 {
		t.Fatal(len(want), err)
	}
	for _, size := range []int{1, 7, 64, 1000, 1 << 18} {
		for _, cut := range []int{0, 1, 5} { // 1 cuts off the last newline
			blockSize = size
			r, err := NewTraceReader(iotest.HalfReader(strings.NewReader(trace[:len(trace)-cut])), "in")
			if err != nil {
				t.Fatal(err)
			}
			var got []Sample
			var l Line
			next, room := 2, []byte(nil)
			for err == nil {
				var lines []byte
				var first int
				if lines, first, err = r.Block(room); err != nil {
					break
				}
				if room = lines; first != next {
					t.Fatalf("blocks of %d: the first line is number %d, want %d", size, first, next)
				}
				for _, line := range bytes.SplitAfter(lines, []byte("\n")) {
					if len(line) == 0 {
						continue
					}
					if err = r.Parse(line, next, &l); err != nil {
						break
					}
					next++
					got = append(got, l.sample())
				}
			}
			if cut < 2 && (err != io.EOF || !reflect.DeepEqual(got, want)) || cut == 5 &&
				(!errors.Is(err, ErrTruncated) || !reflect.DeepEqual(got, want[:199])) {
				t.Errorf("blocks of %d, cut by %d: %d samples, %v", size, cut, len(got), err)
			}
		}
	}
}

func BenchmarkTraceReader(b *testing.B) {
	text := example(b, TraceName)
	head, lines, _ := bytes.Cut(text, []byte("\n"))
	canon := append(append(bytes.Clone(head), '\n'),
		bytes.Repeat(append(bytes.Clone(lines), '\n'), 1000)...)
	canon = bytes.ReplaceAll(canon, []byte("\n\n"), []byte("\n"))
	for name, text := range map[string][]byte{
		"canonical": canon,
		"any":       bytes.ReplaceAll(canon, []byte(`,"n"`), []byte(`, "n"`)),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				_, samples, err := readTrace(bytes.NewReader(text))
				if err != nil {
					b.Fatal(err)
				}
				n += len(samples)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/sample")
		})
	}
}

func ExampleTraceReader() {
	const trace = `{"schema":"dsd/trace/v1","module":{"path":"m"},"packages":["m"],"tests":1,` +
		`"points":[{"func":"m.F","at":"exit","vars":[{"name":"result","type":"int","rep":"int"}]}]}
{"p":0,"n":12,"v":["3"]}
`
	t, err := NewTraceReader(strings.NewReader(trace), "t.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		s, err := t.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		p := t.Header.Points[s.Point]
		fmt.Println(p.Func, p.At, p.Vars[0].Name, "=", s.Values[0], "seen", s.Count, "times")
	}
	// Output: m.F exit result = 3 seen 12 times
}
