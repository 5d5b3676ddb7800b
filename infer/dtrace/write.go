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

// Write writes a trace of ours as declarations of version 2 and records that Daikon reads.
//
// A sample of ours holds the inputs and the results of a call. It becomes two records, an entry and
// an exit with the same nonce; a call that panicked becomes an entry alone. A sample is written
// once, however often it was seen. Samples of an interface method are left out where a package sees
// other variables than the first package did.
//
// The trace is read to its end. Errors are those of reading the trace and of writing to w.
func Write(w io.Writer, t *schemas.TraceReader) error {
	out := bufio.NewWriterSize(w, 1<<16)
	e := &exporter{out: out, groups: map[string]int{}}
	out.WriteString("decl-version 2.0\ninput-language Go\nvar-comparability implicit\n")
	points := e.declareAll(t.Header.Points)
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

// exportedPoint is an exit or panic point of our trace as an entry and an exit of Daikon's.
type exportedPoint struct {
	point *schemas.TracePoint
	entry *schemas.TracePoint // nil if the samples of the point are left out
	// exitVars are the variables of Daikon's exit: those of the entry, then the results.
	// enterColumns and exitColumns are the columns of their values in a sample of point.
	exitVars                  []schemas.TraceVar
	enterColumns, exitColumns []int
	// enterLines and exitLines are the fixed lines of a record (see recordLines).
	enterLines, exitLines []string
}

// exporter is the state of Write.
type exporter struct {
	out        *bufio.Writer
	groups     map[string]int // the comparability group of each representation and type
	nonce      int            // of the sample that is being written
	unnumbered int            // references without an object number that were written
}

// declareAll writes the declarations. Its result is parallel to points; it is nil for entries.
func (e *exporter) declareAll(points []schemas.TracePoint) []*exportedPoint {
	exported := make([]*exportedPoint, len(points))
	entries := map[string]*schemas.TracePoint{}
	for i := range points {
		p := &points[i]
		if p.At != schemas.AtEntry {
			exported[i] = &exportedPoint{point: p}
		} else if entries[p.Func] == nil {
			entries[p.Func] = p
		}
	}
	enters, exits := map[string]bool{}, map[string]*exportedPoint{} // declared, by function
	for _, p := range exported {
		if p == nil {
			continue
		}
		name := p.point.Func
		entry := entries[name]
		if entry == nil || !p.match(entry) {
			continue
		}
		if !enters[name] {
			enters[name] = true
			e.declare(escape(name)+":::ENTER", "enter", entry.Vars)
		}
		if p.point.At != schemas.AtExit {
			continue
		}
		if first := exits[name]; first == nil {
			exits[name] = p
			e.declare(escape(name)+":::EXIT0", "subexit", p.exitVars)
		} else if !slices.Equal(names(p.exitVars), names(first.exitVars)) {
			p.entry = nil // an interface method that this package sees with other variables
		}
	}
	return exported
}

// match finds the columns of the entry's variables and of the results. It reports whether all
// variables of the entry were found; they may not be where several packages see an interface
// method.
func (p *exportedPoint) match(entry *schemas.TracePoint) bool {
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
		p.enterColumns = append(p.enterColumns, before)
		p.exitColumns = append(p.exitColumns, now)
		p.exitVars = append(p.exitVars, v)
	}
	for i, v := range p.point.Vars {
		if v.Result {
			p.exitColumns, p.exitVars = append(p.exitColumns, i), append(p.exitVars, v)
		}
	}
	p.entry = entry
	p.enterLines = recordLines(escape(p.point.Func)+":::ENTER", entry.Vars)
	p.exitLines = recordLines(escape(p.point.Func)+":::EXIT0", p.exitVars)
	return true
}

// recordLines returns the lines that all records of a point share: those before the nonce, then the
// name of each variable.
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

// repTypes maps the representations of our traces to Daikon's.
var repTypes = map[schemas.Rep]string{
	"int": "int", "uint": "int", "float": "double", "bool": "boolean", "ref": "hashcode",
	"string": "java.lang.String", "type": "java.lang.String",
	"ints": "int[]", "uints": "int[]", "floats": "double[]", "refs": "hashcode[]",
	"strings": "java.lang.String[]",
}

