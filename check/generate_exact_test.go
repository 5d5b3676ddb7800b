package check

import (
	"fmt"
	"strings"
)

// Constructs that are easily got wrong, for generator: channels as queues, keys of all kinds, local
// types, recovery by values, parallel assignments, runes, method values, aliases.

func (g *generator) exact() {
	g.n++
	n := g.n
	g.line("{")
	g.scoped(func() {
		switch g.r.Intn(13) {
		case 0:
			g.queue(n)
		case 1, 2:
			g.keys(n)
		case 3:
			g.line("f%d := func(k int) { result = result*3 + int64(k) }", n)
			g.line("defer f%d(%s)", n, g.expr("int", 2, ""))
			g.line("for i := range %d { defer f%d(i) }", g.r.Intn(4), n)
		case 4:
			g.recovers(n)
		case 5:
			g.localTypes(n)
		case 6:
			g.parallel(n)
		case 7:
			g.runes(n)
		case 8:
			g.line("p%d := %s", n, g.expr("*pair", 1, ""))
			g.line("m%d := p%d.%s", n, n, g.pick("get", "val")) // val reads *p now, get does not
			g.line("if p%d != nil { p%d.x++ }", n, n)
			g.line("result += int64(m%d())", n)
		case 9:
			g.line("a%d := %s", n, g.expr("[3]int8", 1, ""))
			g.line("for i, x := range %s {", fmt.Sprintf(g.pick("a%d", "&a%d", "a%d[:]"), n))
			g.line("\ta%d[2] += x", n)
			g.line("\tresult = result*5 + int64(x) + int64(i)")
			g.line("}")
		case 10:
			g.line("var fs%d []func() int", n)
			g.line("for i := 0; i < %d; i++ {", 1+g.r.Intn(3))
			g.line("\tfs%d = append(fs%d, func() int { i += 2; return i })", n, n)
			g.line("}")
			g.line("for _, f := range fs%d { result = result*7 + int64(f()) + int64(f()) }", n)
		case 11:
			g.line("s%d := append(%s, %s)", n, g.expr("[]int", 1, ""), g.expr("int", 1, ""))
			g.line("t%d, u%d := append(s%d, 1), append(s%d[:0:0], s%d...)", n, n, n, n, n)
			g.line("t%d[0]++", n)
			g.line("result += int64(s%d[0] + u%d[0] + cap(t%d))", n, n, n)
		case 12:
			g.line("x%d := %s", n, g.expr("int", 1, ""))
			g.line("next := func() int { x%d++; return x%d & 3 }", n, n)
			g.line("l%d := []int{next(), next(), 5, 6}", n)
			g.line("l%d[next()], l%d[next()] = next(), next()", n, n)
			g.line("for _, x := range l%d { result = result*3 + int64(x) }", n)
		}
	})
	g.line("}")
}

// queue uses a channel that no other function or goroutine has.
func (g *generator) queue(n int) {
	closed := false
	g.line("c%d := make(chan int, %s&3)", n, g.expr("uint8", 1, ""))
	for range 2 + g.r.Intn(5) {
		switch g.r.Intn(7) {
		case 0, 1, 2:
			g.line("select { case c%d <- %s: default: result += 3 }", n, g.expr("int", 1, ""))
		case 3:
			g.line("select { case x, ok := <-c%d: if ok { result = result*3 + int64(x) }; default: result-- }", n)
		case 4:
			g.line("if len(c%d) < cap(c%d) { c%d <- %s }", n, n, n, g.expr("int", 1, ""))
		case 5:
			g.line("if len(c%d) > 0 { result += int64(<-c%d) }", n, n)
		case 6:
			if !closed || g.r.Intn(4) == 0 {
				closed = true
				g.line("close(c%d)", n)
			}
		}
	}
	if closed {
		g.line("for x := range c%d { result = result*7 + int64(x) }", n)
	}
	g.line("result += int64(len(c%d)*10 + cap(c%d))", n, n)
}

// keys uses a map with keys of some type.
func (g *generator) keys(n int) {
	e := func(t string) string { return g.expr(t, 1, "") }
	var t string
	var keys func() string
	switch g.r.Intn(5) {
	case 0, 1:
		t = "any"
		keys = func() string {
			return g.pick(e("int")+"&3", e("int8"), e("string"), "square("+e("int8")+")", "nil",
				"[2]int8{"+e("int8")+", 1}", "pair{}", "[]int(nil)", e("bool"), e("float32"),
				"key{on: "+e("bool")+"}", "any("+e("int8")+")", "rescuer("+e("int8")+")")
		}
	case 2:
		t, keys = "float64", func() string { return e("float64") }
	case 3:
		t = "*pair"
		keys = func() string { return g.pick(e("*pair"), fmt.Sprintf("&q%d", n), "nil") }
		g.line("var q%d pair", n)
		g.line("_ = q%d", n)
	case 4:
		t, keys = "[2]int8", func() string { return "[2]int8{" + e("int8") + ", " + e("int8") + "}" }
	}
	g.line("m%d := map[%s]int{}", n, t)
	for range 2 + g.r.Intn(4) {
		g.line("%s", strings.ReplaceAll(g.pick("M[K] = "+e("int"), "M[K]++", "M[K] = len(M)",
			"delete(M, K)", "result += int64(M[K])",
			"if v, ok := M[K]; ok { result = result*3 + int64(v) }"),
			"M", fmt.Sprintf("m%d", n)))
		// The key is written last: it may contain an M.
		text := g.out.String()
		at := strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n") + 1
		line := strings.ReplaceAll(text[at:], "K", keys())
		g.out.Reset()
		g.out.WriteString(text[:at] + line)
	}
	g.line("sum%d := 0", n)
	switch g.r.Intn(16) { // loops over maps make results that depend on an order to us
	case 0:
		g.line("for k, v := range m%d { sum%d += v + 1; if %s { delete(m%d, k) } }", n, n,
			g.pick("true", "v > 0", "false"), n)
	case 1:
		g.line("for range m%d { sum%d++ }", n, n)
	}
	if g.r.Intn(3) == 0 {
		g.line("clear(m%d)", n)
	}
	g.line("result += int64(sum%d + len(m%d)*10)", n, n)
}

