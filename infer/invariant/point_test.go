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

// TestFields checks the fields of an invariant besides its expression.
func TestFields(t *testing.T) {
	p := NewPoint(schemas.TracePoint{At: "entry", Vars: []schemas.TraceVar{
		{Name: "n", Type: "int", Rep: "int"}, {Name: "m", Type: "int", Rep: "int"},
	}})
	p.Confidence = 0.9
	if got := p.Invariants(); got == nil || len(got) != 0 {
		t.Errorf("without samples: got %#v, want an empty list", got)
	}
	for i := range 10 {
		p.Add([]string{strconv.Itoa(2 - i%2), strconv.Itoa(100 + i*i)}, 2)
	}
	for _, want := range []schemas.Invariant{
		{
			Template: "one-of", Vars: []string{"n"}, Params: []string{"1", "2"},
			Expr: "n == 1 || n == 2", Samples: 20, Confidence: 0.9996, Assumed: true,
		},
		{
			Template: "lower-bound", Vars: []string{"m"}, Params: []string{"1"},
			Expr: "m >= 1", Samples: 20, Confidence: 0.9999, Assumed: true,
		},
	} {
		isWanted := func(inv schemas.Invariant) bool { return reflect.DeepEqual(inv, want) }
		if !slices.ContainsFunc(p.Invariants(), isWanted) {
			t.Errorf("got\n%+v\nwithout\n%+v", p.Invariants(), want)
		}
	}
}

// TestInvariantsHold checks that every invariant holds in all samples of random points, and that
// every template has an instance.
func TestInvariantsHold(t *testing.T) {
	learned := map[string]int{}
	for seed := range int64(250) {
		setBatchSize(t, seed)
		for _, complaint := range contradictions(newRandomPoint(seed, plain), learned) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
	for _, template := range strings.Fields("constant one-of non-nil always-nil lower-bound " +
		"upper-bound non-zero equal not-equal less less-equal unchanged linear modulus power-of-two " +
		"prefix suffix divides square bit-subset linear-3 min max and or xor gcd product implication " +
		"sorted no-duplicates index elementwise member subset subsequence reverse element-bound " +
		"element-one-of string-order") {
		if learned[template] == 0 {
			t.Errorf("template %s: got no instance", template)
		}
	}
}

// TestNonFiniteFloats is TestInvariantsHold with floats that have no Go literal: infinities and
// NaN.
func TestNonFiniteFloats(t *testing.T) {
	for seed := range int64(80) {
		for _, complaint := range contradictions(newRandomPoint(seed, nonFinite), map[string]int{}) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
}

// TestLongStrings is TestInvariantsHold with strings of which the trace has only a hash.
func TestLongStrings(t *testing.T) {
	for seed := range int64(80) {
		for _, complaint := range contradictions(newRandomPoint(seed, longStrings), map[string]int{}) {
			t.Fatalf("seed %d: %s", seed, complaint)
		}
	}
}

// setBatchSize sets the size of batches for a test. With small batches, equality sets split and
// constants change after the first batch.
func setBatchSize(t *testing.T, seed int64) {
	old := batchSize
	t.Cleanup(func() { batchSize = old })
	batchSize = []int{512, 1, minRows, 9, 16}[seed%5]
}

// contradictions learns from the samples of a random point and returns what is wrong with the
// invariants. It counts the instances of each template in learned.
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
		assumed := true
		if template == "implication" {
			template, assumed = inv.Params[0], s.decl.At == schemas.AtExit
		}
		if inv.Assumed != (assumed && !ambitious[template]) || inv.Samples < 1 ||
			inv.Confidence < p.Confidence || inv.Confidence > 1 {
			out = append(out, fmt.Sprintf("invalid fields: %+v", inv))
		}
		if !namesVariables(inv) {
			out = append(out, fmt.Sprintf("%s (%s): does not name %q", inv.Expr, inv.Template, inv.Vars))
		}
		e, err := parser.ParseExpr(inv.Expr)
		if err != nil {
			out = append(out, fmt.Sprintf("%s: not a Go expression: %v", inv.Expr, err))
			continue
		}
		cond, err := NewScope(s.decl.Vars).Condition(inv.Expr)
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
				out = append(out, fmt.Sprintf("%s (%s): does not hold in %v of %v: %v",
					inv.Expr, inv.Template, row, s.decl.Vars, err))
			}
			if why := contradiction(s.decl, row, e); why != "" {
				out = append(out, fmt.Sprintf("%s (%s): contradicted by %v of %v: %s",
					inv.Expr, inv.Template, row, s.decl.Vars, why))
			}
		}
	}
	return out
}