var escaper = strings.NewReplacer(`\`, `\\`, " ", `\_`)

// escape returns a name without spaces.
func escape(name string) string { return escaper.Replace(name) }

// daikonName returns the name of a variable. The elements of a slice are named unlike the slice.
func daikonName(v *schemas.TraceVar) string {
	if strings.HasSuffix(string(v.Rep), "s") {
		return escape(v.Name) + "[..]"
	}
	return escape(v.Name)
}

// declare writes the declaration of a program point.
func (e *exporter) declare(name, kind string, vars []schemas.TraceVar) {
	fmt.Fprintf(e.out, "\nppt %s\nppt-type %s\n", name, kind)
	for i := range vars {
		v := &vars[i]
		fmt.Fprintf(e.out, "variable %s\n", daikonName(v))
		group := fmt.Sprint(e.group(v.Rep, v.Type))
		if strings.HasSuffix(string(v.Rep), "s") {
			fmt.Fprintf(e.out, "  var-kind array\n  array 1\n")
			element := e.group(elementRep(v.Rep), strings.TrimPrefix(v.Type, "[]"))
			group = fmt.Sprintf("%d[%d]", element, e.group("int", "int"))
			for _, w := range vars { // the slice that has the elements
				if w.Name == v.Name && w.Rep == "ref" {
					fmt.Fprintf(e.out, "  enclosing-var %s\n", escape(w.Name))
				}
			}
		} else if v.Result {
			fmt.Fprintf(e.out, "  var-kind return\n")
		} else {
			fmt.Fprintf(e.out, "  var-kind variable\n")
		}
		fmt.Fprintf(e.out, "  rep-type %s\n  dec-type %s\n  comparability %s\n",
			repTypes[v.Rep], escape(v.Type), group)
	}
}

// elementRep returns the representation of the elements of a sequence.
func elementRep(rep schemas.Rep) schemas.Rep {
	return schemas.Rep(strings.TrimSuffix(string(rep), "s"))
}

// group returns the number of a comparability group. Values of one type are comparable.
func (e *exporter) group(rep schemas.Rep, typ string) int {
	k := string(rep) + " " + typ
	if e.groups[k] == 0 {
		e.groups[k] = len(e.groups) + 1
	}
	return e.groups[k]
}

// sample writes the records of a sample.
func (e *exporter) sample(p *exportedPoint, s *schemas.Sample) {
	e.nonce++
	e.record(p.enterLines, p.entry.Vars, p.enterColumns, s.Values)
	if p.point.At == schemas.AtExit {
		e.record(p.exitLines, p.exitVars, p.exitColumns, s.Values)
	}
}

// record writes a record: for each variable its name, its value, and the modified bit, which is 2
// if the value is missing.
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

// value returns a value in Daikon's form. ok is false if the value is missing.
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
			return strconv.FormatInt(int64(n), 10), true // Daikon's integers are signed
		}

	case "string", "type":
		if text == "nil" {
			return "null", true
		}
		return javaQuote(text), true

	case "strings":
		return javaQuoteAll(text[1 : len(text)-1]), true

	case "uints":
		for _, n := range strings.Fields(strings.Trim(text, "[]")) {
			if len(n) > 18 {
				return "nonsensical", false
			}
		}
	}
	return text, true
}

// hashcode returns a reference as an address. Object numbers are valid within one sample, so each
// sample gets addresses of its own. A reference without a number, to a slice or a map, gets a new
// address each time.
func (e *exporter) hashcode(text string) string {
	n, err := strconv.Atoi(text)
	if err != nil {
		return "null"
	}
	if n == 0 {
		e.unnumbered++
		return strconv.Itoa(1<<50 + e.unnumbered)
	}
	return strconv.Itoa(e.nonce<<12 + n)
}

// javaQuoteAll returns a sequence of Go string literals as a Java array.
func javaQuoteAll(text string) string {
	var out strings.Builder
	out.WriteByte('[')
	for rest := text; rest != ""; {
		q, err := strconv.QuotedPrefix(rest)
		if err != nil { // the hash of a long string
			q, _, _ = strings.Cut(rest, " ")
		}
		rest = strings.TrimPrefix(rest[len(q):], " ")
		if out.Len() > 1 {
			out.WriteByte(' ')
		}
		out.WriteString(javaQuote(q))
	}
	return out.String() + "]"
}

// javaQuote returns a Go string literal as a Java string literal.
func javaQuote(text string) string {
	s, err := strconv.Unquote(text)
	if err != nil {
		s = text // the hash of a long string
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