// recovers panics in a function whose deferred call recovers, or does not.
func (g *generator) recovers(n int) {
	g.line("func() {")
	g.scoped(func() {
		switch g.r.Intn(6) {
		case 0:
			g.line("rec := func() { if recover() != nil { result += 5 } }")
			g.line("defer rec()")
		case 1:
			g.line("var r rescue = rescuer(%d)", g.r.Intn(3))
			g.line("defer r.recover(&result)")
		case 2:
			g.line("defer rescuer(3).recover(&result)")
		case 3: // it is not the deferred function that calls recover
			g.line("defer func() { func() { recover() }() }()")
		case 4:
			g.line("defer func() { if r := recover(); r != nil { panic(%s) } }()", g.pick("r", "7", "nil"))
		case 5:
			g.line("late := rescuer(2).recover")
			g.line("defer late(&result)")
		}
		g.assign()
		g.line("%s", g.pick("panic(3)", "result += int64("+g.expr("int", 2, "")+")",
			"panic(any(nil))", "result += int64(("+g.expr("*pair", 1, "")+").x)"))
		g.assign()
	})
	g.line("}()")
}

// localTypes compares and asserts values of types that functions declare.
func (g *generator) localTypes(n int) {
	g.line("type local struct { n int8; s string }")
	g.line("var x%d any = %s", n, g.pick("local{"+g.expr("int8", 1, "")+", "+g.expr("string", 1, "")+"}",
		"&local{n: 1}", g.expr("any", 1, ""), "boxed("+g.expr("int8", 1, "")+")",
		"boxed("+g.expr("string", 1, "")+")", "struct{ n int8; s string }{}"))
	g.line("y%d := %s", n, g.pick(fmt.Sprintf("x%d", n), "any(local{})", "boxed(int8(1))", "boxed(\"a\")",
		"any(struct{ n int8; s string }{})"))
	g.line("{")
	g.line("\ttype local struct { n int8; s string }")
	g.line("\tif _, ok := x%d.(local); ok { result += 100 }", n)
	g.line("}")
	g.line("if x%d == y%d { result += 7 }", n, n)
	g.line("switch z := x%d.(type) {", n)
	g.line("case local: result += int64(z.n) + int64(len(z.s))")
	g.line("case *local: result += int64(z.n) * 2")
	g.line("case struct{ n int8; s string }: result += 11")
	g.line("case interface{ area() int }: result += int64(z.area())")
	g.line("}")
	if g.r.Intn(3) == 0 {
		g.line("result += int64(len(x%d.(local).s))", n)
	}
}

// parallel assigns to several places, some of which may panic.
func (g *generator) parallel(n int) {
	g.line("m%d, p%d, l%d := map[int]int{}, %s, %s", n, n, n, g.expr("*pair", 1, ""),
		g.expr("[]int", 1, ""))
	place := func() string {
		return fmt.Sprintf(g.pick("m%d[1]", "m%d[2]", "p%d.x", "p%d.next.x", "l%d[0]", "l%d[2]",
			"p%d.list[0]", "m%d[3]"), n)
	}
	value := func(p string) string { // cannot panic: Go may assign to a map before it evaluates it
		if strings.HasSuffix(p, ".x") {
			return g.expr("int8", 0, "")
		}
		return g.expr("int", 0, "")
	}
	x, y, z := place(), place(), place()
	g.line("func() {")
	g.line("\tdefer func() { if recover() != nil { result += 9 } }()")
	g.line("\t%s, %s, %s = %s, %s, %s", x, y, z, value(x), value(y), value(z))
	g.line("}()")
	g.line("result = result*5 + int64(len(m%d)*100 + m%d[1] + m%d[2] + len(l%d))", n, n, n, n)
	g.line("if len(l%d) > 0 { result += int64(l%d[0]) }", n, n)
	g.line("if p%d != nil { result += int64(p%d.x) }", n, n)
}

// runes converts between strings and runes.
func (g *generator) runes(n int) {
	g.line("s%d := %s + %s", n, g.pick(`"h\u00e9"`, `"\u20ac\xe2\x82"`, `"\U0001f600a"`, `""`),
		g.expr("string", 1, ""))
	g.line("for i, c := range s%d { result = result*3 + int64(i) + int64(c) }", n)
	g.line("r%d := []rune(s%d)", n, n)
	g.line("r%d = append(r%d, %s)", n, n, g.expr("int32", 1, ""))
	g.line("result += int64(len(r%d)) + int64(len(string(r%d))) + int64(len(string(r%d[%s:])))", n, n, n,
		g.pick("0", "1", "len(r"+fmt.Sprint(n)+")-1"))
	g.line("result += int64(len(string(rune(%s))))", g.expr("int32", 1, ""))
}
