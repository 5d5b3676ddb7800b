package check

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// guarded are statements that cannot panic, each guarded in a way that people guard. They may read
// the parameters of safe's functions, and add to r. $ is a number of its own.
var guarded = []string{
	`if i >= 0 && i < len(s) { r += s[i] }`,
	`if uint(j) < uint(len(s)) { r += s[j] }`,
	`if i < 0 || i >= len(s) { r++ } else { r += s[i] }`,
	`for k$ := range s { r += s[k$] }`,
	`for k$, v$ := range s { s[k$] = v$ + 1 }`,
	`for k$ := 0; k$ < len(s); k$++ { r += s[k$] }`,
	`for k$ := len(s) - 1; k$ >= 0; k$-- { r += s[k$] }`,
	`for k$ := 1; k$ < len(s); k$++ { r += s[k$] - s[k$-1] }`,
	`if len(s) > 0 { r += s[0] + s[len(s)-1] }`,
	`if len(s) >= 4 { r += s[i&3] }`,
	`if n$ := len(s); n$ > 1 { r += s[n$/2] }`,
	`if p != nil { r += p.val }`,
	`if p != nil && p.next != nil { r += p.next.val }`,
	`for n$ := p; n$ != nil; n$ = n$.next { r += n$.val }`,
	`if q$ := p.find(i); q$ != nil { r += q$.val }`,
	`some$ := p != nil; r++; if some$ { r += p.val }`,
	`if j != 0 { r += i / j }`,
	`if j > 0 { r += i % j }`,
	`switch { case j == 0: r++; default: r += 100 / j }`,
	`if v$, ok$ := x.(int); ok$ { r += v$ }`,
	`switch v$ := x.(type) { case int: r += v$; case *node: if v$ != nil { r += v$.val } }`,
	`if q$, ok$ := x.(*node); ok$ && q$ != nil { r += q$.val }`,
	`if m != nil { m[t] = p }`,
	`if m == nil { m = map[string]*node{} }; m[t] = &node{}; r += m[t].val`,
	`if q$, ok$ := m["a"]; ok$ && q$ != nil { r += q$.val }`,
	`if q$ := m[t]; q$ != nil { r += q$.val }`,
	`q$, err$ := open(i); if err$ != nil { return r }; r += q$.val`,
	`if q$, err$ := open(j); err$ == nil && q$.val > 0 { r++ }`,
	`if k$ := strings.IndexByte(t, '='); k$ >= 0 { r += len(t[k$+1:]) }`,
	`if strings.HasPrefix(t, "ab") { r += int(t[1]); t = t[2:] }`,
	`if len(t) > 0 && t[0] == '-' { t = t[1:] }`,
	`for k$ := 0; k$ < len(t); k$++ { if t[k$] == ' ' { r++ } }`,
	`for k$, c$ := range t { if c$ == 'x' { r += int(t[k$]) } }`,
	`hi$ := j; if hi$ > len(s) { hi$ = len(s) }; if hi$ < 0 { hi$ = 0 }; r += len(s[:hi$])`,
	`lo$ := max(0, min(i, len(s))); r += len(s[lo$:])`,
	`if 0 <= i && i <= j && j <= len(s) { r += len(s[i:j]) }`,
	`s = append(s, i); r += s[len(s)-1]`,
	`if len(s) > 0 { s = s[:len(s)-1] }`,
	`var a$ [8]int; a$[u%8] = i; r += a$[7]`,
	`r += 1 << u; r += i >> (uint(j) & 63)`,
	`if j >= 0 { r += i << j }`,
	`b$ := make([]int, int(u)); if len(b$) > 2 { b$[2] = 1 }`,
	`c$ := append([]int(nil), s...); if len(c$) == len(s) && len(c$) > 0 { r += c$[len(s)-1] }`,
	`f$ := func(n *node) int { if n == nil { return 0 }; return n.val }; r += f$(p)`,
	`if g != nil { r += g(i) }`,
	`if e != nil { r += e.size() }`,
	`var b$ box; b$.put(i); r += b$.get()`,
	`st$ := stack{}; st$.push(i); st$.push(j); r += st$.pop()`,
	`func() { defer func() { recover() }(); r += s[0] }()`,
	`n$ := copy(s, s); for k$ := 0; k$ < n$; k$++ { s[k$]++ }`,
	`if p == nil { return r }; r += p.val`,
	`if len(s) == 0 || s[0] == 0 { return r }; r += 10 / s[0]`,
	`p$ := p; if p$ == nil { p$ = &node{} }; r += p$.val`,
	`if valid(s, i) { r += s[i] }`,
	`k$ := clamp(i, len(s)); if k$ >= 0 { r += s[k$] }`,
}

