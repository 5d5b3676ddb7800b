package invariant

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"

	"dsd/schemas"
)

// randomPoint is a random program point with samples. Each variable has a behavior: an int below 8
// that decides, in all samples, which values it gets and on which other variables they depend.
type randomPoint struct {
	r          *rand.Rand
	decl       schemas.TracePoint
	samples    [][]string
	special    specialValues
	functionOf int // the function that gives k from i and j, from 1; 0 for none
}

// specialValues selects the values that have no Go literal.
type specialValues int

const (
	plain       specialValues = iota
	nonFinite                 // floats that are NaN or infinite
	longStrings               // strings of which the trace has only a hash
)

// newRandomPoint returns a random point with 1 to 30 samples.
func newRandomPoint(seed int64, odd specialValues) *randomPoint {
	s := &randomPoint{r: rand.New(rand.NewSource(seed)), special: odd}
	s.decl.At = "entry"
	add := func(name, typ, rep, pointer string) {
		v := schemas.TraceVar{Name: name, Type: typ, Rep: schemas.Rep(rep), Pointer: pointer}
		s.decl.Vars = append(s.decl.Vars, v)
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
		{Name: "p.n", Type: "int", Rep: "int", Pointer: "p"},
		{Name: "p.f", Type: "float64", Rep: "float", Pointer: "p"},
		{Name: "p.next", Type: "*T", Rep: "ref", Pointer: "p"},
		{Name: "p.next.n", Type: "int", Rep: "int", Pointer: "p.next"},
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
	behaviors := make([]int, len(s.decl.Vars))
	for i := range behaviors {
		behaviors[i] = s.r.Intn(8)
	}
	s.functionOf = max(s.r.Intn(24)-24+len(functions)+2, 0)
	for range 1 + s.r.Intn(30) {
		s.samples = append(s.samples, s.sample(behaviors))
	}
	return s
}

// sample returns a sample.
func (s *randomPoint) sample(behaviors []int) []string {
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
		case behaviors[i] == 5 && of["old("+v.Name+")"] != "":
			row[i] = of["old("+v.Name+")"]
		case s.functionOf > 0 && (v.Name == "i" || v.Name == "j"):
			row[i] = strconv.Itoa(s.r.Intn(200) - 100)
		case v.Name == "j" && behaviors[i] > 5: // a line
			n, _ := strconv.ParseInt(of["i"], 10, 64)
			row[i] = strconv.FormatInt(5-n%1000*int64(2*behaviors[i]-13), 10)
		case v.Name == "j" && (behaviors[i] == 4 || behaviors[i] == 3):
			// another relation of two variables
			n, _ := strconv.ParseInt(of["i"], 10, 64)
			n %= 1000
			row[i] = strconv.FormatInt([]int64{
				n * n, n * int64(1+s.r.Intn(9)), n | int64(s.r.Intn(64)), n & int64(s.r.Intn(512)),
				n * n, n * n, n * n, n * n,
			}[behaviors[2]], 10)
		case v.Name == "k" && s.functionOf > 0: // a relation of three variables
			x, _ := strconv.ParseInt(of["i"], 10, 64)
			y, _ := strconv.ParseInt(of["j"], 10, 64)
			f := func(x, y int64) int64 { return 2*x - 3*y + 1 }
			if s.functionOf <= len(functions) {
				f = functions[s.functionOf-1].of
			}
			row[i] = strconv.FormatInt(f(x, y), 10)
		case v.Name == "t" && behaviors[i] > 4 && of["s"][0] == '"':
			text, _ := strconv.Unquote(of["s"])
			row[i] = strconv.Quote(text + []string{"x", "", "ä"}[s.r.Intn(behaviors[i]-4)])
		case v.Rep == "ints":
			row[i] = s.list(of, behaviors[i], v.Name == "ys")
		default:
			row[i] = s.value(v, behaviors[i])
		}
		of[v.Name] = row[i]
	}
	return row
}

// list returns a sequence, sorted or not. The second sequence, ys, may be derived from xs.
func (s *randomPoint) list(of map[string]string, behavior int, second bool) string {
	var list []int
	for _, f := range strings.Fields(strings.Trim(of["xs"], "[]")) {
		n, _ := strconv.Atoi(f)
		list = append(list, n)
	}
	switch {
	case second && behavior == 0:
		slices.Reverse(list)
	case second && behavior == 1:
		list = append([]int{s.r.Intn(5)}, append(list, s.r.Intn(5))...)
	case second && behavior == 2:
		s.r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	case second && behavior == 3:
		for i := range list {
			list[i] += 1 + s.r.Intn(3)
		}
	default:
		list = nil
		for n := range 1 + s.r.Intn(5) {
			list = append(list, []int{
				n, 3 * n, 7, s.r.Intn(2), 9 - n, s.r.Intn(1000), s.r.Intn(1000), -s.r.Intn(3),
			}[behavior])
		}
		if n, err := strconv.Atoi(of["i"]); behavior == 6 && err == nil && n == int(int32(n)) {
			list[s.r.Intn(len(list))] = n
		}
	}
	return fmt.Sprint(list)
}

// value returns a value of v that does not depend on other variables.
func (s *randomPoint) value(v schemas.TraceVar, behavior int) string {
	r := s.r
	ints := []int64{
		7, int64(r.Intn(3)), int64(r.Intn(5)) - 2, int64(r.Intn(200)) - 100,
		r.Int63() - r.Int63(), int64(1 - 2*r.Intn(2)), 1 << r.Intn(12), int64(12*r.Intn(20)) - 24,
	}
	switch v.Rep {
	case "int":
		if strings.HasPrefix(v.Name, "len(") {
			return fmt.Sprint(r.Intn(4 + behavior))
		}
		return fmt.Sprint(ints[behavior])
	case "uint":
		if behavior == 4 {
			return fmt.Sprint(r.Uint64())
		}
		return fmt.Sprint(uint64(r.Intn(1 + behavior*behavior)))
	case "float":
		if s.special == nonFinite && (behavior == 0 || r.Intn(3) == 0) {
			return []string{"NaN", "+Inf", "-Inf"}[behavior%3]
		}
		return []string{"1.5", "-0", "0", "1e+100", "-2.5"}[r.Intn(1+behavior%5)]
	case "bool":
		return fmt.Sprint(behavior > 3 || behavior > 1 && r.Intn(2) == 0)
	case "string":
		if s.special == longStrings && r.Intn(3) == 0 {
			return "~" + strconv.Itoa(r.Intn(1+behavior))
		}
		return strconv.Quote(strings.Repeat("ä\"", r.Intn(1+behavior)))
	case "ref":
		if behavior == 0 || behavior < 4 && r.Intn(3) == 0 {
			return "nil"
		}
		return fmt.Sprint(1 + r.Intn(1+behavior%3))
	case "type":
		if behavior == 0 || behavior < 4 && r.Intn(2) == 0 {
			return "nil"
		}
		return `"*errors.errorString"`
	}
	panic(v.Rep)
}
