package stack

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"dsd/internal/stacktrace"
)

// TestArguments gives words the types of the parameters of a method.
func TestArguments(t *testing.T) {
	const src = `package p
type T struct{}
func (t *T) M(s string, b []byte, i int8, ok bool, f float32, e error, ` +
		`m map[int]int, st struct{ a, b int }, z int) {}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup("T").Type()), false,
		pkg, "M")
	fn := obj.(*types.Func)
	unknown := stacktrace.Argument{Length: -1}
	length := func(n int) stacktrace.Argument { return stacktrace.Argument{Length: n} }
	bits := func(n uint64) stacktrace.Argument {
		return stacktrace.Argument{Known: true, Bits: n,
			Length: -1}
	}
	null := stacktrace.Argument{Length: -1, Nil: true}
	set := stacktrace.Argument{Length: -1, Set: true}
	for _, test := range []struct {
		args string
		want []stacktrace.Argument
	}{
		{"0xc000012345, {0x1, 0x5}, {0x1, 0x7, 0x8}, 0xff, 0x1, 0x3f800000, " +
			"{0x0, 0x0}, 0x0, {0x1, 0x2}, 0x9",
			[]stacktrace.Argument{set, length(5), length(7), bits(^uint64(0)), bits(1),
				bits(0x3ff0000000000000), null, null, unknown, bits(9)}},
		{"0x0, {0x1?, 0x5?}, _, 0x7?, ...", []stacktrace.Argument{null, unknown, unknown, unknown}},
		{"0x0?, {0x1, 0x10000}, {0x1, ...}", []stacktrace.Argument{unknown, unknown, unknown,
			unknown, unknown, unknown, unknown, unknown, unknown, unknown}},
		{"...", nil},
	} {
		if got := Arguments(Words(test.args), fn); !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", test.args, got, test.want)
		}
	}
}
