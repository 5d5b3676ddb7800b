package fuzztarget

import (
	"go/ast"
	"go/parser"
	"slices"
	"testing"
)

// TestParseValue reads the values that native fuzzing writes, and nothing else.
func TestParseValue(t *testing.T) {
	for text, want := range map[string]string{
		`string("a\x00\n")`: `string("a\x00\n")`, `[]byte("\xff")`: `[]byte("\xff")`,
		`int(-3)`: `int(-3)`, `byte('\x07')`: `byte(7)`, `rune('ä')`: `rune(228)`, `bool(true)`: `bool(true)`,
		`uint64(18446744073709551615)`: `uint64(18446744073709551615)`,
		`float64(-1.5)`:                `float64(-1.5)`, `float64(1e+300)`: `float64(1e+300)`,
		`float64(NaN)`: "", `float64(+Inf)`: "", `math.Float64frombits(0x7ff8000000000002)`: "",
		`string(os.Getenv("HOME"))`: "", `int(f())`: "", `[]byte{1}`: "", `int("x")`: "", `string(3)`: "",
		`func() int { return 1 }()`: "", `int(3) + 1`: "", "": "",
	} {
		got, err := parseValue(text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v; want %q", text, got, err, want)
		}
	}
}

// FuzzParseInput: whatever an input says, its values are conversions of constants.
func FuzzParseInput(f *testing.F) {
	f.Add([]byte("go test fuzz v1\nint(3)\nstring(\"x\")\n"))
	f.Add([]byte("go test fuzz v1\n[]byte(\"\\xff\")\nfloat64(-1.5)\nbyte('a')"))
	f.Add([]byte("go test fuzz v1\nint(panic(1))\n"))
	types := []string{"string", "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
		"uint32", "uint64", "byte", "rune", "float32", "float64"}
	f.Fuzz(func(t *testing.T, text []byte) {
		values, err := parseInput(text)
		if err != nil {
			return
		}
		for _, v := range values {
			e, err := parser.ParseExpr(v)
			if err != nil {
				t.Fatalf("%q: %v", v, err)
			}
			call := e.(*ast.CallExpr)
			if id, ok := call.Fun.(*ast.Ident); ok && !slices.Contains(types, id.Name) {
				t.Fatalf("%q is a call", v)
			}
			ast.Inspect(call.Args[0], func(n ast.Node) bool {
				switch n := n.(type) {
				case nil, *ast.BasicLit, *ast.UnaryExpr:
				case *ast.Ident:
					if n.Name != "true" && n.Name != "false" {
						t.Fatalf("%q has a name", v)
					}
				default:
					t.Fatalf("%q has a %T", v, n)
				}
				return true
			})
		}
	})
}
