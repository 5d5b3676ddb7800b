package text

import (
	"errors"
	"fmt"
	"os"
	"strings"
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

// TestPrinterEscapes: nothing that a terminal acts on gets through, but the colors of the style.
func TestPrinterEscapes(t *testing.T) {
	const hostile = "a\tb\nc\x1b]0;title\a\r\u009b31m\u202e\x00\xff\x1b[2J\u2028\x7f é 世"
	const shown = "a\tb\nc\\x1b]0;title\\a\\r\\u009b31m\\u202e\\x00\\xff\\x1b[2J\\u2028\\x7f é 世"
	for _, style := range []Style{false, true} {
		var out strings.Builder
		p := &Printer{W: &out, Style: style}
		p.Printf("%s %s", style.Red("C1"), hostile)
		if want := style.Red("C1") + " " + shown; out.String() != want {
			t.Errorf("got\n%q, want\n%q", out.String(), want)
		}
	}
	if got := Indent("x\n::error::y", "    "); got != "x\n    ::error::y" {
		t.Errorf("%q", got)
	}
}

// TestMessage: a long text is cut between characters, and its size said.
func TestMessage(t *testing.T) {
	if got := Message("one\ntwo", "  "); got != "one\n  two" {
		t.Errorf("%q", got)
	}
	long := "x" + strings.Repeat("ä", 1<<20)
	if got := Message(long, ""); len(got) > maxMessage+50 || !strings.HasPrefix(long, strings.TrimSuffix(got, "... (2 MiB in all)")) {
		t.Errorf("%d bytes, the last of which are %q", len(got), got[len(got)-50:])
	}
}
