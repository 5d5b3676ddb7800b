package invariant

import (
	"flag"
	"fmt"
	"go/parser"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dsd/schemas"
)

var update = flag.Bool("update", false, "write what is learned into the scripts of testdata")

// TestScripts feeds points sample by sample and says what they have learned on the way. A script in testdata is lines:
//
//	point entry|exit
//	asked CONDITION
//	confidence P                    what is asked for; 0.9 if nothing is said
//	var NAME TYPE REP [POINTER]     a variable of the point
//	3 * 5 | nil                     a sample that was seen 3 times; values in the order of the variables
//	1 * 0..9 | 10..19               ten samples
//	want                            what is learned so far: a line each, or none
//	  x == 5  [constant 0.9375 of 4]
//
// A line that begins with # is a comment.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		if filepath.Ext(file) != ".txt" {
			t.Errorf("%s is no script", file)
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runScript(t, file) })
	}
}

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

		case words[0] == "asked":
			decl.Conditions = append(decl.Conditions, strings.TrimPrefix(lines[i], "asked "))

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
				t.Fatalf("%s: not understood: %s", at, line)
			}
			if p == nil {
				p = NewPoint(decl)
				p.Confidence = confidence
			}
			for _, values := range expand(strings.Split(rest, " | ")) {
				if len(values) != len(decl.Vars) {
					t.Fatalf("%s: %d values for %d variables", at, len(values), len(decl.Vars))
				}
				p.Add(values, n)
			}
		}
	}
}

