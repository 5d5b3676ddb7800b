package check

import (
	"fmt"
	"math/rand"
	"strings"
)

// generator writes random Go functions that end, depend on nothing but their arguments, and now
// and then panic.
type generator struct {
	r     *rand.Rand
	out   strings.Builder
	depth int                 // of statements
	names map[string][]string // variables in scope by type
	n     int
	loops int
}

// The types of variables; the arguments are of those in scalars.
var (
	scalars = []string{"int", "int8", "uint8", "int32", "uint64", "bool"}
	others  = []string{"string", "[]int", "[3]int8", "map[int]int", "pair", "*pair", "any", "float64",
		"float32", "complex128", "func(int) int", "shape", "map[key]int"}
)

// generate returns a function named name, on lines of its own, with parameters of the types in
// scalars.
func generate(seed int64, name string) string {
	g := &generator{r: rand.New(rand.NewSource(seed)), names: map[string][]string{}}
	fmt.Fprintf(&g.out,
		"func %s(a int, b int8, c uint8, d int32, e uint64, f bool) (result int64) {\n", name)
	for i, n := range []string{"a", "b", "c", "d", "e", "f"} {
		g.names[scalars[i]] = append(g.names[scalars[i]], n)
	}
	if g.r.Intn(4) == 0 {
		// What is recovered from must not panic again: Go tells of both then.
		g.line("defer func() { if recover() != nil { result += %s } }()", g.expr("int8", 0, "int64"))
	} else if g.r.Intn(5) == 0 {
		g.line("defer func() { result -= 3 }()")
	}
	for range 4 + g.r.Intn(8) {
		g.stmt()
	}
	for _, t := range scalars[:5] {
		g.line("result = result*31 + int64(%s)", g.expr(t, 2, ""))
	}
	g.line("return result + int64(len(%s)) + int64(len(%s))", g.expr("string", 2, ""),
		g.expr("[]int", 2, ""))
	g.out.WriteString("}\n")
	return g.out.String()
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.out, strings.Repeat("\t", g.depth+1)+format+"\n", args...)
}

func (g *generator) pick(list ...string) string { return list[g.r.Intn(len(list))] }

func (g *generator) fresh(t string) string {
	g.n++
	name := fmt.Sprintf("v%d", g.n)
	g.names[t] = append(g.names[t], name)
	return name
}

// scoped runs do in a block of its own.
func (g *generator) scoped(do func()) {
	saved := map[string][]string{}
	for t, l := range g.names {
		saved[t] = l[:len(l):len(l)]
	}
	g.depth++
	do()
	g.depth--
	g.names = saved
}

func (g *generator) block() {
	g.scoped(func() {
		for range 1 + g.r.Intn(3) {
			g.stmt()
		}
	})
}

