package check

import (
	"fmt"
	"go/token"
	"math/rand"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/vcgen"
	"dsd/internal/symbol"
)

// driver calls the generated functions and prints what becomes of each call: a result, or a
// panic's kind, its line, and the line of the generated function that led there.
const driver = `package main

import (
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
)

type input struct {
	a int
	b int8
	c uint8
	d int32
	e uint64
	f bool
}

var place = regexp.MustCompile("gen\\.go:(\\d+)")

func call(f func(int, int8, uint8, int32, uint64, bool) int64, x input) (out string) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		stack := string(debug.Stack())
		stack = stack[strings.LastIndex(stack, "\npanic("):]
		text := strings.TrimPrefix(fmt.Sprint(r), "runtime error: ")
		kind := "?" + text
		for _, k := range [][2]string{{"integer divide by zero", "div-zero"}, ` +
	`{"index out of range", "index"}, {"slice bounds", "slice-bounds"},
			{"invalid memory", "nil-deref"}, {"interface conversion", "type-assert"}, ` +
	`{"makeslice", "makeslice"}, {"assignment to entry", "nil-map"},
			{"negative shift", "shift"}, {"comparing uncomparable", "uncomparable"},
			{"cannot convert slice", "conversion"}, {"send on closed", "chan"}, {"hash of", "uncomparable"}, ` +
	`{"close of", "chan"}, {"panic called with nil", "explicit-panic"}} {
			if strings.HasPrefix(text, k[0]) {
				kind = k[1]
			}
		}
		lines := place.FindAllStringSubmatch(stack, -1)
		out = kind + " " + lines[0][1] + " from " + lines[len(lines)-1][1]
	}()
	return fmt.Sprint(f(x.a, x.b, x.c, x.d, x.e, x.f))
}
`

// inputs are the arguments for every function: corners and small numbers, where int has a number of
// bits.
func inputs(r *rand.Rand, bits int) [6]int64 {
	corner := func(list ...int64) int64 { return list[r.Intn(len(list))] }
	return [6]int64{corner(0, 1, -1, 2, 5, -1<<(bits-1)), corner(0, 1, -1, 3, -128, 127),
		corner(0, 1, 2, 200, 255), corner(0, 1, -7, 1000, -1<<31), corner(0, 1, 9, -1), corner(0, 1)}
}

// TestDifferential compares our own evaluation of generated functions with running them in Go:
// results, and kinds and lines of panics.
func TestDifferential(t *testing.T) {
	programs, first := number("DSD_PROGRAMS", 300), number("DSD_SEED", 1)
	const batch = 500
	for from := first; from < first+programs; from += batch {
		differential(t, from, min(batch, first+programs-from), 64)
	}
}

// TestDifferential32 does the same for a platform where int has 32 bits. Its programs run here if
// qemu-arm is installed.
func TestDifferential32(t *testing.T) {
	if _, err := exec.LookPath("qemu-arm"); err != nil {
		t.Skip("needs qemu-arm (Debian: apt-get install qemu-user)")
	}
	t.Setenv("GOARCH", "arm")
	differential(t, number("DSD_SEED", 1)+1<<20, number("DSD_PROGRAMS", 300)/2, 32)
}

func number(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}

const callsEach = 4

