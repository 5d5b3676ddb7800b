package stack_test

import (
	"fmt"

	"dsd/crash/stack"
)

// The text is as an issue quotes it: with quotation marks, and wrapped.
func ExampleRead() {
	p := stack.Read(`> panic: runtime error: slice bounds out of range [5:3]
>
> goroutine 1 [running]:
> example.com/m.(*Scanner).text(0xc000012345,
> 0x5)
> 	/home/me/m/scan.go:41 +0x5d
> main.main()
> 	/home/me/m/main.go:8 +0x1d
`)
	fmt.Println(p.Message)
	for _, f := range p.Frames {
		fmt.Println(f.Func, f.File, f.Line)
	}
	// Output:
	// runtime error: slice bounds out of range [5:3]
	// example.com/m.(*Scanner).text /home/me/m/scan.go 41
	// main.main /home/me/m/main.go 8
}
