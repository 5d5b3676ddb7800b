package dtrace

import (
	"bytes"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestWrite checks that a call becomes two records and a call that panicked one, that missing
// values are nonsensical, that samples do not share addresses, and that the output can be read
// again.
func TestWrite(t *testing.T) {
	v := func(name, typ, rep, pointer string, result bool) schemas.TraceVar {
		return schemas.TraceVar{Name: name, Type: typ, Rep: schemas.Rep(rep), Pointer: pointer,
			Result: result}
	}
	entry := []schemas.TraceVar{v("p", "*T", "ref", "", false), v("p.x", "int", "int", "p", false),
		v("s", "string", "string", "", false), v("xs", "[]int", "ints", "", false)}
	exit := []schemas.TraceVar{entry[0], v("old(p.x)", "int", "int", "p", false), entry[2],
		v("old(xs)", "[]int", "ints", "", false), v("p.x", "int", "int", "p", false), v("xs", "[]int",
			"ints", "", false),
		v("result", "float64", "float", "", true)}
	h := schemas.TraceHeader{Header: schemas.Header{Module: schemas.Module{Path: "m"}},
		Packages: []string{"m"}, Points: []schemas.TracePoint{
			{Func: "m.(*T).F", At: "entry", Vars: entry}, {Func: "m.(*T).F", At: "exit",
				Vars: exit}, {Func: "m.(*T).F", At: "panic", Vars: entry}}}
	var trace bytes.Buffer
	w, err := schemas.NewTraceWriter(&trace, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []schemas.Sample{
		{Point: 0, Count: 2, Values: []string{"1", "3", `"a\tb\""`, "[1 2]"}},
		{Point: 1, Count: 2, Values: []string{"1", "3", `"a\tb\""`, "[1 2]", "4", "~", "+Inf"}},
		{Point: 2, Count: 1, Values: []string{"nil", "-", `"é"`, "[]"}},
	} {
		if err := w.WriteSample(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := schemas.NewTraceReader(&trace, "trace")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, r); err != nil {
		t.Fatal(err)
	}
	_, records, _ := strings.Cut(out.String(), "\n\nm.(*T).F:::ENTER\n")
	want := `this_invocation_nonce
1
p
4097
1
p.x
3
1
s
"a\tb\""
1
xs[..]
[1 2]
1

m.(*T).F:::EXIT0
this_invocation_nonce
1
p
4097
1
p.x
4
1
s
"a\tb\""
1
xs[..]
nonsensical
2
result
Infinity
1

m.(*T).F:::ENTER
this_invocation_nonce
2
p
null
1
p.x
nonsensical
2
s
"é"
1
xs[..]
[]
1

`
	if records != want {
		t.Errorf("got the records\n%s\nwant\n%s", records, want)
	}
	var log bytes.Buffer
	doc, err := Invariants(files(t, "m.dtrace", out.String()), 0, &log)
	if err != nil || log.Len() > 0 || len(doc.Points) != 2 || doc.Points[0].Samples != 2 ||
		doc.Points[1].Samples != 1 {
		t.Errorf("reading the output: %v %s %+v", err, log.String(), doc)
	}
}
