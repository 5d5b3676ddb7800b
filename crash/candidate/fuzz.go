package candidate

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"dsd/crash/gofile"
	"dsd/internal/source"
)

// WriteFuzz returns the program as a native fuzz target with a name, in a file of package pkg; comment
// explains it. The target's parameters stand for the program's literals, see FuzzLiterals, and each of
// seeds, whose statements are those of the program but for the literals, gives a value to each: an f.Add.
// A call that returns an error, other than the last one, ends a run of the target.
func (p Program) WriteFuzz(
	pkg *source.Package, table []*Op, name, comment string, seeds []Program,
) (src string, err error) {
	w := newWriter(pkg.Types, table, p)
	for name := range pkg.TestNames() {
		w.taken[name] = true
	}
	w.taken["f"], w.taken["t"] = true, true
	w.file.Reserved = w.taken
	w.file.Prefix = gofile.NamePrefix(name)
	testing := w.file.Use("testing", "testing")
	literals := p.FuzzLiterals(table)
	isParam := map[int]bool{}
	for _, i := range literals {
		isParam[i] = true
	}
	var params []string
	for i := range p {
		op := table[p[i].Op]
		if isParam[i] {
			t := op.Out[0]
			basic := t.Underlying().(*types.Basic)
			v := w.paramName(p, table, w.next, t)
			params = append(params, v+" "+basic.Name())
			w.texts[w.next] = v
			if !types.Identical(t, basic) {
				w.texts[w.next] = w.file.Type(t) + "(" + v + ")"
			}
			w.next++
			continue
		}
		last := len(op.Out) - 1
		if i+1 < len(p) && op.Func != nil && last >= 0 && types.TypeString(op.Out[last], nil) == "error" {
			w.refs[w.next+last]++
			first := w.next
			w.stmt(&p[i])
			w.lines = append(w.lines, fmt.Sprintf("\tif %s != nil {\n\t\treturn\n\t}", w.texts[first+last]))
			continue
		}
		n := len(w.lines)
		w.stmt(&p[i])
		if i+1 == len(p) && len(op.Out) == 1 && n < len(w.lines) { // vet wants some results to be used
			w.lines[n] = "\t_ = " + strings.TrimPrefix(w.lines[n], "\t")
		}
	}
	body := "\t" + strings.ReplaceAll(strings.Join(w.lines, "\n"), "\n", "\n\t")
	var adds strings.Builder
	for _, s := range seeds {
		var values []string
		for _, i := range literals {
			basic := table[s[i].Op].Out[0].Underlying().(*types.Basic)
			text, _ := literal(w.file, &s[i], types.Typ[basic.Kind()])
			values = append(values, text)
		}
		fmt.Fprintf(&adds, "\tf.Add(%s)\n", strings.Join(values, ", "))
	}
	stubs := w.file.Declarations(body)
	text := fmt.Sprintf("package %s\n\n%s\n// %s\nfunc %s(f *%s.F) {\n%s\tf.Fuzz(func(t *%[5]s.T, %[7]s) {\n%[8]s\n\t})\n}\n%[9]s",
		pkg.Types.Name(), w.file.Imports(adds.String()+body+stubs+testing+"."), gofile.Comment(comment), name, testing,
		adds.String(), strings.Join(params, ", "), body, stubs)
	formatted, err := gofile.Format([]byte(text))
	if err != nil {
		return "", fmt.Errorf("the fuzz target cannot be written: %v\n%s", err, text)
	}
	return string(formatted), nil
}

// paramName returns a name for the parameter that stands for a literal: that of the parameter of the
// function that is called with it first.
func (w *writer) paramName(p Program, table []*Op, result int, t types.Type) string {
	for i := range p {
		op := table[p[i].Op]
		if op.Func == nil {
			continue
		}
		for at, a := range p[i].Args {
			if op.OnFirst {
				at--
			}
			params := op.Func.Signature().Params()
			if a != result || at < 0 || at >= params.Len() {
				continue
			}
			if name := params.At(at).Name(); name != "" && name != "_" && w.free(name) && !token.IsKeyword(name) {
				w.taken[name], w.file.Reserved[name] = true, true
				return name
			}
		}
	}
	return w.name(t)
}

// FuzzLiterals returns the indices of the statements that become parameters of a fuzz target: literals of
// the types that native fuzzing knows, whose results are used.
func (p Program) FuzzLiterals(table []*Op) []int {
	w := &writer{table: table}
	w.survey(p)
	var out []int
	next := 0
	for i := range p {
		op := table[p[i].Op]
		if op.Lit && w.refs[next] > 0 {
			switch b := op.Out[0].Underlying().(*types.Basic); {
			case b.Kind() == types.Uintptr || b.Info()&types.IsComplex != 0:
			default:
				out = append(out, i)
			}
		}
		next += len(op.Out)
	}
	return out
}