// differential compares on programs from a seed on, where int has a number of bits.
func differential(t *testing.T, from, programs, bits int) {
	var gen, main strings.Builder
	gen.WriteString("package main\n\nimport (\n\t\"slices\"\n\t\"strings\"\n)\n" + preamble + nodePreamble)
	main.WriteString(driver + "\nfunc main() {\n")
	args := map[string][][6]int64{}
	texts := map[string]string{}
	for i := range programs {
		name := fmt.Sprintf("F%d", from+i)
		texts[name] = generate(int64(from+i), name)
		gen.WriteString("\n" + texts[name])
		r := rand.New(rand.NewSource(int64(from + i)))
		for range callsEach {
			x := inputs(r, bits)
			args[name] = append(args[name], x)
			fmt.Fprintf(&main, "\tfmt.Println(%q, call(%s, input{%d, %d, %d, %d, %d, %v}))\n", name, name,
				x[0], x[1], x[2], x[3], uint64(x[4]), x[5] == 1)
		}
	}
	main.WriteString("}\n")
	dir := writeModule(t, map[string]string{"go.mod": "module gen\n\ngo 1.23\n",
		"gen.go": gen.String(), "main.go": main.String()})
	// Without optimization: it may drop a store, and with it move the panic of a nil pointer
	// to the next one.
	run := []string{"run", "-gcflags=-N -l"}
	if bits == 32 {
		run = append(run, "-exec=qemu-arm")
	}
	cmd := exec.Command("go", append(run, ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1") // qemu delivers signals of its own
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-3000):])
	}
	want := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		name, result, _ := strings.Cut(line, " ")
		want[name] = append(want[name], result)
	}

	prog := load(t, dir)
	w := lower.New(prog)
	roots := map[string]*lower.Root{}
	for _, f := range prog.Packages[0].Funcs() {
		if name := f.Decl.Name.Name; texts[name] != "" {
			roots[name] = w.Root(f)
		}
	}
	w.Close()
	compared, panics, reordered := 0, 0, 0
	for i := range programs {
		name := fmt.Sprintf("F%d", from+i)
		r := roots[name]
		if r.Err != nil {
			t.Errorf("%s is not lowered: %v\n%s", name, r.Err, texts[name])
			continue
		}
		for j, x := range args[name] {
			got := evaluate(prog.Pos, w, r, x)
			open := strings.HasPrefix(got, "if ") &&
				(strings.Contains(texts[name], "range m") || strings.Contains(got, "NaN") ||
					strings.Contains(got, "(ite equal"))
			if got == "" || open {
				// Past a bound, or it depends on the order of a map, on the bits of a NaN, or on the
				// equality of values of the many types that so many programs put into interfaces.
				continue
			}
			compared++
			if strings.Contains(got, " ") {
				panics++
			}
			switch {
			case got == want[name][j] || samePanic(got, want[name][j]):
			case sameStatement(got, want[name][j]):
				reordered++
			default:
				t.Errorf("%s%v: we say %s, Go says %s\n%s", name, x, got, want[name][j],
					numbered(gen.String(), texts[name]))
			}
		}
	}
	t.Logf("%d programs, %d of %d calls compared, %d panics, %d of them another operand's", programs,
		compared, programs*callsEach, panics, reordered)
	if compared < programs*callsEach*7/10 || panics < compared/10 || reordered > panics/20 {
		t.Errorf("too little compared: %d of %d calls, %d panics, of which %d in another order",
			compared, programs*callsEach, panics, reordered)
	}
}

// sameStatement reports whether two panics may be those of two operands of one statement. The
// order of operands that are not calls is not specified, so either is Go.
func sameStatement(x, y string) bool {
	_, fromX, okX := strings.Cut(x, " from ")
	_, fromY, okY := strings.Cut(y, " from ")
	return okX && okY && fromX == fromY
}

// samePanic reports whether two outcomes are panics of one kind at one line.
func samePanic(x, y string) bool {
	x, _, okX := strings.Cut(x, " from ")
	y, _, okY := strings.Cut(y, " from ")
	return okX && okY && x == y
}

// evaluate executes a function with constants for arguments: its result, or its panic as driver
// prints it; "" if a bound cut the execution short.
func evaluate(at func(pos token.Pos) string, w *lower.World, r *lower.Root, args [6]int64) string {
	b := logic.NewBuilder()
	var in []*logic.Term
	for i, p := range r.Params {
		in = append(in, b.Const(p.Vars[0].Sort, uint64(args[i])))
	}
	opt := vcgen.DefaultOptions
	opt.MaxTerms *= 10
	start := vcgen.Begin(w, r.Key, b, w.MemoryOrder, opt)
	p := vcgen.Execute(w, r.Key, b, in, start, nil, opt)
	if len(p.Bounded) > 0 {
		return ""
	}
	for _, o := range p.Obligations { // the arguments decide: the first one fails
		if o.Uncertain { // of a call that the program need not make
			continue
		}
		for _, c := range append(o.Path, b.Not(o.Cond)) {
			if !c.IsTrue() {
				return fmt.Sprintf("if %v, %s at %s", c, o.Kind, at(o.Pos))
			}
		}
		from := o.Pos
		if len(o.Calls) > 0 {
			from = o.Calls[0].Pos
		}
		line := func(pos token.Pos) string { return strconv.Itoa(symbol.ParsePos(at(pos)).Line) }
		return string(o.Kind) + " " + line(o.Pos) + " from " + line(from)
	}
	if len(p.Results) == 0 {
		return "nothing"
	}
	v, ok := p.Results[0].Const()
	if !ok {
		return "if determined, " + p.Results[0].String()
	}
	return fmt.Sprint(int64(v))
}

// numbered is a function's text with the numbers of its lines in the whole.
func numbered(all, text string) string {
	n := strings.Count(all[:strings.Index(all, text)], "\n")
	var out strings.Builder
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		n++
		fmt.Fprintf(&out, "%4d %s\n", n, l)
	}
	return out.String()
}
