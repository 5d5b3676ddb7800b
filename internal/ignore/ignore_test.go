package ignore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

const text = `package m

func At(list []int, i int) int {
	//lint:ignore dsd/index the caller checks
	return list[i]
}

func Two(list []int, i int) int {
	n := list[i] //lint:ignore dsd/index,SA1000 at the end
	//lint:ignore dsd all kinds
	// and another comment
	n += call(list,
		list[i])
	//lint:ignore dsd/index the condition alone
	if list[i] > 0 {
		n = list[i+1]
	}
	//lint:ignore SA1000 not ours
	n = list[0]
	//lint:ignore dsd/index
	n = list[1]
	//lint:ignore dsd/none of that name
	return n
}

func call([]int, int) int { return 0 }
`

// TestReason: which lines of the text are ignored, and which comments have problems.
func TestReason(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": text,
		"all.go": "package m\n\n//lint:file-ignore dsd/nil-deref generated\n\nfunc Name(p *string) string { return *p }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := Read(prog)
	for _, tt := range []struct {
		code string // the last on its line
		kind schemas.Kind
		want string
	}{
		{"return list[i]", schemas.Index, "the caller checks"},
		{"return list[i]", schemas.NilDeref, ""},
		{"n := list[i]", schemas.Index, "at the end"},
		{"\t\tlist[i])", schemas.DivZero, "all kinds"},
		{"if list[i]", schemas.Index, "the condition alone"},
		{"n = list[i+1]", schemas.Index, ""},
		{"n = list[0]", schemas.Index, ""},
		{"n = list[1]", schemas.Index, ""},
		{"return n\n", schemas.Index, ""},
	} {
		line := 1 + strings.Count(text[:strings.Index(text, tt.code)], "\n")
		for _, pos := range []string{fmt.Sprintf("m.go:%d", line), fmt.Sprintf("m.go:%d:%d", line, 6)} {
			if got := d.Reason(tt.kind, pos); got != tt.want {
				t.Errorf("%q, %s, at %s: %q, want %q", tt.code, tt.kind, pos, got, tt.want)
			}
		}
	}
	if got := d.Reason(schemas.NilDeref, "all.go:5:40"); got != "generated" {
		t.Errorf("in a file that is ignored: %q", got)
	}
	var got []string
	for _, x := range d.Documented() {
		got = append(got, fmt.Sprintf("%s %d %s", x.Pos, x.Matches, x.Problem))
	}
	want := []string{"all.go:3:1 1 ", "m.go:4:2 2 ", "m.go:9:15 2 ", "m.go:10:2 2 ", "m.go:14:2 2 ",
		"m.go:20:2 0 " + noReason, "m.go:22:2 0 there is no kind of panic none: see check list"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("directives\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
