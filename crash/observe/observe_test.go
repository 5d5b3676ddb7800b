package observe

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dsd/crash/testrun"
	"dsd/internal/confine"
	"dsd/internal/fact"
	"dsd/internal/source"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// show writes a value for a reader.
func show(v fact.Value) string {
	switch {
	case v.Text != nil:
		return strconv.Quote(string(*v.Text))
	case v.Bits != nil:
		return fmt.Sprint(*v.Bits)
	case v.Nil:
		return "nil"
	case v.Inside != nil && len(v.Inside.Elems) > 0: // versions of Go differ in the others
		return "&{" + show(v.Inside.Elems[0]) + "...}"
	case v.Elems != nil:
		var list []string
		for _, e := range v.Elems {
			list = append(list, show(e))
		}
		return "{" + strings.Join(list, " ") + "}"
	case v.NotNil:
		return "not nil"
	}
	return "?"
}

// showEvent writes an event: "m.go:20:5 true", or a call.
func showEvent(e Event) string {
	if e.Operands != nil {
		return fmt.Sprintf("%s %v %v", e.Pos, e.Holds, *e.Operands)
	}
	if e.Call == nil {
		return fmt.Sprintf("%s %v", e.Pos, e.Holds)
	}
	list := func(vals []fact.Value) string {
		var out []string
		for _, v := range vals {
			out = append(out, show(v))
		}
		return strings.Join(out, ", ")
	}
	recv := ""
	if e.Call.Recv != nil {
		recv = show(*e.Call.Recv) + "; "
	}
	return fmt.Sprintf("%s(%s%s) = %s", e.Call.Callee, recv, list(e.Call.Args),
		list(e.Call.Results))
}

// TestRun observes the runs of tests, in a module of a version of Go without type parameters.
func TestRun(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	o := New(prog, prog.Package("example.com/m"), func(callee string) bool {
		return callee == "example.com/m/inner.Twice"
	})
	cases := []struct {
		call, output string
		want         []string
	}{
		{`Clean("/a/..")`, "", []string{
			`strings.HasPrefix("/a/..", "/") = 1`, "m.go:18:5 true", "m.go:18:34 true [5 2]",
			`path.Clean("/a/..") = "/"`}},
		{`Host("http://h:80/x", true)`, "", []string{
			`net/url.Parse("http://h:80/x") = &{"http"...}, nil`,
			`net/url.(*URL).Hostname(&{"http"...}; ) = "h"`, `strings.ToUpper("h") = "H"`}},
		{`Host(":", true)`, "", []string{
			`net/url.Parse(":") = nil, not nil`}},
		{`Sum([]int{1, 2, 7})`, "", []string{
			"m.go:35:2 true", "m.go:37:8 true", "m.go:35:2 true", "inner/inner.go:6:5 false [2 2]",
			"example.com/m/inner.Twice(2) = 4", "m.go:35:2 true", "m.go:43:6 false [5 9]"}},
		{`Add(time.Unix(1, 0).UTC(), nil, false)`, "", []string{
			"m.go:52:5 false", `time.Time.Add({0 62135596801 nil}; 2000000000) = ` +
				`{0 62135596803 nil}`,
			`time.Time.Format({0 62135596803 nil}; "2006-01-02T15:04:05Z07:00") = ` +
				`"1970-01-01T00:00:03Z"`,
			`errors.Unwrap(nil) = nil`}},
		{`Add(time.Time{}, nil, true)`, "", []string{
			"m.go:52:5 true", `strings.Split("a=b", "=") = {"a" "b"}`,
			`strings.Join({"a" "b"}, "+") = "a+b"`}},
		{`Sum(nil); println("printed"); panic("boom")`, "boom", []string{"m.go:43:6 false [0 9]"}},
	}
	var tests []schemas.Test
	for i, c := range cases {
		name := fmt.Sprintf("TestCase%d", i)
		imports := `import "testing"`
		if strings.Contains(c.call, "time.") {
			imports = "import (\n\"testing\"\n\"time\"\n)"
		}
		tests = append(tests, schemas.Test{Package: "example.com/m", Name: name,
			File: fmt.Sprintf("case%d_test.go", i), Source: "// Code.\n\npackage m\n\n" + imports +
				"\n\nfunc " + name + "(t *testing.T) {\n\t" + c.call + "\n}\n"})
	}
	got, err := o.Run(context.Background(), tests, testrun.Options{Timeout: time.Minute, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if got[i].Err != "" {
			t.Errorf("%s: %s", c.call, got[i].Err)
		}
		var events []string
		for _, e := range got[i].Events {
			events = append(events, showEvent(e))
		}
		if !slices.Equal(events, c.want) {
			t.Errorf("%s: got\n\t%s\nwant\n\t%s", c.call, strings.Join(events, "\n\t"),
				strings.Join(c.want, "\n\t"))
		}
		if !strings.Contains(got[i].Output, c.output) || strings.Contains(got[i].Output, "\x01") {
			t.Errorf("%s: output %q", c.call, got[i].Output)
		}
	}
}