func (g *generator) stmt() {
	if g.depth > 3 {
		g.assign()
		return
	}
	switch g.r.Intn(31) {
	case 28, 29, 30:
		g.memory()
	case 22, 23, 24, 25, 26, 27:
		g.exact()
	case 14, 15, 16, 17, 18, 19, 20, 21:
		g.more()
	case 0, 1, 2:
		t := g.pick(append(append([]string{}, scalars...), others...)...)
		e := g.expr(t, 3, "")
		v := g.fresh(t)
		g.line("var %s %s = %s", v, t, e)
		g.line("_ = %s", v)
	case 3, 4, 5:
		g.assign()
	case 6:
		g.line("if %s {", g.expr("bool", 2, ""))
		g.block()
		if g.r.Intn(2) == 0 {
			g.line("} else {")
			g.block()
		}
		g.line("}")
	case 7:
		if g.loops > 2 {
			g.assign()
			return
		}
		g.loops++
		g.n++
		i := fmt.Sprintf("i%d", g.n)
		g.line("for %s := 0; %s < %d; %s++ {", i, i, 1+g.r.Intn(4), i)
		g.scoped(func() {
			g.names["readonly int"] = append(g.names["readonly int"], i)
			for range 1 + g.r.Intn(2) {
				g.stmt()
			}
			if g.r.Intn(3) == 0 {
				g.line("if %s { %s }", g.expr("bool", 1, ""), g.pick("break", "continue"))
			}
		})
		g.line("}")
		g.loops--
	case 8:
		g.line("switch %s {", g.expr("int8", 2, ""))
		for _, k := range g.r.Perm(6)[:2] {
			g.line("case %d:", k-2)
			g.block()
		}
		g.line("default:")
		g.block()
		g.line("}")
	case 9:
		if ps := g.names["[]int"]; len(ps) > 0 {
			g.n++
			v := fmt.Sprintf("i%d", g.n)
			g.line("for %s, x%d := range %s {", v, g.n, g.pick(ps...))
			n := g.n
			g.scoped(func() {
				g.names["readonly int"] = append(g.names["readonly int"], v, fmt.Sprintf("x%d", n))
				g.line("_, _ = %s, x%d", v, n)
				g.assign()
			})
			g.line("}")
		}
	case 10:
		if ps := g.names["*pair"]; len(ps) > 0 {
			p := g.pick(ps...)
			g.line("%s.%s", p, g.pick("x = "+g.expr("int8", 2, ""), "next = "+g.expr("*pair", 1, ""), "x++",
				"list = "+g.expr("[]int", 1, "")))
		}
	case 11:
		if ms := g.names["map[int]int"]; len(ms) > 0 {
			m := g.pick(ms...)
			g.line("%s", g.pick(m+"["+g.expr("int", 1, "")+"&3] = "+g.expr("int", 1, ""),
				"delete("+m+", "+g.expr("int", 1, "")+"&3)", m+"["+g.expr("int", 1, "")+"&3]++"))
		}
	case 12:
		if as := g.names["any"]; len(as) > 0 {
			g.n++
			x := fmt.Sprintf("t%d", g.n)
			g.line("switch %s := %s.(type) {", x, g.pick(as...))
			for _, t := range []string{"int", "string", "pair"} {
				g.line("case %s:", t)
				g.scoped(func() {
					g.names["readonly "+t] = append(g.names["readonly "+t], x)
					g.line("_ = %s", x)
					g.assign()
				})
			}
			g.line("}")
		}
	case 13:
		if l := g.names["int"]; len(l) > 0 {
			v := g.pick(l...)
			g.line("func(k int) { %s %s= k }(%s)", v, g.pick("+", "-", "*"), g.expr("int", 2, ""))
		}
	}
}

