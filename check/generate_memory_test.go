package check

import "strings"

// Parts of slices, strings and arrays that are kept in memory, for generator: in fields, elements,
// entries, boxes, channels and captured variables, with pointers into them.

// nodePreamble declares what the statements of memory use.
const nodePreamble = `
type node struct {
	part []int
	text string
	at   *int
	cell [4]int
	kids []node
	next *node
}

func (n *node) cut(k int)       { n.part, n.text = n.part[k:], n.text[k:] }
func (n node) sum() (s int) {
	for i, x := range n.part {
		s = s*3 + x + i
	}
	return s
}
func (n *node) tail() []int { return slices.Clip(n.part[1:]) }
func (n *node) find(c string) int { return strings.Index(n.text, c) }

type kept[T any] struct{ value T }

func (k *kept[T]) get() T  { return k.value }
func (k *kept[T]) set(x T) { k.value = x }

func grow(s *[]int, x int)     { *s = append(*s, x) }
func halves(s []int) (a, b []int) { return s[:len(s)/2], s[len(s)/2:] }
`

// memory is a block of statements over a few places that hold parts of objects.
func (g *generator) memory() {
	g.line("{")
	g.scoped(func() {
		g.line("h := &node{part: []int{1, 2, 3, 4, 5}[%s:], text: %s[%s:]}", g.pick("0", "1", "2"),
			g.pick(`"abcdefg"`, `"xyz"+strs1`), g.pick("0", "1", "2"))
		g.line("h.kids, h.next = []node{{part: h.part[1:]}, {text: h.text[1:]}}, &node{at: &h.part[0]}")
		g.line("array, lists := [4]int{6, 7, 8, 9}, [][]int{{1, 2}, h.part[1:]}")
		g.line("m, q, box := map[string][]int{\"a\": array[%s:]}, make(chan []int, 2), any(h.part[1:])",
			g.pick("0", "1"))
		g.line("s, p, texts := array[1:], &array[2], [2]string{h.text[1:]}")
		g.line("ps, pp, k := &s, &p, kept[[]int]{array[2:]}")
		g.line("_, _, _, _, _, _, _ = lists, m, q, box, texts, ps, pp")
		g.line("_ = k")
		for range 4 + g.r.Intn(7) {
			g.line("%s", g.memoryStep())
		}
		g.line("for _, l := range [][]int{h.part, h.kids[0].part, lists[0], lists[1], m[\"a\"], s, k.value} {")
		g.line("\tfor i, x := range l { result = result*3 + int64(x+i) }")
		g.line("}")
		g.line("for _, t := range []string{h.text, h.kids[1].text, texts[0]} {")
		g.line("\tfor i := range len(t) { result = result*5 + int64(t[i]) }")
		g.line("}")
		g.line("result += int64(*p + array[0] + array[3])")
	})
	g.line("}")
}

// memoryStep is a statement over the places of memory. In it, S, T and P stand for a place that holds a
// slice, a string and a pointer, A for an S with an address, s, t for values of these types, I for an index and E for an int.
func (g *generator) memoryStep() string {
	step := g.pick("S = s", "S = s", "T = t", "P = &(s)[I]", "(S)[I] += E", "(S)[I] = E", "*P += E", "*P++",
		"result = result*3 + int64((s)[I])", "result = result*7 + int64((t)[I])",
		"result += int64(len((s))*10 + cap((s))*100)", "box = s", "S = box.([]int)",
		"if len(q) < 2 { q <- s }", "if len(q) > 0 { S = <-q }", "h.kids = append(h.kids, *h)",
		"h.kids[1] = *h", "h.next = &h.kids[I]", "*h = h.kids[0]; h.kids = []node{*h, *h}",
		"result += int64(copy(S, s))", "clear((s)[I:])", "func() { S = s }()", "defer func() { S = s }()",
		"for i, x := range (s) { result = result*3 + int64(x+i); S = s }",
		"h.cut(I)", "h.next.cut(I)", "result = result*3 + int64(h.sum()+h.kids[0].sum())", "grow(&A, E)",
		"S, lists[1] = halves(s)", "S, (S)[I] = s, E", "k.set(s)", "h.cell = array; S = h.cell[I:]",
		"array = h.cell; array[I] = E", "{ n := h.kids[0]; n.part = s; n.cut(I); result += int64(n.sum()) }",
		"{ tail := h.tail; h.part = s; S = tail() }", "if P == &(s)[I] { result += 11 }", "lists = append(lists[:1], lists...)",
		"lists = lists[1:]; lists = append(lists, s)", "(*[2]int)(s)[1] = E",
		"if x, ok := box.([]int); ok && len(x) > 1 { result += int64(x[1]) }",
		"ps = &A", "pp = &P", "S = slices.Clone(s)", "result += int64(strings.Index(t, t[:0]))")
	var out strings.Builder
	for i := 0; i < len(step); i++ {
		switch c := step[i]; {
		case !g.alone(step, i):
			out.WriteByte(c)
		case c == 'S':
			out.WriteString(g.slicePlace())
		case c == 'A':
			out.WriteString(g.pick("h.part", "h.kids[0].part", "lists[0]", "lists[1]", "s", "k.value"))
		case c == 's':
			out.WriteString(g.sliceValue())
		case c == 'T':
			out.WriteString(g.pick("h.text", "h.kids[1].text", "texts[0]", "h.next.text"))
		case c == 't':
			x := g.pick("h.text", "h.kids[1].text", "texts[0]", "h.next.text")
			out.WriteString(g.pick(x, x, x+"["+g.index()+":]", x+"[:"+g.index()+"]", paren(x+`+"k"`)))
		case c == 'P':
			out.WriteString(g.pick("p", "h.at", "h.next.at", "(*pp)"))
		case c == 'I':
			out.WriteString(g.index())
		case c == 'E':
			out.WriteString(g.expr("int", 1, ""))
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// alone reports whether the letter at i is no part of a longer word.
func (g *generator) alone(text string, i int) bool {
	word := func(c byte) bool { return c == '_' || c == '"' || '0' <= c && c <= '9' || 'A' <= c&^32 && c&^32 <= 'Z' }
	return (i == 0 || !word(text[i-1]) && text[i-1] != '.') && (i+1 == len(text) || !word(text[i+1]))
}

func (g *generator) index() string { return g.pick("0", "0", "1", "1", "2", "k.value[0]&1") }

func (g *generator) slicePlace() string {
	return g.pick("h.part", "h.kids[0].part", "lists[0]", "lists[1]", `m["a"]`, "s", "(*ps)", "h.next.part",
		"k.value")
}

func (g *generator) sliceValue() string {
	x := g.slicePlace()
	i := g.index()
	return g.pick(x, x+"["+i+":]", x+"[:"+i+"]", x+"["+i+":2]", "append("+x+", "+g.expr("int", 1, "")+")",
		"append("+x+"[:"+i+"], "+g.slicePlace()+"...)", "array["+i+":]", "array[:"+i+":3]", "h.cell[1:]",
		"k.get()["+i+":]", "box.([]int)", "([]int{3, "+x+"["+i+"]})")
}
