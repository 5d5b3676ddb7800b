package candidate

import (
	"fmt"
	"go/constant"
	"go/format"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"dsd/crash/gofile"
)

// Test is a program as a Go test.
type Test struct {
	// Body is the body of the test function, Source the whole file.
	Body, Source string
}

// WriteTest writes a program as the test function called name in a file of package pkg; comment explains it.
func (p Program) WriteTest(pkg *types.Package, table []*Op, name, comment string) (*Test, error) {
	w := &writer{file: gofile.New(pkg), table: table, taken: map[string]bool{}}
	w.file.Prefix = gofile.NamePrefix(name)
	testing := w.file.Use("testing", "testing")
	w.survey(p)
	w.texts, w.constants = make([]string, w.results), make([]string, w.results)
	for i := range p {
		w.stmt(&p[i], i == len(p)-1)
	}
	w.lines = w.repeated(w.lines)
	body := strings.Join(w.lines, "\n")
	stubs := w.file.Declarations(body)
	text := fmt.Sprintf("package %s\n\n%s\n// %s\nfunc %s(*%s.T) {\n%s\n}\n%s", pkg.Name(), w.file.Imports(body+stubs+testing+"."), gofile.Comment(comment), name, testing, body, stubs)
	src, err := format.Source([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the test cannot be written: %v\n%s", err, text)
	}
	return &Test{Body: bodyOf(string(src), name), Source: string(src)}, nil
}

// bodyOf is what stands between the braces of a function of a formatted file.
func bodyOf(src, name string) string {
	_, rest, _ := strings.Cut(src, "\nfunc "+name+"(")
	_, rest, _ = strings.Cut(rest, "\n")
	body, _, _ := strings.Cut(rest, "\n}")
	return body
}

// writer writes one program.
type writer struct {
	file    *gofile.File
	table   []*Op
	taken   map[string]bool // names of variables
	lines   []string
	results int
	refs    []int    // how often a result is used, by its number
	texts   []string // what stands for it
	// constants are untyped constants that stand for literals where a value of their type is wanted; "" if none does.
	constants []string
	next      int
	// open are the literals that become parameters; see Open.
	open *ParamFunc
}

// ParamFunc is a program as a function of its literals.
type ParamFunc struct {
	// Source is the file, and Line that of the last statement in it.
	Source string
	Line   int
	// Literals are the statements that became parameters, in order.
	Literals []int

	params []string
}

// Parameterize writes a program as the function called name in a file of package pkg. Its parameters stand for the program's numbers,
// strings and booleans.
func (p Program) Parameterize(pkg *types.Package, table []*Op, name string) *ParamFunc {
	w := &writer{file: gofile.New(pkg), table: table, taken: map[string]bool{}, open: &ParamFunc{}}
	w.survey(p)
	w.texts, w.constants = make([]string, w.results), make([]string, w.results)
	for i := range p {
		if !w.parameter(i, &p[i]) {
			w.stmt(&p[i], i == len(p)-1)
		}
	}
	body := strings.Join(w.lines, "\n")
	stubs := w.file.Declarations(body)
	params := strings.Join(w.open.params, ", ")
	head := fmt.Sprintf("package %s\n\n%s\nfunc %s(%s) {\n", pkg.Name(), w.file.Imports(body+stubs+params), name, params)
	w.open.Source = head + body + "\n}\n" + stubs
	w.open.Line = strings.Count(head+body, "\n") + 1
	return w.open
}

// parameter makes a parameter of a literal that is used; false if it is none.
func (w *writer) parameter(i int, s *Stmt) bool {
	op := w.table[s.Op]
	if !op.Lit || w.refs[w.next] == 0 || op.Out[0].Underlying().(*types.Basic).Info()&(types.IsInteger|types.IsString|types.IsBoolean) == 0 {
		return false
	}
	name := w.name(op.Out[0])
	w.open.params = append(w.open.params, name+" "+w.file.Type(op.Out[0]))
	w.open.Literals = append(w.open.Literals, i)
	w.texts[w.next] = name
	w.next++
	return true
}

// minRepeated is how often like statements in a row must be there to be written as a loop, maxPeriod how many each time.
const (
	minRepeated = 4
	maxPeriod   = 3
)

// repeated writes statements that repeat as a loop.
func (w *writer) repeated(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		period, n := 1, 0
		for ; period <= maxPeriod; period++ {
			n = repetitions(lines[i:], period)
			if n >= minRepeated {
				break
			}
		}
		if n < minRepeated || period > maxPeriod {
			out = append(out, lines[i])
			i++
			continue
		}
		v := "i"
		for j := 2; w.taken[v] || w.file.HasImport(v) || w.file.Pkg.Scope().Lookup(v) != nil; j++ {
			v = fmt.Sprintf("i%d", j)
		}
		out = append(out, fmt.Sprintf("\tfor %s := 0; %s < %d; %s++ {", v, v, n, v))
		for _, l := range lines[i : i+period] {
			out = append(out, "\t"+l)
		}
		out = append(out, "\t}")
		i += n * period
	}
	return out
}

