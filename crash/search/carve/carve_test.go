package carve

import (
	"slices"
	"strings"
	"testing"

	"dsd/crash/search/searchtest"
)

// TestCarve checks that tests become candidates, a row of a table of cases each, though an import
// of theirs is not in the build.
func TestCarve(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/carved")
	g, seeds := Graph(prog, pkg, nil, nil)
	var got []string
	for _, p := range Programs(seeds, g.Table) {
		test, err := p.WriteTest(pkg, g.Table, "TestX", "", false)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.ReplaceAll(strings.TrimSpace(test.Body), "\n\t", "; "))
	}
	want := []string{
		`d, _ := Open("doc: a text"); d.Mark("a", 3); d.Between("a", "b")`,
		`d, _ := Open("doc: a text"); d.Mark("x", -1)`,
		`d := With(func(d *Doc) { d.Title = "x"; d.marks["m"] = 1 }); d.Title = "doc: y"; ` +
			`Join("-", 1.5, map[string]int{"a": 1}); d.Between("m", "m")`,
		`d, _ := Open("doc: helped"); d.Options = Options{Style: Style{Wide: true}}; d.Mark("h", 7)`,
		`d, _ := Open("doc: helped"); d.Options = Options{Style: Style{Wide: true}}; d.Mark("i", 8)`,
		`d, _ := Open("doc: helped"); d.Options = Options{Style: Style{Wide: true}}; ` +
			`d.Each(func(string) error { return nil })`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	internal := 0
	for _, o := range g.Table {
		if o.Name == "from a test" && o.Internal {
			internal++
		}
	}
	if internal != 1 {
		t.Errorf("got %d expressions that name what is not exported, want the function that sets marks",
			internal)
	}
	if got := Programs(seeds, nil); len(got) != 0 {
		t.Errorf("got %d programs over an empty table, want none", len(got))
	}
}

func TestOneLine(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"f(a,  b)", "f(a,  b)"},
		{"[]int{\n\t1,\n\t2,\n}", "[ ] int { 1 , 2 , }"},
		{"time.\n\tSecond", "time.Second"},
		{"func() {\n\tf()\n\tg()\n}", "func ( ) { f ( ) ; g ( ) ; }"},
		{"`a\nb` + \"c\\n\"", `"a\nb" + "c\n"`},
	} {
		if got := strings.TrimSpace(oneLine(tt.text)); got != tt.want {
			t.Errorf("oneLine(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