// expand writes a line with ranges such as 0..9 as several.
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
			for j := i + 1; j < len(row); j++ { // other ranges go along
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

func show(list []schemas.Invariant) string {
	var out strings.Builder
	for _, inv := range list {
		fmt.Fprintf(&out, "%s  [%s %v of %d]\n", inv.Expr, inv.Template, inv.Confidence, inv.Samples)
	}
	return out.String()
}

// TestFields: what else there is to an invariant than its expression.
func TestFields(t *testing.T) {
	p := NewPoint(schemas.TracePoint{At: "entry", Vars: []schemas.TraceVar{
		{Name: "n", Type: "int", Rep: "int"}, {Name: "m", Type: "int", Rep: "int"},
	}})
	p.Confidence = 0.9
	if got := p.Invariants(); got == nil || len(got) != 0 {
		t.Errorf("without samples: %#v", got)
	}
	for i := range 10 {
		p.Add([]string{strconv.Itoa(2 - i%2), strconv.Itoa(100 + i*i)}, 2)
	}
	for _, want := range []schemas.Invariant{
		{Template: "one-of", Vars: []string{"n"}, Params: []string{"1", "2"}, Expr: "n == 1 || n == 2", Samples: 20, Confidence: 0.9996, Assumed: true},
		{Template: "lower-bound", Vars: []string{"m"}, Params: []string{"1"}, Expr: "m >= 1", Samples: 20, Confidence: 0.9999, Assumed: true},
	} {
		if !slices.ContainsFunc(p.Invariants(), func(inv schemas.Invariant) bool { return reflect.DeepEqual(inv, want) }) {
			t.Errorf("%+v is not among\n%+v", want, p.Invariants())
		}
	}
}

// shape is a random point: variables with a mind of their own, and samples that such variables may have.
type shape struct {
	r       *rand.Rand
	decl    schemas.TracePoint
	samples [][]string
	odd     oddity
	three   int // how k comes from i and j, if it does: 1 and more
}

// oddity is what may be among the values besides what is well.
type oddity int

const (
	plain       oddity = iota
	noNumbers          // floats that are no numbers
	longStrings        // strings too long to be kept
)

func newShape(seed int64, odd oddity) *shape {
	s := &shape{r: rand.New(rand.NewSource(seed)), odd: odd}
	s.decl.At = "entry"
	add := func(name, typ, rep, pointer string) {
		s.decl.Vars = append(s.decl.Vars, schemas.TraceVar{Name: name, Type: typ, Rep: schemas.Rep(rep), Pointer: pointer})
	}
	if s.r.Intn(2) == 0 {
		s.decl.At = "exit"
	}
	add("i", "int", "int", "")
	add("j", "int", "int", "")
	add("k", "int", "int", "")
	add("xs", "[]int", "ints", "")
	add("ys", "[]int", "ints", "")
	add("u", "uint", "uint", "")
	add("f", "float64", "float", "")
	add("ok", "bool", "bool", "")
	add("s", "string", "string", "")
	add("len(s)", "int", "int", "")
	add("t", "string", "string", "")
	add("p", "*T", "ref", "")
	add("q", "*T", "ref", "")
	memory := []schemas.TraceVar{
		{Name: "p.n", Type: "int", Rep: "int", Pointer: "p"}, {Name: "p.f", Type: "float64", Rep: "float", Pointer: "p"},
		{Name: "p.next", Type: "*T", Rep: "ref", Pointer: "p"}, {Name: "p.next.n", Type: "int", Rep: "int", Pointer: "p.next"},
	}
	for _, v := range memory {
		if s.decl.At == "exit" {
			v.Name = "old(" + v.Name + ")"
		}
		s.decl.Vars = append(s.decl.Vars, v)
	}
	if s.decl.At == "exit" {
		s.decl.Vars = append(s.decl.Vars, memory...)
		add("result", "*T", "ref", "")
		add("err", "error", "type", "")
		for i := range 2 {
			s.decl.Vars[len(s.decl.Vars)-1-i].Result = true
		}
	}
	habits := make([]int, len(s.decl.Vars)) // how a variable behaves, the same in all samples
	for i := range habits {
		habits[i] = s.r.Intn(8)
	}
	s.three = max(s.r.Intn(24)-24+len(functions)+2, 0)
	for range 1 + s.r.Intn(30) {
		s.samples = append(s.samples, s.sample(habits))
	}
	return s
}

func (s *shape) sample(habits []int) []string {
	row := make([]string, len(s.decl.Vars))
	of := map[string]string{}
	for i, v := range s.decl.Vars {
		old := strings.HasPrefix(v.Name, "old(")
		pointer := v.Pointer
		if old && of["old("+pointer+")"] != "" {
			pointer = "old(" + pointer + ")"
		}
		switch {
		case v.Pointer != "" && (of[pointer] == "nil" || of[pointer] == "-"):
			row[i] = "-"
		case habits[i] == 5 && of["old("+v.Name+")"] != "":
			row[i] = of["old("+v.Name+")"]
		case s.three > 0 && (v.Name == "i" || v.Name == "j"):
			row[i] = strconv.Itoa(s.r.Intn(200) - 100)
		case v.Name == "j" && habits[i] > 5: // on a line
			n, _ := strconv.ParseInt(of["i"], 10, 64)
			row[i] = strconv.FormatInt(5-n%1000*int64(2*habits[i]-13), 10)
		case v.Name == "j" && (habits[i] == 4 || habits[i] == 3): // what else there is between two
			n, _ := strconv.ParseInt(of["i"], 10, 64)
			n %= 1000
			row[i] = strconv.FormatInt([]int64{n * n, n * int64(1+s.r.Intn(9)), n | int64(s.r.Intn(64)), n & int64(s.r.Intn(512)), n * n, n * n, n * n, n * n}[habits[2]], 10)
		case v.Name == "k" && s.three > 0: // and between three
			x, _ := strconv.ParseInt(of["i"], 10, 64)
			y, _ := strconv.ParseInt(of["j"], 10, 64)
			f := func(x, y int64) int64 { return 2*x - 3*y + 1 }
			if s.three <= len(functions) {
				f = functions[s.three-1].of
			}
			row[i] = strconv.FormatInt(f(x, y), 10)
		case v.Name == "t" && habits[i] > 4 && of["s"][0] == '"':
			text, _ := strconv.Unquote(of["s"])
			row[i] = strconv.Quote(text + []string{"x", "", "ä"}[s.r.Intn(habits[i]-4)])
		case v.Rep == "ints":
			row[i] = s.list(of, habits[i], v.Name == "ys")
		default:
			row[i] = s.value(v, habits[i])
		}
		of[v.Name] = row[i]
	}
	return row
}

// list is a sequence: sorted, or not; of ys one that has to do with xs.
func (s *shape) list(of map[string]string, habit int, second bool) string {
	var list []int
	for _, f := range strings.Fields(strings.Trim(of["xs"], "[]")) {
		n, _ := strconv.Atoi(f)
		list = append(list, n)
	}
	switch {
	case second && habit == 0:
		slices.Reverse(list)
	case second && habit == 1:
		list = append([]int{s.r.Intn(5)}, append(list, s.r.Intn(5))...)
	case second && habit == 2:
		s.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case second && habit == 3:
		for i := range list {
			list[i] += 1 + s.r.Intn(3)
		}
	default:
		list = nil
		for n := range 1 + s.r.Intn(5) {
			list = append(list, []int{n, 3 * n, 7, s.r.Intn(2), 9 - n, s.r.Intn(1000), s.r.Intn(1000), -s.r.Intn(3)}[habit])
		}
		if n, err := strconv.Atoi(of["i"]); habit == 6 && err == nil && n == int(int32(n)) {
			list[s.r.Intn(len(list))] = n
		}
	}
	return fmt.Sprint(list)
}

func (s *shape) value(v schemas.TraceVar, habit int) string {
	r := s.r
	ints := []int64{7, int64(r.Intn(3)), int64(r.Intn(5)) - 2, int64(r.Intn(200)) - 100, r.Int63() - r.Int63(), int64(1 - 2*r.Intn(2)), 1 << r.Intn(12), int64(12*r.Intn(20)) - 24}
	switch v.Rep {
	case "int":
		if strings.HasPrefix(v.Name, "len(") {
			return fmt.Sprint(r.Intn(4 + habit))
		}
		return fmt.Sprint(ints[habit])
	case "uint":
		if habit == 4 {
			return fmt.Sprint(r.Uint64())
		}
		return fmt.Sprint(uint64(r.Intn(1 + habit*habit)))
	case "float":
		if s.odd == noNumbers && (habit == 0 || r.Intn(3) == 0) {
			return []string{"NaN", "+Inf", "-Inf"}[habit%3]
		}
		return []string{"1.5", "-0", "0", "1e+100", "-2.5"}[r.Intn(1+habit%5)]
	case "bool":
		return fmt.Sprint(habit > 3 || habit > 1 && r.Intn(2) == 0)
	case "string":
		if s.odd == longStrings && r.Intn(3) == 0 {
			return "~" + strconv.Itoa(r.Intn(1+habit))
		}
		return strconv.Quote(strings.Repeat("ä\"", r.Intn(1+habit)))
	case "ref":
		if habit == 0 || habit < 4 && r.Intn(3) == 0 {
			return "nil"
		}
		return fmt.Sprint(1 + r.Intn(1+habit%3))
	case "type":
		if habit == 0 || habit < 4 && r.Intn(2) == 0 {
			return "nil"
		}
		return `"*errors.errorString"`
	}
	panic(v.Rep)
}

// TestNothingIsContradicted: whatever the samples, every invariant learned from them holds in all of them.
func TestNothingIsContradicted(t *testing.T) {
	learned := map[string]int{}
	for seed := range int64(250) {
		smallBatches(t, seed)
		for _, complaint := range contradictions(newShape(seed, plain), learned) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
	for _, template := range strings.Fields("constant one-of non-nil always-nil lower-bound upper-bound non-zero equal not-equal less less-equal unchanged linear modulus power-of-two prefix suffix " +
		"divides square bit-subset linear-3 min max and or xor gcd product implication sorted no-duplicates index elementwise member subset subsequence reverse element-bound element-one-of string-order") {
		if learned[template] == 0 {
			t.Errorf("%s was never learned", template)
		}
	}
}

// TestNoNumbers: the same of floats that Go cannot write, one of which is not equal to itself.
func TestNoNumbers(t *testing.T) {
	for seed := range int64(80) {
		for _, complaint := range contradictions(newShape(seed, noNumbers), map[string]int{}) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
}

// TestLongStrings: the same of strings of which the trace has only a hash.
func TestLongStrings(t *testing.T) {
	for seed := range int64(80) {
		for _, complaint := range contradictions(newShape(seed, longStrings), map[string]int{}) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
}

// smallBatches makes points look at few samples at a time, so that variables part and change late.
func smallBatches(t *testing.T, seed int64) {
	old := batchSize
	t.Cleanup(func() { batchSize = old })
	batchSize = []int{512, 1, minRows, 9, 16}[seed%5]
}

func contradictions(s *shape, learned map[string]int) []string {
	p := NewPoint(s.decl)
	p.Confidence = 0.9
	for _, row := range s.samples {
		p.Add(row, 1+int64(len(s.samples)%5))
	}
	var out []string
	for _, inv := range p.Invariants() {
		learned[inv.Template]++
		template := inv.Template
		if template == "implication" {
			template = inv.Params[0]
		}
		if inv.Assumed == ambitious[template] || inv.Confidence < p.Confidence || inv.Confidence > 1 || inv.Samples < 1 {
			out = append(out, fmt.Sprintf("%+v", inv))
		}
		// The variables are in the template's order.
		form, known := map[string]string{
			"equal": "%s == %s", "not-equal": "%s != %s", "less": "%s < %s", "less-equal": "%s <= %s", "unchanged": "%s == %s",
			"error-result": "implies(%s == nil, %s != nil)",
		}[inv.Template]
		switch {
		case inv.Template == "linear" && len(inv.Vars) == 2 && strings.Contains(inv.Expr, inv.Vars[0]) && strings.Contains(inv.Expr, inv.Vars[1]):
		case inv.Template == "implication" && len(inv.Vars) >= 2 && strings.Contains(inv.Expr, inv.Vars[1]) && strings.HasPrefix(inv.Expr, "implies("):
		case len(inv.Vars) >= 2 && slices.Contains([]string{"divides", "square", "bit-subset", "same-elements", "member", "subset", "subsequence", "reverse", "elementwise", "min", "max", "and", "or", "xor", "gcd", "product", "linear-3", "same-type", "element-order", "string-order"}, inv.Template):
			for _, v := range inv.Vars {
				if !strings.Contains(inv.Expr, v) {
					out = append(out, fmt.Sprintf("%s does not fit the variables %q of %s", inv.Expr, inv.Vars, inv.Template))
				}
			}
		case known && len(inv.Vars) == 2 && strings.Contains(inv.Expr, fmt.Sprintf(form, inv.Vars[0], inv.Vars[1])):
		case !known && len(inv.Vars) == 1 && strings.Contains(inv.Expr, inv.Vars[0]):
		default:
			out = append(out, fmt.Sprintf("%s does not fit the variables %q of %s", inv.Expr, inv.Vars, inv.Template))
		}
		e, err := parser.ParseExpr(inv.Expr)
		if err != nil {
			out = append(out, fmt.Sprintf("%s is no expression: %v", inv.Expr, err))
			continue
		}
		cond, err := NewCondition(inv.Expr, s.decl.Vars)
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		for _, row := range s.samples {
			var values []Value
			for i, t := range row {
				values = append(values, Parse(&s.decl.Vars[i], []byte(t)))
			}
			if ok, err := cond.Holds(values); !ok || err != nil {
				out = append(out, fmt.Sprintf("%s (%s) does not hold in %v of %v: %v", inv.Expr, inv.Template, row, s.decl.Vars, err))
			}
			if why := judge(s.decl, row, e); why != "" {
				out = append(out, fmt.Sprintf("%s (%s) is contradicted by %v of %v: %s", inv.Expr, inv.Template, row, s.decl.Vars, why))
			}
		}
	}
	return out
}

// without are the lines of a that b has not.
func without(a, b []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(a), func(l string) bool { return slices.Contains(b, l) }), "")
}

// TestOrderDoesNotMatter: the same samples in another order, in other batches, or gathered by several, teach the same.
func TestOrderDoesNotMatter(t *testing.T) {
	for seed := range int64(800) {
		smallBatches(t, seed)
		s := newShape(seed, plain)
		learn := func(gatherers int) []schemas.Invariant {
			p := NewPoint(s.decl)
			p.Confidence = []float64{0.9, 0}[seed%2]
			all := []*Gatherer{&p.Gatherer}
			for len(all) < gatherers {
				all = append(all, p.Gather())
			}
			for _, row := range s.samples {
				all[s.r.Intn(gatherers)].Add(row, 3)
			}
			for _, g := range all {
				g.Flush()
			}
			return p.Invariants()
		}
		before := learn(1)
		s.r.Shuffle(len(s.samples), func(i, j int) { s.samples[i], s.samples[j] = s.samples[j], s.samples[i] })
		smallBatches(t, seed+s.r.Int63n(5))
		if after := learn(1 + s.r.Intn(4)); !reflect.DeepEqual(before, after) {
			a, b := strings.SplitAfter(show(before), "\n"), strings.SplitAfter(show(after), "\n")
			t.Fatalf("seed %d: only first\n%sonly then\n%s", seed, without(a, b), without(b, a))
		}
	}
}

// TestOrderOfBatches: two batches in which variables are constant, or equal, or elements of sequences that are empty in one of them, teach the same in
// either order.
func TestOrderOfBatches(t *testing.T) {
	for seed := range int64(6000) {
		r := rand.New(rand.NewSource(seed))
		decl := schemas.TracePoint{At: "entry"}
		n := 2 + r.Intn(3)
		for i := range n {
			decl.Vars = append(decl.Vars, schemas.TraceVar{Name: string(rune('a' + i)), Type: "int", Rep: "int"})
		}
		for _, name := range []string{"s", "t"}[:r.Intn(3)] {
			decl.Vars = append(decl.Vars, schemas.TraceVar{Name: name, Type: "[]int", Rep: "ints"})
		}
		batch := func() (rows [][]string) {
			how, constants, like := make([]int, n), make([]int, n), make([]int, n)
			for i := range n {
				how[i], constants[i], like[i] = r.Intn(3), []int{0, 0, 0, 1, 5, 17}[r.Intn(6)], r.Intn(i+1)
			}
			elements := [2]int{r.Intn(3), r.Intn(3)}
			two := make([][2]int, n+2)
			for i := range two {
				if two[i] = [2]int{r.Intn(20), r.Intn(60)}; i > 0 && r.Intn(3) == 0 {
					two[i] = two[i-1]
				}
			}
			for k := range minRows + 2 {
				values := make([]int, n)
				var row []string
				for i := range n {
					switch {
					case how[i] == 0:
						values[i] = constants[i]
					case how[i] == 1 && like[i] < i:
						values[i] = values[like[i]]
					default:
						values[i] = two[i][k%2] * (1 + constants[i]%3)
					}
					row = append(row, strconv.Itoa(values[i]))
				}
				for i := range len(decl.Vars) - n {
					list := values[i:min(n, i+elements[i])]
					if how[i] == 2 {
						list = []int{two[n+i][k%2], 2}[:elements[i]]
					}
					row = append(row, fmt.Sprint(list))
				}
				rows = append(rows, row)
			}
			return rows
		}
		learn := func(batches ...[][]string) string {
			p := NewPoint(decl)
			p.Confidence = 0
			for _, rows := range batches {
				g := p.Gather()
				for _, row := range rows {
					g.Add(row, 1)
				}
				g.Flush()
			}
			return show(p.Invariants())
		}
		x, y := batch(), batch()
		if before, after := learn(x, y), learn(y, x); before != after {
			a, b := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
			t.Fatalf("seed %d, %v and %v: only first\n%sonly then\n%s", seed, x[:2], y[:2], without(a, b), without(b, a))
		}
	}
}

// TestOrderOfManyValues: also where there are more values than are kept.
func TestOrderOfManyValues(t *testing.T) {
	decl := schemas.TracePoint{At: "entry", Vars: []schemas.TraceVar{{Name: "x", Type: "int", Rep: "int"}}}
	var up, down []string
	for i := -100; i <= 100; i++ {
		if i != 0 {
			up = append(up, strconv.Itoa(i*i*i))
		}
	}
	down = slices.Clone(up)
	slices.SortFunc(down, func(a, b string) int { return len(a) - len(b) }) // -1 and 1 come early
	learn := func(list []string) string {
		p := NewPoint(decl)
		for _, x := range list {
			p.Add([]string{x}, 1)
		}
		return show(p.Invariants())
	}
	if a, b := learn(up), learn(down); a != b {
		t.Errorf("the order of the samples matters: got\n%sand\n%s", a, b)
	}
}

// TestPartAtOnce: variables that were equal in pairs, and part in the same batch, take along what they have seen of each other.
func TestPartAtOnce(t *testing.T) {
	defer func(old int) { batchSize = old }(batchSize)
	batchSize = minRows
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		s := &shape{r: r, decl: schemas.TracePoint{At: "entry"}}
		for _, name := range strings.Fields("a b c d e f") {
			s.decl.Vars = append(s.decl.Vars, schemas.TraceVar{Name: name, Type: "int", Rep: "int"})
		}
		f := functions[r.Intn(len(functions))].of
		for i := range 3 * minRows {
			x, y := int64(r.Intn(40)-20), int64(r.Intn(40)-20)
			row := []int64{x, x, y, y, x + 100, x + 100}
			if i >= 2*minRows { // a function of two that parted, which the samples before deny
				row = []int64{x, y, f(x, y), r.Int63n(40) - 20, f(x, y), x + y}
			}
			text := []string{}
			for _, n := range row {
				text = append(text, strconv.FormatInt(n, 10))
			}
			s.samples = append(s.samples, text)
		}
		for _, complaint := range contradictions(s, map[string]int{}) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
}