// repetitions is how often the first lines, period of them, are there in a row; 0 if they declare something.
func repetitions(lines []string, period int) int {
	n := 0
	for (n+1)*period <= len(lines) && slices.Equal(lines[:period], lines[n*period:(n+1)*period]) {
		n++
	}
	for _, l := range lines[:min(period, len(lines))] {
		if strings.Contains(l, ":=") {
			return 0
		}
	}
	return n
}

// survey counts the uses of results, but for those by values that nobody uses.
func (w *writer) survey(p Program) {
	first := make([]int, len(p))
	for i := range p {
		first[i] = w.results
		w.results += len(w.table[p[i].Op].Out)
	}
	w.refs = make([]int, w.results)
	for i := len(p) - 1; i >= 0; i-- {
		op := w.table[p[i].Op]
		if op.Pure && !slices.ContainsFunc(w.refs[first[i]:first[i]+len(op.Out)], func(n int) bool { return n > 0 }) {
			continue
		}
		for j, a := range p[i].Args {
			w.refs[a]++
			if j == 0 && op.OnFirst {
				w.refs[a]++ // it wants a variable
			}
		}
	}
}

// stmt writes a statement; values without effects are written where they are used.
func (w *writer) stmt(s *Stmt, last bool) {
	op := w.table[s.Op]
	first := w.next
	w.next += len(op.Out)
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = w.texts[a]
		if c := w.constants[a]; c != "" && !op.Converts && !(i == 0 && op.OnFirst) {
			args[i] = c
		}
		if v, ok := strings.CutPrefix(args[i], "&"); ok && i == 0 && op.OnFirst && (op.Func != nil || len(op.Out) == 0) && token.IsIdentifier(v) {
			args[i] = v // a method or a field of a variable
		}
	}
	if op.Nil {
		w.constants[first] = "nil"
	}
	var e string
	if op.Lit {
		e, w.constants[first] = literal(w.file, s, op.Out[0])
	} else {
		e = op.expr(w.file, args)
	}
	used := 0
	for i := range op.Out {
		if w.refs[first+i] > 0 {
			used++
		}
	}
	switch {
	case op.Address && token.IsIdentifier(args[0]):
		w.texts[first] = e
	case op.Pure && used == 0:
	case op.Pure && (op.Lit || op.Nil || w.refs[first] == 1 && len(e) < 80 && !strings.HasPrefix(e, "func(v ")):
		w.texts[first] = e
	case used == 0 && op.Func == nil && len(op.Out) > 0:
		w.lines = append(w.lines, "\t_ = "+e)
	case used == 0:
		w.lines = append(w.lines, "\t"+e)
	default:
		var names []string
		for i, t := range op.Out {
			v := "_"
			if w.refs[first+i] > 0 {
				v = w.name(t)
				w.texts[first+i] = v
			}
			names = append(names, v)
		}
		w.lines = append(w.lines, "\t"+strings.Join(names, ", ")+" := "+e)
	}
}

