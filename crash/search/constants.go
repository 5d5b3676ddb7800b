package search

import (
	"encoding/hex"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/internal/source"
)

// values are the literals of a basic type.
func (b *graphBuilder) values(u *types.Basic) []value {
	info := u.Info()
	switch {
	case info&types.IsBoolean != 0:
		return []value{{bits: 0}, {bits: 1}}
	case info&types.IsString != 0:
		return b.constants[types.String]
	case info&types.IsInteger != 0:
		return b.constants[types.Int]
	case info&(types.IsFloat|types.IsComplex) != 0:
		return b.constants[types.Float64]
	}
	return nil
}

// use adds Go literals to the values of the basic types that they fit.
func (g *Graph) use(literals []string) {
	g.vocabulary = extended(g.vocabulary, literals)
	for _, text := range literals {
		v, ok := valueOf(text)
		if !ok {
			continue
		}
		l := literal{types.Int, v}
		if kindOfLiteral(text) == token.STRING {
			l.kind = types.String
		}
		for _, n := range g.nodes {
			if b, ok := n.typ.Underlying().(*types.Basic); ok && l.fits(b) && len(n.values) > 0 && len(n.values) <= 2*maxConstants {
				n.values = append(n.values[:len(n.values):len(n.values)], v)
			}
		}
	}
}

// extended is a vocabulary with Go literals besides.
func extended(v *run.Vocabulary, literals []string) *run.Vocabulary {
	out := &run.Vocabulary{Words: v.Words, Texts: slices.Clone(v.Texts), Numbers: slices.Clone(v.Numbers)}
	for _, text := range literals {
		if l, ok := valueOf(text); !ok {
			continue
		} else if kindOfLiteral(text) == token.STRING {
			out.Texts = append(out.Texts, l.text)
		} else {
			out.Numbers = append(out.Numbers, l.bits)
		}
	}
	return out
}

// kindOfLiteral is the token that a literal is.
func kindOfLiteral(text string) token.Token {
	if strings.HasPrefix(text, `"`) {
		return token.STRING
	}
	return token.INT
}

// maxConstants is how many constants are used, of each kind; the tests' come last.
const maxConstants = 400

// maxText is the length of the longest string among them.
const maxText = 200

// literal is a constant: of an integer, float or string type.
type literal struct {
	kind types.BasicKind // Int, Float64 or String
	value
}

// literalOf reads the literal that an expression is.
func literalOf(x ast.Expr) (literal, bool) {
	sign := int64(1)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		x, sign = u.X, -1
	}
	lit, ok := x.(*ast.BasicLit)
	if !ok {
		return literal{}, false
	}
	v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	switch lit.Kind {
	case token.INT, token.CHAR:
		i, ok := constant.Int64Val(constant.ToInt(v))
		return literal{types.Int, value{bits: uint64(sign * i)}}, ok
	case token.FLOAT:
		f, _ := constant.Float64Val(v)
		return literal{types.Float64, value{bits: math.Float64bits(float64(sign) * f)}}, true
	case token.STRING:
		s := constant.StringVal(v)
		return literal{types.String, value{text: s}}, len(s) <= maxText
	}
	return literal{}, false
}

// fits says that a literal can be one of a basic type.
func (l literal) fits(b *types.Basic) bool {
	switch info := b.Info(); l.kind {
	case types.Int:
		return info&types.IsInteger != 0
	case types.Float64:
		return info&(types.IsFloat|types.IsComplex) != 0
	default:
		return info&types.IsString != 0
	}
}

// constants are values for literals: corners, what stands in the package's source, and what stands in its tests.
func constants(files []*ast.File) map[types.BasicKind][]value {
	out := map[types.BasicKind][]value{}
	seen := map[literal]bool{}
	add := func(l literal) {
		if !seen[l] && len(out[l.kind]) < maxConstants {
			seen[l] = true
			out[l.kind] = append(out[l.kind], l.value)
		}
	}
	for _, n := range []int64{0, 1, -1, 2, 3, 10, 100, math.MaxInt8, math.MaxInt32, math.MaxInt64, math.MinInt64} {
		add(literal{types.Int, value{bits: uint64(n)}})
	}
	for _, x := range []float64{0, 1, -1, 0.5, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		add(literal{types.Float64, value{bits: math.Float64bits(x)}})
	}
	for _, s := range []string{"", "a", "0", "abc", "-1", "é", "\xff", " ", "a b"} {
		add(literal{types.String, value{text: s}})
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			if c, ok := n.(*ast.CompositeLit); ok {
				if l, ok := bytesOf(c); ok {
					add(l)
				}
			}
			if x, ok := n.(ast.Expr); ok {
				if l, ok := literalOf(x); ok {
					add(l)
					if b, err := hex.DecodeString(l.text); err == nil && len(b) > 1 {
						add(literal{types.String, value{text: string(b)}})
					}
					if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.CHAR {
						add(literal{types.String, value{text: string(rune(l.bits))}})
					}
				}
			}
			return true
		})
	}
	return out
}

// sampleDirs are where packages keep the inputs of their tests.
var sampleDirs = []string{"testdata", "_test", "_testdata", "test", "tests", "testfiles", "fixtures"}

// maxSamples is how many pieces of sample files are used, maxSampleFile how long a file may be that is read, in bytes.
const (
	maxSamples    = 300
	maxSampleFile = 64 << 10
)

