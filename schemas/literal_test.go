package schemas

import (
	"go/ast"
	"go/parser"
	"strings"
	"testing"
)

// TestLiteral: what is a literal, and what only begins like one.
func TestLiteral(t *testing.T) {
	for _, s := range []string{
		"0", "-1", "18446744073709551615", "1.5", "-1e300", "0x10", "1e400", "nil", "func", "true", "false", `""`, `"a\n\x00"`, `"é"`,
		"math.NaN()", "math.Inf(-1)", "math.Copysign(0, -1)", "complex(1, -2)", "complex(math.NaN(), 0)",
		"complex(math.Copysign(0, -1), math.Copysign(0, -1))",
	} {
		if !isLiteral(s) {
			t.Errorf("%s is no literal", s)
		}
	}
	for _, s := range []string{
		"", "-", "--1", "+1", "1; os.Exit(1)", "1\n", " 1", "1 ", "nil)", "x", "f()", `"a" + f()`, `"a"; f()`, "\"a\nb\"", "`a`", `"a`, "'a'",
		"math.NaN(); f()", "math.Sqrt(2)", "complex(1, f())", "complex(1)", "complex(nil, 1)", "complex(1, 2); f()", "complex(1, 2, 3)", "/**/1", "inf", "NaN", "Inf", "1/2",
	} {
		if isLiteral(s) {
			t.Errorf("%q is a literal", s)
		}
	}
}

// FuzzLiteral: a literal is one Go expression, of constants and the functions of math and complex.
func FuzzLiteral(f *testing.F) {
	for _, s := range append([]string{"-1", "1.5", `"a"`, "complex(1, -2)", "1_000", "0b1", "0i", "1p3", "0x1p-2", "1e5"}, specialLiterals...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !isLiteral(s) || s == "func" {
			return
		}
		x, err := parser.ParseExpr(s)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if strings.ContainsAny(s, "\n\r") {
			t.Fatalf("%q has several lines", s)
		}
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case nil, *ast.BasicLit, *ast.UnaryExpr:
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.Ident); ok && fn.Name != "complex" {
					t.Errorf("%q calls %s", s, fn.Name)
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); !ok || x.Name != "math" {
					t.Errorf("%q selects", s)
				}
			case *ast.Ident:
				switch n.Name {
				case "nil", "true", "false", "complex", "math", "NaN", "Inf", "Copysign":
				default:
					t.Errorf("%q names %s", s, n.Name)
				}
			default:
				t.Errorf("%q has a %T", s, n)
			}
			return true
		})
	})
}
