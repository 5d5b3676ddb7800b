package kind

import (
	"bytes"
	"go/format"
	"os"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestDocs: every kind is described, in the order of the list, by Go that is formatted.
func TestDocs(t *testing.T) {
	if len(Docs) != len(schemas.Kinds) {
		t.Fatalf("%d descriptions of %d kinds", len(Docs), len(schemas.Kinds))
	}
	for i, d := range Docs {
		if d.Kind != schemas.Kinds[i] {
			t.Errorf("%s at the place of %s", d.Kind, schemas.Kinds[i])
		}
		if Of(d.Kind) != &Docs[i] {
			t.Errorf("%s is not found", d.Kind)
		}
		decls, _, _ := strings.Cut(d.Example, "\n\n"+lastBlock(d.Example))
		for _, source := range []string{decls, d.Mended} {
			got, err := format.Source([]byte("package p\n\n" + source + "\n"))
			if err != nil || string(got) != "package p\n\n"+source+"\n" {
				t.Errorf("%s: %v\n%s", d.Kind, err, got)
			}
		}
		var out bytes.Buffer
		if err := d.Explain(&out); err != nil || !strings.Contains(out.String(), d.Title) {
			t.Errorf("%s: %v, %s", d.Kind, err, out.String())
		}
	}
	if Of("none") != nil {
		t.Error("a kind that is none is described")
	}
}

// lastBlock returns the lines after the last empty one: the calls.
func lastBlock(source string) string { return source[strings.LastIndex(source, "\n\n")+2:] }

func ExampleDoc_Explain() {
	Of(schemas.DivZero).Explain(os.Stdout)
	// Output:
	// div-zero: integer division by zero
	//
	// The divisor of / or % between integers is 0. Division of floating-point numbers does not panic.
	//
	// The panic says: integer divide by zero
	//
	// Panics:
	//
	//     func Mean(sum, n int) int { return sum / n }
	//
	//     Mean(0, 0)
	//
	// Does not:
	//
	//     func Mean(sum, n int) int {
	//     	if n == 0 {
	//     		return 0
	//     	}
	//     	return sum / n
	//     }
}