// samples are pieces of the files that a package's tests read: short files as they are, and the paragraphs of longer ones. Each
// file has its share.
func samples(dir string) []string {
	var files [][]string
	for _, name := range sampleDirs {
		filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, ".go") || len(files) >= maxSamples {
				return nil
			}
			if st, err := d.Info(); err != nil || st.Size() > maxSampleFile || st.Size() == 0 {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil
			}
			if len(text) <= maxText {
				files = append(files, []string{string(text)})
				return nil
			}
			var parts []string
			for _, p := range strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n\n") {
				if p = strings.Trim(p, "\n"); p != "" && len(p) <= maxText {
					parts = append(parts, p)
				}
			}
			files = append(files, parts)
			return nil
		})
	}
	var out []string
	for i := 0; len(out) < maxSamples; i++ {
		before := len(out)
		for _, parts := range files {
			if i < len(parts) && len(out) < maxSamples {
				out = append(out, parts[i])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// maxWords is how many words are kept, and maxSameWord how many times one.
const (
	maxWords    = 20_000
	maxSameWord = 30
)

// vocabulary are the words of samples and of all strings in files, as often as they are there: what is frequent there is drawn often.
func vocabulary(files []*ast.File, samples []string) []string {
	var out []string
	times := map[string]int{}
	add := func(text string) {
		for _, w := range run.SplitWords(text) {
			if times[w]++; times[w] <= maxSameWord && len(out) < maxWords {
				out = append(out, w)
			}
		}
	}
	for _, text := range samples {
		add(text)
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok || len(out) >= maxWords {
				return false
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				add(constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0)))
			}
			return true
		})
	}
	return out
}

// bytesOf reads a composite of small numbers as the string with these bytes.
func bytesOf(c *ast.CompositeLit) (literal, bool) {
	if len(c.Elts) < 2 || len(c.Elts) > maxText {
		return literal{}, false
	}
	var b []byte
	for _, x := range c.Elts {
		l, ok := literalOf(x)
		if !ok || l.kind != types.Int || l.bits > 255 {
			return literal{}, false
		}
		b = append(b, byte(l.bits))
	}
	return literal{types.String, value{text: string(b)}}, true
}

// usage is what values the arguments of calls and the fields of composites have, in the source and its tests, by name alone:
// what New is given in a test is a better guess than any constant.
type usage struct {
	args   map[string]map[int][]literal
	fields map[string][]literal
}

// maxUsual is how many values are kept of an argument or field.
const maxUsual = 60

func usageOf(files []*ast.File) *usage {
	u := &usage{args: map[string]map[int][]literal{}, fields: map[string][]literal{}}
	add := func(list []literal, l literal) []literal {
		if len(list) >= maxUsual || slices.Contains(list, l) {
			return list
		}
		return append(list, l)
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := ""
				switch fun := n.Fun.(type) {
				case *ast.Ident:
					name = fun.Name
				case *ast.SelectorExpr:
					name = fun.Sel.Name
				}
				for i, arg := range n.Args {
					if l, ok := literalOf(arg); ok && name != "" {
						if u.args[name] == nil {
							u.args[name] = map[int][]literal{}
						}
						u.args[name][i] = add(u.args[name][i], l)
					}
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					if l, ok := literalOf(n.Value); ok {
						u.fields[id.Name] = add(u.fields[id.Name], l)
					}
				}
			}
			return true
		})
	}
	return u
}

// own are the constants in the body of a function and in those that it calls, as far as they are in the package.
func own(pkg *source.Package) map[*types.Func][]literal {
	decls := map[*types.Func]*ast.FuncDecl{}
	for _, f := range pkg.Funcs() {
		decls[f.Obj] = f.Decl
	}
	out := map[*types.Func][]literal{}
	for fn := range decls {
		var list []literal
		seen := map[*types.Func]bool{}
		var visit func(fn *types.Func, depth int)
		visit = func(fn *types.Func, depth int) {
			if seen[fn] || decls[fn] == nil || decls[fn].Body == nil {
				return
			}
			seen[fn] = true
			ast.Inspect(decls[fn].Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if g, ok := pkg.Info.Uses[n].(*types.Func); ok && depth > 0 {
						visit(g.Origin(), depth-1)
					}
				case ast.Expr:
					if l, ok := literalOf(n); ok && len(list) < maxUsual && !slices.Contains(list, l) {
						list = append(list, l)
					}
				}
				return true
			})
		}
		visit(fn, 2)
		out[fn] = list
	}
	return out
}

// usualOf finds the values that an argument of an operation usually has: what was observed, what calls of it pass, then the
// constants that the function deals with.
func (g *Graph) usualOf(o *candidate.Op, arg int, b *types.Basic) []value {
	var list []literal
	switch {
	case o.Func != nil:
		at := arg
		if o.OnFirst {
			at--
		}
		if params := o.Func.Type().(*types.Signature).Params(); at >= 0 && at < params.Len() {
			list = append(list, g.observed.literals(source.FuncName(o.Func), params.At(at).Name())...)
		}
		list = append(list, g.usage.args[o.Func.Name()][at]...)
		list = append(list, g.own[o.Func.Origin()]...)
	case arg < len(o.Fields):
		list = g.usage.fields[o.Fields[arg].Name()]
	}
	var out []value
	for _, l := range list {
		if l.fits(b) && !slices.Contains(out, l.value) {
			out = append(out, l.value)
		}
	}
	return out
}

// testFiles parses the tests of a package: it is their constants that matter, so what cannot be read is left out.
func testFiles(pkg *source.Package) []*ast.File {
	var out []*ast.File
	fset := token.NewFileSet()
	for _, name := range pkg.TestFiles {
		if f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution); err == nil {
			out = append(out, f)
		}
	}
	return out
}