func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	}
	return false
}

// name makes a variable name for a value of type t.
func (w *writer) name(t types.Type) string {
	base := "v"
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		for _, r := range n.Obj().Name() {
			if unicode.IsLetter(r) {
				base = string(unicode.ToLower(r))
				break
			}
		}
	}
	try := base
	for i := 2; w.taken[try] || w.file.HasImport(try) || w.file.Pkg.Scope().Lookup(try) != nil || types.Universe.Lookup(try) != nil || token.IsKeyword(try); i++ {
		try = fmt.Sprintf("%s%d", base, i)
	}
	w.taken[try] = true
	w.file.Reserved[try] = true
	return try
}

// literal writes the literal of a statement, of basic type t, and the untyped constant that will do where a t is wanted.
func literal(f *gofile.File, s *Stmt, t types.Type) (text, untyped string) {
	if name := named(f, s, t); name != "" {
		return name, name
	}
	b := t.Underlying().(*types.Basic)
	info := b.Info()
	bits := 64
	switch b.Kind() {
	case types.Int8, types.Uint8:
		bits = 8
	case types.Int16, types.Uint16:
		bits = 16
	case types.Int32, types.Uint32:
		bits = 32
	}
	exact := false // an untyped constant of that kind has type t
	switch {
	case info&types.IsBoolean != 0:
		text, exact = strconv.FormatBool(s.Bits == 1), t == types.Typ[types.Bool]
	case info&types.IsString != 0:
		text, exact = strconv.Quote(s.Text), t == types.Typ[types.String]
	case info&types.IsUnsigned != 0:
		text = strconv.FormatUint(s.Bits<<(64-bits)>>(64-bits), 10)
	case info&types.IsInteger != 0:
		text, exact = strconv.FormatInt(int64(s.Bits<<(64-bits))>>(64-bits), 10), t == types.Typ[types.Int]
	default:
		exact = t == types.Typ[types.Float64]
		x := math.Float64frombits(s.Bits)
		if b.Kind() == types.Float32 || b.Kind() == types.Complex64 {
			x = float64(float32(x))
		}
		switch {
		case x != x:
			text = f.Use("math", "math") + ".NaN()"
		case math.IsInf(x, 0):
			text = fmt.Sprintf("%s.Inf(%d)", f.Use("math", "math"), map[bool]int{true: 1, false: -1}[x > 0])
		case x == 0 && math.Signbit(x):
			text = f.Use("math", "math") + ".Copysign(0, -1)"
		default:
			text = strconv.FormatFloat(x, 'g', -1, 64)
			if !strings.ContainsAny(text, ".e") {
				text += ".0"
			}
		}
		if info&types.IsComplex != 0 {
			text = "complex(" + text + ", 0)"
		}
		if strings.Contains(text, "math") && !exact || info&types.IsComplex != 0 {
			text = f.Type(t) + "(" + text + ")"
			return text, text
		}
	}
	if exact {
		return text, text
	}
	return f.Type(t) + "(" + text + ")", text
}

// named is the constant of a named type that has a literal's value, "" if there is none that the file can mention.
func named(f *gofile.File, s *Stmt, t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	b := t.Underlying().(*types.Basic)
	if !ok || n.Obj().Pkg() == nil || b.Info()&(types.IsInteger|types.IsString) == 0 {
		return ""
	}
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), t) || !c.Exported() && n.Obj().Pkg() != f.Pkg {
			continue
		}
		same := false
		if b.Info()&types.IsString != 0 {
			same = constant.StringVal(c.Val()) == s.Text
		} else if v, exact := constant.Int64Val(constant.ToInt(c.Val())); exact {
			same = v == int64(s.Bits)
		}
		if same {
			if n.Obj().Pkg() == f.Pkg {
				return name
			}
			return f.Use(n.Obj().Pkg().Path(), n.Obj().Pkg().Name()) + "." + name
		}
	}
	return ""
}
