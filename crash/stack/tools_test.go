package stack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// texts are the panics in testdata/tools, by the ends of the files' names: the function that panics and its
// line, and its caller's, in package example.com/shop/cart.
var texts = map[string]struct {
	kind         schemas.Kind
	message      string
	inner, outer string
	at, from     int
}{
	"index": {schemas.Index, "runtime error: index out of range", "(*Cart).Price", "Total", 18, 41},
	"nil": {schemas.NilDeref, "runtime error: invalid memory address or nil pointer dereference",
		"(*Cart).Owner", "Total", 23, 43},
	"explicit": {schemas.ExplicitPanic, `cart: no item ""`, "Item", "Total", 29, 45},
}

// lost are texts that do not have the message, or of which no value is left.
var lost = map[string]string{
	"gdb-explicit":                "a debugger does not show the value",
	"zerolog-debugstack-explicit": "the value was written as {}",
	"zerolog-debugstack-index":    "the value was written as {}",
}

// TestTools: what frameworks, log libraries, debuggers and error trackers write of three panics is read to the
// same kind, message and innermost frames. scripts/panictexts made the texts, with the programs themselves; those
// whose names have another word before the panic have the forms of texts in public issues: golang/go 65516, 66090 and
// 74305 (telemetry), WangYihang/Platypus 239 (gin), measure-sh/measure 1337 (issue), chaos-mesh/chaos-mesh
// 649 (k8s), go-delve/delve 3651 (editor), goadesign/goa 371 (logfmt).
func TestTools(t *testing.T) {
	files, err := filepath.Glob("testdata/tools/*.txt")
	if err != nil || len(files) < 99 {
		t.Fatalf("%d texts, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		want, ok := texts[name[strings.LastIndexByte(name, '-')+1:]]
		if !ok {
			t.Errorf("%s: no such panic", name)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := Read(string(text))
		if p == nil {
			t.Errorf("%s: not read: %s", name, Missing(string(text)))
			continue
		}
		if lost[name] == "" && (p.Kind != want.kind || !strings.HasPrefix(p.Message, want.message)) {
			t.Errorf("%s: %s: %s", name, p.Kind, p.Message)
		}
		for i, w := range []struct {
			fn   string
			line int
		}{{want.inner, want.at}, {want.outer, want.from}} {
			if i >= len(p.Frames) {
				if name != "k8s-old-index" && name != "issue-headings-index" && name != "logfmt-bare-index" { // cut off
					t.Errorf("%s: %d frames", name, len(p.Frames))
				}
				break
			}
			if name == "goerrors-explicit" && i == 0 { // the library writes an inlined function in place of its caller
				continue
			}
			f := p.Frames[i]
			counts := f.Offset > 0 // a stack counter's lines
			local, bare := strings.CutPrefix(f.Func, UnknownPackage+".")
			same := f.Func == "example.com/shop/cart."+w.fn || f.Func == UnknownFunc ||
				bare && symbol.Parse("cart."+local).Inside(w.fn)
			switch {
			case !same,
				!counts && f.Line != w.line, bare && !strings.HasSuffix(f.File, "cart.go"):
				t.Errorf("%s: frame %d is %s %s:%d", name, i, f.Func, f.File, f.Line)
			}
		}
	}
}

// TestMissing: why a text is not read.
func TestMissing(t *testing.T) {
	for text, want := range map[string]string{
		"all is well\n": "no panic and no stack trace",
		"WARNING: DATA RACE\nWrite at 0x00c0 by goroutine 7:\n  m.F()\n      /m/m.go:18 +0x44\n": "a race report",
		"SIGQUIT: quit\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/m/m.go:9 +0x50\n":         "a stack trace, but no panic",
		"#\t0x46e0a4\tm.F+0x24\t/m/m.go:18\n":                                                    "a stack trace, but no panic",
	} {
		if p := Read(text); p != nil {
			t.Errorf("%q is read as %s", text, p.Message)
		}
		if got := Missing(text); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s", text, got)
		}
	}
}
