package candidate

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"dsd/crash/gofile"
	"dsd/internal/source"
)

// Test is a program as a Go test.
type Test struct {
	// Body is the body of the test function, Source the whole file.
	Body, Source string
}

// WriteTest returns the program as a test function with a name, in a file of package pkg; comment
// explains it. Results without effects are written where they are used, results that nothing uses
// are left out, and repeated statements become a loop. If wait is set, the test waits for a goroutine.
func (p Program) WriteTest(
	pkg *source.Package, table []*Op, name, comment string, wait bool,
) (*Test, error) {
	w := newWriter(pkg.Types, table, p)
	for name := range pkg.TestNames() {
		w.taken[name] = true
	}
	w.file.Reserved = w.taken
	w.file.Prefix = gofile.NamePrefix(name)
	testing := w.file.Use("testing", "testing")
	for i := range p {
		w.stmt(&p[i])
	}
	lines := w.foldLoops(w.lines)
	if wait {
		lines = append(lines, "\t// A goroutine panics.", fmt.Sprintf("\t%s.Sleep(100 * %[1]s.Millisecond)", w.file.Use("time", "time")))
	}
	body := strings.Join(lines, "\n")
	stubs := w.file.Declarations(body)
	imports := w.file.Imports(body + stubs + testing + ".")
	text := fmt.Sprintf("package %s\n\n%s\n// %s\nfunc %s(*%s.T) {\n%s\n}\n%s",
		pkg.Types.Name(), imports, gofile.Comment(comment), name, testing, body, stubs)
	src, err := gofile.Format([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the test cannot be written: %v\n%s", err, text)
	}
	return &Test{Body: gofile.Body(string(src), name), Source: string(src)}, nil
}

// ParamFunc is a program as a function of its literals.
type ParamFunc struct {
	// Source is the file, and Line the line of the last statement in it.
	Source string
	Line   int
	// Literals are the indices of the statements that became parameters, in the order of these.
	Literals []int
}

// Parameterize returns the program as a function with a name, in a file of package pkg. Its
// parameters stand for the numbers, strings and booleans that the program uses as literals.
func (p Program) Parameterize(pkg *types.Package, table []*Op, name string) *ParamFunc {
	w := newWriter(pkg, table, p)
	out := &ParamFunc{}
	var params []string
	for i := range p {
		if !w.isParam(&p[i]) {
			w.stmt(&p[i])
			continue
		}
		t := table[p[i].Op].Out[0]
		v := w.name(t)
		params = append(params, v+" "+w.file.Type(t))
		out.Literals = append(out.Literals, i)
		w.texts[w.next] = v
		w.next++
	}
	body := strings.Join(w.lines, "\n")
	stubs := w.file.Declarations(body)
	list := strings.Join(params, ", ")
	head := fmt.Sprintf("package %s\n\n%s\nfunc %s(%s) {\n",
		pkg.Name(), w.file.Imports(body+stubs+list), name, list)
	out.Source = head + body + "\n}\n" + stubs
	out.Line = strings.Count(head+body, "\n") + 1
	return out
}

// isParam reports whether a statement becomes a parameter: it is an integer, string or boolean that
// is used.
func (w *writer) isParam(s *Stmt) bool {
	op := w.table[s.Op]
	if !op.Lit || w.refs[w.next] == 0 {
		return false
	}
	const kinds = types.IsInteger | types.IsString | types.IsBoolean
	return op.Out[0].Underlying().(*types.Basic).Info()&kinds != 0
}

// writer writes one program.
type writer struct {
	file  *gofile.File
	table []*Op
	taken map[string]bool // names of variables
	lines []string
	next  int // number of the next statement's first result

	// By the number of a result:
	refs  []int    // number of uses; see survey
	texts []string // the expression that stands for it
	// constants are the untyped constants that stand for literals where the context gives them
	// their type; "" if the result is no literal.
	constants []string
}

// maxInline is the length of the longest expression, in bytes, that is written at its only use.
const maxInline = 79

// newWriter returns a writer for p that has written nothing yet.
func newWriter(pkg *types.Package, table []*Op, p Program) *writer {
	w := &writer{file: gofile.New(pkg), table: table, taken: map[string]bool{}}
	results := w.survey(p)
	w.texts, w.constants = make([]string, results), make([]string, results)
	return w
}

// survey counts the uses of results and returns the number of results. Uses by a pure operation
// without used results do not count, because it is not written.
func (w *writer) survey(p Program) (results int) {
	first := make([]int, len(p))
	for i := range p {
		first[i] = results
		results += len(w.table[p[i].Op].Out)
	}
	w.refs = make([]int, results)
	used := func(n int) bool { return n > 0 }
	for i := len(p) - 1; i >= 0; i-- {
		op := w.table[p[i].Op]
		if op.Pure && !slices.ContainsFunc(w.refs[first[i]:first[i]+len(op.Out)], used) {
			continue
		}
		for j, a := range p[i].Args {
			w.refs[a]++
			if j == 0 && op.OnFirst {
				w.refs[a]++ // it wants a variable
			}
		}
	}
	return results
}

// stmt writes a statement. An operation without effects may be written later, where its result is
// used.
func (w *writer) stmt(s *Stmt) {
	op := w.table[s.Op]
	first := w.next
	w.next += len(op.Out)
	args := w.arguments(op, s.Args)
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
	case op.Copies:
		w.texts[first] = w.with(s, op, args)
	case op.Pure && (op.Lit || op.Nil || w.refs[first] == 1 && inlinable(e)):
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

// with writes an operation that sets a field in a copy of its first argument, and returns the copy: the variable that the
// argument is in, if nothing else uses it.
func (w *writer) with(s *Stmt, op *Op, args []string) string {
	name := args[0]
	if w.refs[s.Args[0]] > 1 || !w.taken[name] { // no variable of the test: a variable of the package, for instance
		name = w.name(op.Out[0])
		w.lines = append(w.lines, "\t"+name+" := "+args[0])
	}
	w.lines = append(w.lines, "\t"+name+"."+op.Fields[1].Name()+" = "+args[1])
	return name
}

// inlinable reports whether an expression is readable where it is used.
func inlinable(e string) bool { return len(e) <= maxInline && !strings.HasPrefix(e, copyPrefix) }

// arguments returns the arguments of an operation, given by the numbers of results.
func (w *writer) arguments(op *Op, numbers []int) []string {
	args := make([]string, len(numbers))
	for i, a := range numbers {
		args[i] = w.texts[a]
		first := i == 0 && op.OnFirst
		if c := w.constants[a]; c != "" && !op.Converts && !first {
			args[i] = c
		}
		// A method is called on a variable, and its field set, without taking its address.
		v, isAddress := strings.CutPrefix(args[i], "&")
		if isAddress && first && (op.Func != nil || len(op.Out) == 0) &&
			token.IsIdentifier(v) {
			args[i] = v
		}
	}
	return args
}

// name returns a new name for a variable of type t: the first letter of the type's name in lower
// case, or v, with a number if that is taken.
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
	name := base
	for i := 2; !w.free(name) || types.Universe.Lookup(name) != nil ||
		token.IsKeyword(name); i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	w.taken[name] = true
	w.file.Reserved[name] = true
	return name
}

// free reports whether no variable, import or declaration of the package has a name.
func (w *writer) free(name string) bool {
	return !w.taken[name] && !w.file.HasImport(name) && w.file.Pkg.Scope().Lookup(name) == nil
}

const (
	// minRepeated is the number of successive repetitions from which on statements are written
	// as a loop.
	minRepeated = 4
	// maxPeriod is the largest number of statements in the body of such a loop.
	maxPeriod = 3
)

// foldLoops replaces lines that repeat by a loop.
func (w *writer) foldLoops(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); {
		period, n := 1, 0
		for ; period <= maxPeriod; period++ {
			n = repetitions(lines[i:], period)
			if n >= minRepeated {
				break
			}
		}
		if n < minRepeated {
			out = append(out, lines[i])
			i++
			continue
		}
		v := "i"
		for j := 2; !w.free(v); j++ {
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

// repetitions returns how many times in a row the first period lines occur; 0 if they declare
// variables.
func repetitions(lines []string, period int) int {
	n := 0
	for (n+1)*period <= len(lines) &&
		slices.Equal(lines[:period], lines[n*period:(n+1)*period]) {
		n++
	}
	for _, l := range lines[:min(period, len(lines))] {
		if strings.Contains(l, ":=") {
			return 0
		}
	}
	return n
}