const safeDecls = `package safe

import (
	"errors"
	"strings"
)

var _ = strings.IndexByte

type node struct {
	val  int
	next *node
}

func (n *node) find(v int) *node {
	for ; n != nil; n = n.next {
		if n.val == v {
			return n
		}
	}
	return nil
}

func open(i int) (*node, error) {
	if i < 0 {
		return nil, errors.New("negative")
	}
	return &node{val: i}, nil
}

type sizer interface{ size() int }

type box struct{ at *node }

func (b *box) put(i int) {
	if b.at == nil {
		b.at = new(node)
	}
	b.at.val = i
}
func (b *box) get() int {
	if b.at == nil {
		return 0
	}
	return b.at.val
}
func (b *box) size() int {
	if b == nil {
		return 0
	}
	return b.get()
}

type stack struct{ items []int }

func (s *stack) push(i int) { s.items = append(s.items, i) }
func (s *stack) pop() int {
	if len(s.items) == 0 {
		return 0
	}
	n := len(s.items) - 1
	v := s.items[n]
	s.items = s.items[:n]
	return v
}

func valid(s []int, i int) bool { return i >= 0 && i < len(s) }

func clamp(i, n int) int {
	switch {
	case i < 0:
		return -1
	case i >= n:
		return n - 1
	}
	return i
}
`

// safe writes a function that cannot panic: some of the guarded statements, in blocks and loops of
// their own here and there. What the statements change, none of them relies on.
func safe(seed int64, name string) string {
	r := rand.New(rand.NewSource(seed))
	var out strings.Builder
	fmt.Fprintf(&out,
		"\nfunc %s(s []int, t string, i, j int, p *node, m map[string]*node, x any, u uint8, "+
			"g func(int) int, e sizer) (r int) {\n", name)
	n := 0
	statement := func() string {
		n++
		return strings.ReplaceAll(guarded[r.Intn(len(guarded))], "$", fmt.Sprint(n))
	}
	for range 2 + r.Intn(4) {
		switch r.Intn(6) {
		case 0:
			fmt.Fprintf(&out, "\tif i < j {\n\t\t%s\n\t} else {\n\t\t%s\n\t}\n", statement(), statement())
		case 1:
			fmt.Fprintf(&out, "\tfor range 2 {\n\t\t%s\n\t}\n", statement())
		case 2:
			fmt.Fprintf(&out, "\t{\n\t\t%s\n\t}\n", statement())
		default:
			fmt.Fprintf(&out, "\t%s\n", statement())
		}
	}
	out.WriteString("\treturn r\n}\n")
	return out.String()
}

// TestPanicFree checks that generated functions which guard all they do have no warnings.
// Undecided obligations are counted, not failed.
func TestPanicFree(t *testing.T) {
	functions := number("DSD_SAFE", 100)
	var text strings.Builder
	text.WriteString(safeDecls)
	texts := map[string]string{}
	for i := range functions {
		name := fmt.Sprintf("S%d", i)
		texts["safe."+name] = safe(int64(i), name)
		text.WriteString(texts["safe."+name])
	}
	dir := writeModule(t, map[string]string{"go.mod": "module safe\n\ngo 1.23\n",
		"safe.go": text.String()})
	doc := run(t, dir, Options{})
	undecided := 0
	for _, w := range doc.Warnings {
		switch {
		case w.Status == "unknown":
			undecided++
		case w.Param == "": // of the declarations, (b *box) is not guarded
			t.Errorf("%s: %s in %s: %s\n%s", w.Pos, w.Kind, w.Func, w.Message,
				numbered(text.String(), texts[w.Func]))
		}
	}
	for _, s := range doc.Skipped {
		t.Errorf("%s is skipped: %s", s.Func, s.Reason)
	}
	t.Logf("%d functions, %d obligations, %d warnings that the solver did not decide", doc.Functions,
		doc.Stats.Assertions, undecided)
	if undecided > functions/25 {
		t.Errorf("the solver did not decide %d warnings", undecided)
	}
}