// relationTemplates are the templates over several variables whose expressions have no common form.
var relationTemplates = strings.Fields("divides square bit-subset same-elements member subset " +
	"subsequence reverse elementwise min max and or xor gcd product linear-3 same-type " +
	"element-order string-order")

// comparisonForms are the expressions of other templates over two variables, in the order of Vars.
var comparisonForms = map[string]string{
	"equal": "%s == %s", "unchanged": "%s == %s", "not-equal": "%s != %s",
	"less": "%s < %s", "less-equal": "%s <= %s",
	"error-result": "implies(%s == nil, %s != nil)",
}

// namesVariables reports whether the expression of an invariant names its variables as its template
// prescribes.
func namesVariables(inv schemas.Invariant) bool {
	names := func(vars ...string) bool {
		return !slices.ContainsFunc(vars, func(v string) bool { return !strings.Contains(inv.Expr, v) })
	}
	form, known := comparisonForms[inv.Template]
	switch {
	case inv.Template == "linear":
		return len(inv.Vars) == 2 && names(inv.Vars...)
	case inv.Template == "implication":
		return len(inv.Vars) >= 2 && strings.HasPrefix(inv.Expr, "implies(") && names(inv.Vars[1])
	case slices.Contains(relationTemplates, inv.Template):
		return len(inv.Vars) >= 2 && names(inv.Vars...)
	case known:
		return len(inv.Vars) == 2 && names(fmt.Sprintf(form, inv.Vars[0], inv.Vars[1]))
	}
	return len(inv.Vars) == 1 && names(inv.Vars[0])
}

// without returns the lines of a that b does not have.
func without(a, b []string) string {
	isInB := func(l string) bool { return slices.Contains(b, l) }
	return strings.Join(slices.DeleteFunc(slices.Clone(a), isInB), "")
}

// TestSampleOrder checks that the invariants do not depend on the order of the samples, the size of
// the batches or the number of Gatherers.
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
		s.r.Shuffle(len(s.samples), func(i, j int) {
			s.samples[i], s.samples[j] = s.samples[j], s.samples[i]
		})
		setBatchSize(t, seed+s.r.Int63n(5))
		if after := learn(1 + s.r.Intn(4)); !reflect.DeepEqual(before, after) {
			a, b := strings.SplitAfter(show(before), "\n"), strings.SplitAfter(show(after), "\n")
			t.Fatalf("seed %d: only in the first order\n%sonly in the second\n%s",
				seed, without(a, b), without(b, a))
		}
	}
}

// TestBatchOrder checks that the invariants do not depend on the order of two batches. In each,
// some variables are constant, equal or elements of sequences, and sequences may be empty.
func TestBatchOrder(t *testing.T) {
	for seed := range int64(6000) {
		r := rand.New(rand.NewSource(seed))
		decl := schemas.TracePoint{At: "entry"}
		n := 2 + r.Intn(3)
		for i := range n {
			v := schemas.TraceVar{Name: string(rune('a' + i)), Type: "int", Rep: "int"}
			decl.Vars = append(decl.Vars, v)
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
			t.Fatalf("seed %d, %v and %v: only in the first order\n%sonly in the second\n%s",
				seed, x[:2], y[:2], without(a, b), without(b, a))
		}
	}
}

// TestManyValuesOrder checks that the order of the samples does not matter if there are more values
// than a column keeps.
func TestManyValuesOrder(t *testing.T) {
	decl := schemas.TracePoint{At: "entry",
		Vars: []schemas.TraceVar{{Name: "x", Type: "int", Rep: "int"}}}
	var up, down []string
	for i := -100; i <= 100; i++ {
		if i != 0 {
			up = append(up, strconv.Itoa(i*i*i))
		}
	}
	down = slices.Clone(up)
	slices.SortFunc(down, func(a, b string) int { return len(a) - len(b) }) // -1 and 1 first
	learn := func(list []string) string {
		p := NewPoint(decl)
		for _, x := range list {
			p.Add([]string{x}, 1)
		}
		return show(p.Invariants())
	}
	if a, b := learn(up), learn(down); a != b {
		t.Errorf("ascending samples: got\n%sshortest first: got\n%s", a, b)
	}
}

// TestSetsSplitTogether checks that equality sets which split in the same batch keep what their
// members have learned about each other.
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
			if i >= 2*minRows { // z == f(x, y), which earlier samples contradict
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
