package dtrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// Write writes a trace as declarations (version 2) and records that Daikon reads. What a function was called with and what it returned are one
// sample of ours; they become two records that belong together, and calls that did not return become a record of an entry alone. A sample that was
// seen often is written once.
//
// Errors: those of reading and of writing.
func Write(w io.Writer, t *schemas.TraceReader) error {
	out := bufio.NewWriterSize(w, 1<<16)
	e := &exporter{out: out, groups: map[string]int{}}
	out.WriteString("decl-version 2.0\ninput-language Go\nvar-comparability implicit\n")
	points := make([]*exported, len(t.Header.Points))
	entries := map[string]*schemas.TracePoint{}
	declared := map[string]*exported{}
	for i := range t.Header.Points {
		p := &t.Header.Points[i]
		switch p.At {
		case schemas.AtEntry:
			if entries[p.Func] == nil {
				entries[p.Func] = p
			}
		default:
			points[i] = &exported{point: p}
		}
	}
	for _, p := range points {
		if p == nil {
			continue
		}
		entry := entries[p.point.Func]
		if entry == nil || !p.pair(entry) {
			continue
		}
		if k := p.point.Func + " enter"; declared[k] == nil {
			declared[k] = p
			e.declare(escape(p.point.Func)+":::ENTER", "enter", entry.Vars)
		}
		if k := p.point.Func + " exit"; p.point.At == schemas.AtExit && declared[k] == nil {
			declared[k] = p
			e.declare(escape(p.point.Func)+":::EXIT0", "subexit", p.exitVars)
		} else if p.point.At == schemas.AtExit && !slices.Equal(names(p.exitVars), names(declared[k].exitVars)) {
			p.entry = nil // an interface's method, seen from a package that sees other variables
		}
	}
	out.WriteByte('\n')
	for {
		s, err := t.Next()
		if errors.Is(err, io.EOF) {
			return out.Flush()
		}
		if err != nil {
			return err
		}
		if p := points[s.Point]; p != nil && p.entry != nil {
			e.sample(p, &s)
		}
	}
}

// exported is an exit or panic point, as two of Daikon's.
type exported struct {
	point *schemas.TracePoint
	entry *schemas.TracePoint
	// exitVars are those of the exit: the entry's, and the results. enter and exit are, for each of them, the column of the value.
	exitVars    []schemas.TraceVar
	enter, exit []int
	// enterLines and exitLines are those that begin a record, and each of its values.
	enterLines, exitLines []string
}

// pair finds the values; it fails where an interface's method is seen from several packages.
func (p *exported) pair(entry *schemas.TracePoint) bool {
	find := func(name string, rep schemas.Rep) int {
		for i, v := range p.point.Vars {
			if v.Name == name && v.Rep == rep {
				return i
			}
		}
		return -1
	}
	for _, v := range entry.Vars {
		now, before := find(v.Name, v.Rep), find(expr.OldName(v.Name), v.Rep)
		if before < 0 {
			before = now
		}
		if now < 0 {
			now = before
		}
		if now < 0 {
			return false
		}
		p.enter, p.exit, p.exitVars = append(p.enter, before), append(p.exit, now), append(p.exitVars, v)
	}
	for i, v := range p.point.Vars {
		if v.Result {
			p.exit, p.exitVars = append(p.exit, i), append(p.exitVars, v)
		}
	}
	p.entry = entry
	p.enterLines, p.exitLines = recordLines(escape(p.point.Func)+":::ENTER", entry.Vars), recordLines(escape(p.point.Func)+":::EXIT0", p.exitVars)
	return true
}

// recordLines are the lines of a record of a point that are the same each time: that which begins it, and those that begin each of its values.
func recordLines(point string, vars []schemas.TraceVar) []string {
	out := []string{point + "\nthis_invocation_nonce\n"}
	for i := range vars {
		out = append(out, daikonName(&vars[i])+"\n")
	}
	return out
}

func names(vars []schemas.TraceVar) (out []string) {
	for i := range vars {
		out = append(out, daikonName(&vars[i])+" "+string(vars[i].Rep))
	}
	return out
}

type exporter struct {
	out    *bufio.Writer
	groups map[string]int // by type: the number of what is comparable
	nonce  int            // of the sample
	nobody int            // references without a number, so far
}

// repTypes are Daikon's names of representations.
var repTypes = map[schemas.Rep]string{"int": "int", "uint": "int", "float": "double", "bool": "boolean", "string": "java.lang.String", "type": "java.lang.String", "ref": "hashcode",
	"ints": "int[]", "uints": "int[]", "floats": "double[]", "strings": "java.lang.String[]", "refs": "hashcode[]"}

