package symbol_test

import (
	"fmt"

	"dsd/internal/symbol"
)

func ExampleParse() {
	n := symbol.Parse("gopkg.in/yaml%2ev3.(*parser[...]).parse.func1")
	fmt.Println(n.Package, n.Receiver, n.Pointer, n.Func, n.Suffix)
	fmt.Println(n.Decl(), n.Literal(), n.Exported())
	// Output:
	// gopkg.in/yaml.v3 parser true parse .func1
	// (*parser).parse true false
}

func ExampleParsePos() {
	p := symbol.ParsePos("a/b.go:3:14")
	fmt.Println(p.File, p.Line, p.Col, p.WithoutCol())
	// Output: a/b.go 3 14 a/b.go:3
}
