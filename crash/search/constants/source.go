package constants

import (
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"

	"dsd/internal/source"
)

// maxConstants is the number of constants that are collected of each kind. The constants of the
// tests come last.
const maxConstants = 400

// ofFiles returns values for literals by kind: corner cases first, then the constants of files in
// the order of the source.
func ofFiles(files []*ast.File) map[types.BasicKind][]Value {
	out := map[types.BasicKind][]Value{}
	seen := map[Literal]bool{}
	add := func(l Literal) {
		if !seen[l] && len(out[l.Kind]) < maxConstants {
			seen[l] = true
			out[l.Kind] = append(out[l.Kind], l.Value)
		}
	}
	addText := func(text string) { add(Literal{types.String, Value{Text: text}}) }
	for _, n := range []int64{
		0, 1, -1, 2, 3, 10, 100, math.MaxInt8, math.MaxInt32, math.MaxInt64, math.MinInt64,
	} {
		add(Literal{types.Int, Value{Bits: uint64(n)}})
	}
	for _, x := range []float64{
		0, 1, -1, 0.5, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
	} {
		add(Literal{types.Float64, Value{Bits: math.Float64bits(x)}})
	}
	for _, s := range []string{"", "a", "0", "abc", "-1", "é", "\xff", " ", "a b"} {
		addText(s)
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
			x, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			l, ok := literalOf(x)
			if !ok {
				return true
			}
			add(l)
			if b, err := hex.DecodeString(l.Value.Text); err == nil && len(b) > 1 {
				addText(string(b))
			}
			if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.CHAR {
				addText(string(rune(l.Value.Bits)))
			}
			return true
		})
	}
	return out
}

// testFiles parses the test files of a package. Files that cannot be parsed are left out: only
// their constants would be used.
func testFiles(pkg *source.Package) []*ast.File {
	var out []*ast.File
	fset := token.NewFileSet()
	for _, name := range pkg.TestFiles {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err == nil {
			out = append(out, f)
		}
	}
	return out
}
