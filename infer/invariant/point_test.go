package invariant

import (
	"fmt"
	"go/parser"
	"math/rand"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dsd/schemas"
)

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

// TestNothingIsContradicted: whatever the samples, every invariant learned from them holds in all of them.
func TestInvariantsHold(t *testing.T) {
	learned := map[string]int{}
	for seed := range int64(250) {
		setBatchSize(t, seed)
		for _, complaint := range contradictions(newRandomPoint(seed, plain), learned) {
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
func TestNonFiniteFloats(t *testing.T) {
	for seed := range int64(80) {
		for _, complaint := range contradictions(newRandomPoint(seed, nonFinite), map[string]int{}) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
}

// TestLongStrings: the same of strings of which the trace has only a hash.
func TestLongStrings(t *testing.T) {
	for seed := range int64(80) {
		for _, complaint := range contradictions(newRandomPoint(seed, longStrings), map[string]int{}) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
}

// smallBatches makes points look at few samples at a time, so that variables part and change late.
func setBatchSize(t *testing.T, seed int64) {
	old := batchSize
	t.Cleanup(func() { batchSize = old })
	batchSize = []int{512, 1, minRows, 9, 16}[seed%5]
}

func contradictions(s *randomPoint, learned map[string]int) []string {
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
			if why := contradiction(s.decl, row, e); why != "" {
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
func TestSampleOrder(t *testing.T) {
	for seed := range int64(800) {
		setBatchSize(t, seed)
		s := newRandomPoint(seed, plain)
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
		setBatchSize(t, seed+s.r.Int63n(5))
		if after := learn(1 + s.r.Intn(4)); !reflect.DeepEqual(before, after) {
			a, b := strings.SplitAfter(show(before), "\n"), strings.SplitAfter(show(after), "\n")
			t.Fatalf("seed %d: only first\n%sonly then\n%s", seed, without(a, b), without(b, a))
		}
	}
}

// TestOrderOfBatches: two batches in which variables are constant, or equal, or elements of sequences that are empty in one of them, teach the same in
// either order.
func TestBatchOrder(t *testing.T) {
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
func TestManyValuesOrder(t *testing.T) {
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
func TestSetsSplitTogether(t *testing.T) {
	defer func(old int) { batchSize = old }(batchSize)
	batchSize = minRows
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		s := &randomPoint{r: r, decl: schemas.TracePoint{At: "entry"}}
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
