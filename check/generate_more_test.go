package check

import (
	"fmt"
	"strings"
)

// More of the language, for generator: floats, functions as values, interfaces, generics, jumps,
// deferred calls, loops over all that loops go over.

func (g *generator) more() {
	switch g.r.Intn(18) {
	case 0: // forwards, over statements that declare nothing
		g.n++
		g.line("if %s { goto L%d }", g.expr("bool", 1, ""), g.n)
		label := g.n
		g.assign()
		g.assign()
		g.line("L%d:", label)
		g.assign()
		g.line(";")
	case 1: // backwards
		g.n++
		n := g.n
		g.line("{")
		g.scoped(func() {
			g.line("again%d := 0", n)
			g.line("L%d:", n)
			g.assign()
			g.line("if again%d++; again%d < %d { goto L%d }", n, n, 1+g.r.Intn(3), n)
		})
		g.line("}")
	case 2, 3: // a closure that is kept, and changes a variable
		t := g.pick("int", "int8", "string")
		body := "return " + g.expr("int", 2, "")
		changes := len(g.names[t]) > 0 && g.r.Intn(2) == 0
		if changes {
			body = fmt.Sprintf("%s = %s; ", g.pick(g.names[t]...), g.expr(t, 1, "")) + body
		}
		g.n++
		f := fmt.Sprintf("v%d", g.n)
		g.line("%s := func(k int) int { _ = k; %s }", f, body)
		g.line("_ = %s", f)
		if !changes {
			g.names["func(int) int"] = append(g.names["func(int) int"], f)
			return
		}
		// Whether a variable is read before a call in the same expression changes it is
		// not specified.
		for range 1 + g.r.Intn(2) {
			g.line("result += int64(%s(%s))", f, g.expr("int", 1, ""))
		}
	case 4:
		if l := g.names["int"]; len(l) > 1 {
			x, y := g.pick(l...), g.pick(l...)
			g.line("%s, %s = %s, %s", x, y, g.expr("int", 2, ""), x)
		}
	case 5:
		g.n++
		g.line("for i%d := range upTo(%d) {", g.n, g.r.Intn(4))
		i := fmt.Sprintf("i%d", g.n)
		g.passes(i)
	case 6:
		g.n++
		i := fmt.Sprintf("i%d", g.n)
		g.line("for %s := range %d {", i, 1+g.r.Intn(4))
		g.passes(i)
	case 7:
		g.n++
		i := fmt.Sprintf("i%d", g.n)
		g.line("for %s, c%d := range %s {", i, g.n, g.expr("string", 1, ""))
		n := g.n
		g.scoped(func() {
			g.names["readonly int"] = append(g.names["readonly int"], i)
			g.names["readonly int32"] = append(g.names["readonly int32"], fmt.Sprintf("c%d", n))
			g.line("_, _ = %s, c%d", i, n)
			g.assign()
		})
		g.line("}")
	case 8: // two loops, left from within
		g.n++
		n := g.n
		g.line("outer%d:", n)
		g.line("for i%d := range 3 {", n)
		g.scoped(func() {
			g.names["readonly int"] = append(g.names["readonly int"], fmt.Sprintf("i%d", n))
			g.line("for j%d := i%d; j%d < 3; j%d++ {", n, n, n, n)
			g.scoped(func() {
				g.names["readonly int"] = append(g.names["readonly int"], fmt.Sprintf("j%d", n))
				g.line("if %s { %s outer%d }", g.expr("bool", 1, ""), g.pick("break", "continue"), n)
				g.assign()
			})
			g.line("}")
		})
		g.line("}")
	case 9:
		g.line("switch {")
		g.line("case %s:", g.expr("bool", 2, ""))
		g.scoped(func() { g.assign(); g.line("fallthrough") })
		g.line("case %s:", g.expr("bool", 1, ""))
		g.block()
		g.line("}")
	case 10: // a deferred call that changes the result, of operands evaluated now
		g.line("defer func(k int) { result += int64(k) }(%s)", g.expr("int", 2, ""))
	case 11: // a panic that is recovered from inside
		g.line("func() {")
		g.scoped(func() {
			g.line("defer func() {")
			g.scoped(func() {
				g.line("if r := recover(); r != nil {")
				g.scoped(g.assignSafely)
				g.line("}")
			})
			g.line("}()")
			g.assign()
			g.assign()
		})
		g.line("}()")
	case 12:
		if l := g.names["[]int"]; len(l) > 0 {
			s := g.pick(l...)
			g.line("%s", g.pick("clear("+s+")", s+" = "+s+"["+g.expr("uint8", 1, "")+"&1:2:3]",
				"copy("+s+", "+g.expr("[]int", 2, "")+")", s+" = append("+s+"[:1], "+s+"...)"))
		}
	case 13:
		if l := g.names["map[key]int"]; len(l) > 0 {
			m := g.pick(l...)
			g.line("%s", g.pick(m+"["+g.key()+"] += "+g.expr("int", 1, ""), "delete("+m+", "+g.key()+")",
				"clear("+m+")"))
		}
	case 14:
		g.n++
		g.line("var b%d = []byte(%s)", g.n, g.expr("string", 2, ""))
		g.line("if len(b%d) > 1 { b%d[1] ^= %s }", g.n, g.n, g.expr("uint8", 1, ""))
		if l := g.names["string"]; len(l) > 0 {
			g.line("%s = string(b%d)", g.pick(l...), g.n)
		}
	case 16: // calls deferred by the body of a loop over a function
		g.n++
		g.line("for i%d := range upTo(%d) {", g.n, g.r.Intn(3))
		n := g.n
		g.scoped(func() {
			g.names["readonly int"] = append(g.names["readonly int"], fmt.Sprintf("i%d", n))
			g.line("defer func(k int) { result = result*3 + int64(k+i%d) }(%s)", n, g.expr("int", 1, ""))
			g.line("if %s { %s }", g.expr("bool", 1, ""), g.pick("break", "continue", "return 7"))
		})
		g.line("}")
	case 17: // of the cases, one is ready
		g.n++
		g.line("select {")
		g.line("case <-(chan int)(nil):")
		g.scoped(g.assign)
		g.line("case (chan int)(nil) <- %s:", g.expr("int", 2, ""))
		g.scoped(g.assign)
		g.line("default:")
		g.scoped(g.assign)
		g.line("}")
	case 15:
		if l := g.names["shape"]; len(l) > 0 {
			g.n++
			g.line("if s%d, ok := %s.(square); ok {", g.n, g.pick(l...))
			g.line("\tresult += int64(s%d)", g.n)
			g.line("}")
		}
	}
}

