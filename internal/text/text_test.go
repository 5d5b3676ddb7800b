package text

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"testing/iotest"

	"dsd/schemas"
)

func ExampleCount() {
	fmt.Println(Count(1, "crash"), Count(2, "crash"), Count(0, "warning"))
	// Output: 1 crash 2 crashes 0 warnings
}

func ExamplePrinter_Skipped() {
	p := &Printer{W: os.Stdout}
	p.Skipped("  ", []schemas.Skipped{{Func: "f", Reason: "uses cgo"},
		{Func: "g", Reason: "too large"},
		{Func: "h", Reason: "too large"}, {Func: "i", Reason: "has no body"}})
	// Output:
	//   skipped 2: too large
	//   skipped 1: has no body
	//   skipped 1: uses cgo
}

func TestPrinterKeepsTheFirstError(t *testing.T) {
	p := &Printer{W: iotest.TruncateWriter(os.Stdout, 0)}
	p.Printf("text")
	if p.Err != nil {
		t.Fatal(p.Err)
	}
	want := errors.New("disk full")
	p.Err = want
	p.W = nil // not used after an error
	p.Printf("text")
	if p.Err != want {
		t.Errorf("got the error %v, want %v", p.Err, want)
	}
}