var escaper = strings.NewReplacer(`\`, `\\`, " ", `\_`)

// escape writes a name without spaces.
func escape(name string) string { return escaper.Replace(name) }

// daikonName is what a variable is called: the elements of a slice are not the slice.
func daikonName(v *schemas.TraceVar) string {
	if strings.HasSuffix(string(v.Rep), "s") {
		return escape(v.Name) + "[..]"
	}
	return escape(v.Name)
}

func (e *exporter) declare(name, kind string, vars []schemas.TraceVar) {
	fmt.Fprintf(e.out, "\nppt %s\nppt-type %s\n", name, kind)
	for i := range vars {
		v := &vars[i]
		fmt.Fprintf(e.out, "variable %s\n", daikonName(v))
		group := fmt.Sprint(e.group(v.Rep, v.Type))
		if strings.HasSuffix(string(v.Rep), "s") {
			fmt.Fprintf(e.out, "  var-kind array\n  array 1\n")
			element := strings.TrimPrefix(v.Type, "[]")
			group = fmt.Sprintf("%d[%d]", e.group(schemas.Rep(strings.TrimSuffix(string(v.Rep), "s")), element), e.group("int", "int"))
			for _, w := range vars { // the slice itself
				if w.Name == v.Name && w.Rep == "ref" {
					fmt.Fprintf(e.out, "  enclosing-var %s\n", escape(w.Name))
				}
			}
		} else if v.Result {
			fmt.Fprintf(e.out, "  var-kind return\n")
		} else {
			fmt.Fprintf(e.out, "  var-kind variable\n")
		}
		fmt.Fprintf(e.out, "  rep-type %s\n  dec-type %s\n  comparability %s\n", repTypes[v.Rep], escape(v.Type), group)
	}
}

// group numbers what is comparable: numbers of a type, references of a type.
func (e *exporter) group(rep schemas.Rep, typ string) int {
	k := string(rep) + " " + typ
	if e.groups[k] == 0 {
		e.groups[k] = len(e.groups) + 1
	}
	return e.groups[k]
}

func (e *exporter) sample(p *exported, s *schemas.Sample) {
	e.nonce++
	e.record(p.enterLines, p.entry.Vars, p.enter, s.Values)
	if p.point.At == schemas.AtExit {
		e.record(p.exitLines, p.exitVars, p.exit, s.Values)
	}
}

func (e *exporter) record(lines []string, vars []schemas.TraceVar, columns []int, values []string) {
	e.out.WriteString(lines[0])
	e.out.WriteString(strconv.Itoa(e.nonce))
	e.out.WriteByte('\n')
	for i, c := range columns {
		e.out.WriteString(lines[1+i])
		text, ok := e.value(vars[i].Rep, values[c])
		e.out.WriteString(text)
		if ok {
			e.out.WriteString("\n1\n")
		} else {
			e.out.WriteString("\n2\n")
		}
	}
	e.out.WriteByte('\n')
}

// value is how Daikon writes a value; ok is false where there is none.
func (e *exporter) value(rep schemas.Rep, text string) (string, bool) {
	if text == "-" || text == "~" {
		return "nonsensical", false
	}
	switch rep {
	case "ref":
		return e.hashcode(text), true
	case "refs":
		list := strings.Fields(strings.Trim(text, "[]"))
		for i := range list {
			list[i] = e.hashcode(list[i])
		}
		return "[" + strings.Join(list, " ") + "]", true
	case "float":
		return strings.Replace(strings.TrimPrefix(text, "+"), "Inf", "Infinity", 1), true
	case "uint":
		if n, err := strconv.ParseUint(text, 10, 64); err == nil && n>>63 != 0 {
			return strconv.FormatInt(int64(n), 10), true // it has 64 bits and a sign
		}
	case "string", "type":
		if text == "nil" {
			return "null", true
		}
		return javaQuote(text), true
	case "strings":
		var out strings.Builder
		out.WriteByte('[')
		for rest := text[1 : len(text)-1]; rest != ""; {
			q, err := strconv.QuotedPrefix(rest)
			if err != nil { // the hash of a long one
				q, _, _ = strings.Cut(rest, " ")
			}
			rest = strings.TrimPrefix(rest[len(q):], " ")
			if out.Len() > 1 {
				out.WriteByte(' ')
			}
			out.WriteString(javaQuote(q))
		}
		return out.String() + "]", true
	case "uints":
		for _, n := range strings.Fields(strings.Trim(text, "[]")) {
			if len(n) > 18 {
				return "nonsensical", false
			}
		}
	}
	return text, true
}

// hashcode is a reference as an address. References are numbered sample by sample, so those of another sample are others; and so is one that has no
// number, a slice or a map, each time.
func (e *exporter) hashcode(text string) string {
	n, err := strconv.Atoi(text)
	if err != nil {
		return "null"
	}
	if n == 0 {
		e.nobody++
		return strconv.Itoa(1<<50 + e.nobody)
	}
	return strconv.Itoa(e.nonce<<12 + n)
}

// javaQuote writes a Go literal as one of Java.
func javaQuote(text string) string {
	s, err := strconv.Unquote(text)
	if err != nil {
		s = text // the hash of a long one
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c == '\n':
			out.WriteString(`\n`)
		case c == '\r':
			out.WriteString(`\r`)
		case c == '\t':
			out.WriteString(`\t`)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}