func (g *generator) assign() {
	t := g.pick("int", "int", "int8", "uint8", "int32", "uint64", "bool", "string", "[]int",
		"[3]int8", "pair", "any", "float64", "float32", "complex128", "shape")
	l := g.names[t]
	if len(l) == 0 {
		return
	}
	v := g.pick(l...)
	switch {
	case t == "[]int" && g.r.Intn(2) == 0:
		g.line("%s[%s] = %s", v, g.expr("int", 1, ""), g.expr("int", 2, ""))
	case t == "[3]int8" && g.r.Intn(2) == 0:
		g.line("%s[%s&1] %s %s", v, g.expr("uint8", 1, ""), g.pick("=", "+=", "^="),
			g.expr("int8", 2, ""))
	case t == "pair" && g.r.Intn(2) == 0:
		g.line("%s.x %s %s", v, g.pick("=", "+=", "-="), g.expr("int8", 2, ""))
	case strings.HasPrefix(t, "int") && g.r.Intn(2) == 0:
		g.line("%s %s %s", v, g.pick("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "&^="),
			g.expr(t, 2, ""))
	default:
		g.line("%s = %s", v, g.expr(t, 3, ""))
	}
}

// expr is an expression of type t; as, if not empty, converts it.
func (g *generator) expr(t string, depth int, as string) string {
	e := g.plain(t, depth)
	if as != "" {
		return as + "(" + e + ")"
	}
	return e
}

func (g *generator) plain(t string, depth int) string {
	vars := append(append([]string{}, g.names[t]...), g.names["readonly "+t]...)
	if depth <= 0 || g.r.Intn(5) == 0 {
		if len(vars) > 0 && g.r.Intn(4) > 0 {
			return g.pick(vars...)
		}
		return g.literal(t)
	}
	sub := func(t string) string { return g.plain(t, depth-1) }
	switch t {
	case "bool":
		s := g.pick("int", "int8", "uint8", "int32", "uint64", "string")
		return g.pick(
			"("+sub(s)+" "+g.pick("<", "<=", ">", ">=", "==", "!=")+" "+sub(s)+")",
			"("+sub("bool")+" "+g.pick("&&", "||")+" "+sub("bool")+")",
			"!"+sub("bool"),
			"("+sub("[3]int8")+" == "+sub("[3]int8")+")",
			"("+sub("any")+" == any("+sub("int")+"))",
			"("+sub("float64")+" "+g.pick("<", "<=", ">", ">=", "==", "!=")+" "+sub("float64")+")",
			"("+sub("float32")+" < "+sub("float32")+")",
			"("+sub("complex128")+" == "+sub("complex128")+")",
			"("+sub("shape")+" == "+sub("shape")+")",
			"("+sub2key(sub)+" == "+sub2key(sub)+")",
			"("+sub("*pair")+" == nil)")
	case "string":
		return g.pick("("+sub("string")+" + "+sub("string")+")", "string(rune("+sub("int32")+"&0x3ff))",
			"("+sub("string")+")["+sub("uint8")+"&1:]", "string([]byte{"+sub("uint8")+"})")
	case "[]int":
		return g.pick("append("+sub("[]int")+", "+sub("int")+")",
			"append([]int{"+sub("int")+"}, "+sub("[]int")+"...)",
			"[]int{"+sub("int")+", "+sub("int")+"}",
			"[]int{1, 2, 3}[:"+sub("uint8")+"&"+g.pick("3", "7")+"]",
			"make([]int, "+sub("int8")+"&7)")
	case "[3]int8":
		return "[3]int8{" + sub("int8") + ", 2: " + sub("int8") + "}"
	case "map[int]int":
		return g.pick("map[int]int{1: "+sub("int")+"}", "map[int]int{}", "make(map[int]int)")
	case "pair":
		return g.pick("pair{x: "+sub("int8")+"}", "pair{"+sub("int8")+", nil, "+sub("[]int")+"}",
			"*"+paren(sub("*pair")))
	case "*pair":
		return g.pick("&pair{x: "+sub("int8")+", next: "+sub("*pair")+"}", "new(pair)",
			paren(sub("*pair"))+".next")
	case "any":
		return g.pick("any("+sub("int")+")", "any("+sub("string")+")", "any("+sub("pair")+")", "any(nil)")
	}
	if e := g.morePlain(t, sub); e != "" {
		return e
	}
	list := []string{
		"(" + sub(t) + " " + g.pick("+", "-", "*", "&", "|", "^", "&^") + " " + sub(t) + ")",
		"(" + sub(t) + " " + g.pick("/", "%") + " " + sub(t) + ")",
		"(" + sub(t) + " " + g.pick("<<", ">>") + " (" + sub("uint8") + "&15))",
		t + "(" + sub(g.pick(scalars[:5]...)) + ")",
		"-" + paren(sub(t)),
		"^" + paren(sub(t)),
		t + "(len(" + sub(g.pick("string", "[]int", "map[int]int")) + "))",
		"min(" + sub(t) + ", " + sub(t) + ")",
	}
	list = append(list, "larger("+sub(t)+", "+sub(t)+")")
	switch t {
	case "int":
		list = append(list, "truncate("+sub("float64")+")", "truncate("+sub("float32")+")",
			paren(sub("func(int) int"))+"("+sub("int")+")", paren(sub("shape"))+".area()",
			paren(sub("map[key]int"))+"["+sub2key(sub)+"]", "pair.val("+sub("pair")+")",
			"truncate(real("+sub("complex128")+"))",
			"copy("+sub("[]int")+", "+sub("[]int")+")",
			"last("+sub("[]int")+")", "[2]int("+sub("[]int")+")[1]")
		list = append(list, "("+sub("[]int")+")["+sub("int")+"]",
			"("+sub("map[int]int")+")["+sub("int")+"&3]", paren(sub("any"))+".(int)",
			"cap([]int{"+sub("int")+"})", "func() int { return "+sub("int")+" }()")
	case "int8":
		list = append(list, paren(sub("*pair"))+".x", paren(sub("[3]int8"))+"["+sub("uint8")+"&1]",
			paren(sub("pair"))+".x", "("+sub("int8")+" << "+sub("int8")+")")
	case "uint8":
		list = append(list, "("+sub("string")+")["+sub("int")+"&1]")
	}
	return g.pick(list...)
}

func paren(s string) string { return "(" + s + ")" }

func (g *generator) literal(t string) string {
	switch t {
	case "bool":
		return g.pick("true", "false")
	case "float64", "float32", "complex128", "func(int) int", "shape", "map[key]int":
		return g.moreLiteral(t)
	case "string":
		return g.pick("strs0", "strs1", "strs2", "strs3")
	case "[]int":
		return g.pick("[]int{}", "[]int{1, 2, 3}", "[]int(nil)")
	case "[3]int8":
		return "[3]int8{1, -2}"
	case "map[int]int":
		return g.pick("map[int]int{0: 7, 2: 9}", "map[int]int(nil)")
	case "pair":
		return "pair{}"
	case "*pair":
		return g.pick("(*pair)(nil)", "&pair{x: 1}", "&pair{x: 1}", "&pair{x: 2, next: &pair{}}")
	case "any":
		return g.pick("any(1)", `any("a")`, "any(nil)")
	}
	// A variable that nothing assigns: constants that overflow would not compile.
	return fmt.Sprintf("%s%d", t+"s", g.r.Intn(6))
}

// preamble declares what the functions use.
const preamble = `
type pair struct {
	x    int8
	next *pair
	list []int
}

func (p *pair) get() int       { return int(p.x) }
func (p *pair) get2(k int) int { return int(p.x) << k }
func (p pair) val() int  { return int(p.x) + len(p.list) }

type key struct {
	n  int16
	on bool
	s  string
}

type shape interface{ area() int }

type square int8

func (s square) area() int { return int(s) * int(s) }

type oblong struct {
	pair
	w int
}

func (o *oblong) area() int { return o.w / int(o.x) }

// A rescue recovers, if it is 2 or more.
type rescue interface{ recover(*int64) }

type rescuer int8

func (r rescuer) recover(result *int64) {
	if r > 1 && recover() != nil {
		*result += int64(r)
	}
}

func boxed[T any](x T) any {
	type inner struct{ x T }
	return inner{x}
}

func larger[T int | int8 | uint8 | int32 | uint64](a, b T) T {
	if a > b {
		return a
	}
	return b
}

type stack[E any] struct{ items []E }

func (s *stack[E]) push(e E) { s.items = append(s.items, e) }
func (s *stack[E]) pop() E {
	e := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return e
}

func last(a []int) int {
	s := stack[int]{a}
	return s.pop()
}

// truncate is the conversion to int, without what depends on the machine.
func truncate[F float32 | float64](f F) int {
	if f > -1e9 && f < 1e9 {
		return int(f)
	}
	return 7
}

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

var (
	float64s0, float64s1, float64s2, float64s3, float64s4, float64s5 float64 = ` +
	`0, 1, -1.5, 3e10, 1e-320, 0.1
	float32s0, float32s1, float32s2, float32s3, float32s4, float32s5 float32 = ` +
	`0, 1, -1.5, 3e10, 1e-40, 0.1
)

var (
	ints0, ints1, ints2, ints3, ints4, ints5                   int    = 0, 1, -1, 2, 3, -128
	int8s0, int8s1, int8s2, int8s3, int8s4, int8s5             int8   = 0, 1, -1, 2, 127, -128
	uint8s0, uint8s1, uint8s2, uint8s3, uint8s4, uint8s5       uint8  = 0, 1, 2, 7, 100, 255
	int32s0, int32s1, int32s2, int32s3, int32s4, int32s5       int32  = 0, 1, -1, 65, 1000, -1 << 31
	strs0, strs1, strs2, strs3 = "", "a", "xyz", "\xff\u00e9"

	uint64s0, uint64s1, uint64s2, uint64s3, uint64s4, uint64s5 uint64 = 0, 1, 2, 7, 100, 1<<64 - 1
)
`