// passes is the body of a loop with the counter i, with a way out.
func (g *generator) passes(i string) {
	g.scoped(func() {
		g.names["readonly int"] = append(g.names["readonly int"], i)
		g.assign()
		g.line("if %s { %s }", g.expr("bool", 1, "")+" && "+i+" > 0",
			g.pick("break", "continue", "return result + int64("+i+")"))
		g.assign()
	})
	g.line("}")
}

// assignSafely assigns something that cannot panic.
func (g *generator) assignSafely() {
	t := g.pick("int", "int8", "uint64", "bool")
	if l := g.names[t]; len(l) > 0 {
		g.line("%s = %s", g.pick(l...), g.literal(t))
	}
}

func (g *generator) key() string { return sub2key(func(t string) string { return g.plain(t, 1) }) }

// sub2key is an expression of type key.
func sub2key(sub func(string) string) string {
	return "key{int16(" + sub("int8") + "), " + sub("bool") + ", " + sub("string") + "[:0]}"
}

// morePlain is plain for the types of this file, "" for others.
func (g *generator) morePlain(t string, sub func(string) string) string {
	switch t {
	case "float64", "float32":
		return g.pick("("+sub(t)+" "+g.pick("+", "-", "*", "/")+" "+sub(t)+")", "-"+paren(sub(t)),
			t+"("+sub(g.pick("int", "int32", "uint64"))+")",
			t+"("+sub("float64")+")", g.pick("min",
				"max")+"("+sub(t)+", "+sub(t)+")", t+"(imag("+sub("complex128")+"))")
	case "complex128":
		return g.pick("("+sub(t)+" "+g.pick("+", "-", "*", "/")+" "+sub(t)+")",
			"complex("+sub("float64")+", "+sub("float64")+")",
			"complex128(complex64("+sub(t)+"))", "-"+paren(sub(t)))
	case "func(int) int":
		return g.pick("func(k int) int { return k + "+sub("int")+" }",
			"func(int) int { return "+paren(sub("*pair"))+".get() }",
			"func(k int) int { return "+paren(sub("func(int) int"))+"(k - 1) }")
	case "shape":
		return g.pick("shape(square("+sub("int8")+"))",
			"shape(&oblong{w: "+sub("int")+", pair: "+sub("pair")+"})", "shape(nil)")
	case "map[key]int":
		return "map[key]int{" + sub2key(sub) + ": " + sub("int") + "}"
	}
	return ""
}

func (g *generator) moreLiteral(t string) string {
	switch t {
	case "complex128":
		return g.pick("complex(float64s1, float64s2)", "complex(float64s0, float64s5)")
	case "func(int) int":
		return g.pick("func(k int) int { return k * 2 }", "(&pair{x: 3}).get2", "(func(int) int)(nil)")
	case "shape":
		return g.pick("shape(square(3))", "shape(&oblong{w: 6, pair: pair{x: 2}})",
			"shape((*oblong)(nil))")
	case "map[key]int":
		return g.pick("map[key]int(nil)", "map[key]int{{1, true, \"\"}: 5}")
	}
	return fmt.Sprintf("%ss%d", strings.TrimSpace(t), g.r.Intn(6))
}
