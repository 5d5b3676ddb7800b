package dtrace

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// version1 and version2 declare the same function.
const version1 = `VarComparability
implicit

DECLARE
m.f(int;)int:::ENTER
n
int
int
1
p
T*
hashcode
2
a[]
int[]
int[]
3

DECLARE
m.f(int;)int:::EXIT4
n
int
int
1
return
int
int
1
`

const version2 = `decl-version 2.0
input-language C/C++
var-comparability implicit

ppt m.f(int;)int:::ENTER
ppt-type enter
 variable n
  var-kind variable
  rep-type int
  dec-type int
  flags is_param
  comparability 1
 variable p
  var-kind variable
  rep-type hashcode
  dec-type T*
  comparability 2
 variable a[]
  var-kind array
  array 1
  rep-type int[]
  dec-type int[]
  comparability 3[1]

ppt m.f(int;)int:::EXIT4
ppt-type subexit
 variable n
  var-kind variable
  rep-type int
  dec-type int
  comparability 1
 variable return
  var-kind return
  rep-type int
  dec-type int
  comparability 1
`

// calls returns a trace of n calls of f. Each call returns after the next one has begun.
func calls(n int) string {
	var out strings.Builder
	enter := func(i int) {
		fmt.Fprintf(&out,
			"m.f(int;)int:::ENTER\nthis_invocation_nonce\n%d\n"+
				"n\n%d\n1\np\n%d\n1\na[]\n[%d %d]\n1\n\n", i, i, 4096+16*i, i, 2*i)
	}
	for i := range n {
		enter(i)
		if i > 0 {
			fmt.Fprintf(&out,
				"m.f(int;)int:::EXIT4\nthis_invocation_nonce\n%d\n"+
					"n\n%d\n1\nreturn\n%d\n1\n\n", i-1, i-1, 3*(i-1)+1)
		}
	}
	return out.String()
}

// files writes files into a directory and returns their paths. texts alternates names and contents.
func files(t *testing.T, texts ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for i := 0; i < len(texts); i += 2 {
		name := filepath.Join(dir, texts[i])
		if err := os.WriteFile(name, []byte(texts[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// TestInvariants checks that neither the version of the declarations nor the size of the blocks
// changes what is learned.
func TestInvariants(t *testing.T) {
	want := `m.f(int;)int entry 40
  n >= 0
  p != nil
  a[][0] >= 0
  a[][len(a[])-1] >= 0
  sum(a[]) >= 0
  len(a[]) == 2
`
	old := blockSize
	defer func() { blockSize = old }()
	for _, size := range []int{64, 100, 1 << 20} {
		for version, decls := range []string{version1, version2} {
			blockSize = size
			var log bytes.Buffer
			doc, err := Invariants(files(t, "f.decls", decls, "f.dtrace", calls(40)), 0.99, &log)
			if err != nil || log.Len() > 0 {
				t.Fatalf("version %d in blocks of %d: %v %s", version+1, size, err, log.String())
			}
			got := show(doc)
			for _, line := range strings.SplitAfter(want, "\n") {
				if !strings.Contains(got, line) {
					t.Errorf("version %d in blocks of %d: %q is not in\n%s", version+1, size, line, got)
				}
			}
			if !strings.Contains(got, "m.f(int;)int exit 39\n") ||
				!strings.Contains(got, "return == 3 * n + 1\n") || !strings.Contains(got, "n == old(n)\n") {
				t.Errorf("version %d in blocks of %d: the exit lacks a line:\n%s", version+1, size, got)
			}
		}
	}
}

func show(doc *schemas.Invariants) string {
	var out strings.Builder
	for _, p := range doc.Points {
		fmt.Fprintf(&out, "%s %s %d\n", p.Func, p.At, p.Samples)
		for _, inv := range p.Invariants {
			fmt.Fprintf(&out, "  %s\n", inv.Expr)
		}
	}
	return out.String()
}

// TestForms covers gzipped traces, values of all kinds, declarations within the trace, and
// comments.
func TestForms(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(strings.ReplaceAll("# a comment\n"+version2+"\n", "\n", "\r\n") + calls(20)))
	z.Close()
	var log bytes.Buffer
	doc, err := Invariants(files(t, "f.dtrace.gz", packed.String()), 0.99, &log)
	if err != nil || len(doc.Points) != 2 {
		t.Fatal(err, doc)
	}
	for _, test := range []struct {
		rep  schemas.Rep
		text string
		want invariant.Value
		bad  bool
	}{
		{rep: "int", text: "-12", want: invariant.Value{Code: -12}},
		{rep: "int", text: "true", want: invariant.Value{Code: 1}},
		{rep: "int", text: "false"},
		{rep: "int", text: "9223372036854775807", want: invariant.Value{Code: 1<<63 - 1}},
		{rep: "int", text: "12x", bad: true},
		{rep: "int", text: "", bad: true},
		{rep: "ref", text: "null"},
		{rep: "ref", text: "3221220126", want: invariant.Value{Code: 3221220126}},
		{rep: "bool", text: "true", want: invariant.Value{Code: 1}},
		{rep: "bool", text: "0"},
		{rep: "float", text: "2.5", want: invariant.FloatValue(2.5)},
		{rep: "float", text: "two", bad: true},
		{rep: "string", text: `"a b"`, want: (&invariant.Interner{}).Value([]byte(`"a b"`))},
		{rep: "refs", text: "[ 0x4c32090 null 32 0 ]",
			want: invariant.ItemsValue("refs", []byte("[79896719 nil 31 nil]"))},
		{rep: "refs", text: "[]", want: invariant.ItemsValue("refs", []byte("[]"))},
		{rep: "refs", text: "nonsensical", want: invariant.Value{Missing: true}},
	} {
		var got invariant.Value
		if ok := decode(&got, test.rep, []byte(test.text), &invariant.Interner{}); ok == test.bad ||
			!test.bad && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s %s: %v %v, want %v", test.rep, test.text, got, ok, test.want)
		}
	}
}

// TestRefused checks that an error is one line with the position of the mistake.
func TestRefused(t *testing.T) {
	trace := calls(2)
	for _, test := range []struct{ name, decls, trace, want string }{
		{"undeclared", version1, strings.ReplaceAll(trace, "m.f", "m.g"),
			"f.dtrace:1: m.g(int;)int:::ENTER is not declared: name its .decls file, too"},
		{"another variable", version1, strings.Replace(trace, "\np\n", "\nq\n", 1),
			`f.dtrace:7: m.f(int;)int:::ENTER: found "q", want the variable p`},
		{"no number", version1, strings.Replace(trace, "\nn\n0\n", "\nn\nzero\n", 1),
			`f.dtrace:5: n: "zero" is not of representation int`},
		{"modified 7", version1, strings.Replace(trace, "\nn\n0\n1\n", "\nn\n0\n7\n", 1),
			"f.dtrace:6: n: invalid modified bit (want 0, 1 or 2)"},
		{"cut record", version1, strings.Replace(trace, "\na[]\n[0 0]\n1\n\n", "\na[]\n\n", 1),
			"f.dtrace:10: the record ends in the value of a[]"},
		{"twice", version1 + "\n" + version1[strings.Index(version1, "DECLARE"):], trace,
			"f.decls:43: m.f(int;)int:::ENTER is declared twice"},
		{"no such type", strings.Replace(version1, "hashcode", "pointer", 1), trace,
			`f.decls:13: p: unknown representation "pointer" (want int, hashcode, boolean, double, ` +
				`java.lang.String or an array of these)`},
		{"version 3", "decl-version 3.0\n", trace,
			"f.decls:1: declarations of version 3.0 (want 1 or 2)"},
		{"prose", "Once upon a time\n", trace,
			`f.decls:1: neither a declaration nor a sample: "Once upon a time"`},
		{"keyword", strings.Replace(version2, "var-kind array", "var-kin array", 1), trace,
			`f.decls:19: unknown keyword "var-kin" in the declaration of a program point`},
	} {
		_, err := Invariants(files(t, "f.decls", test.decls, "f.dtrace", test.trace), 0.99,
			new(bytes.Buffer))
		if err == nil || !strings.HasSuffix(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// TestDifferingExit checks that an exit with other variables than the first exit is learned from
// separately.
func TestDifferingExit(t *testing.T) {
	decls := version1 + "\nDECLARE\nm.f(int;)int:::EXIT9\nreturn\nint\nint\n1\n"
	trace := calls(20) + strings.Repeat("m.f(int;)int:::EXIT9\nreturn\n5\n1\n\n", 10)
	doc, err := Invariants(files(t, "f.decls", decls, "f.dtrace", trace), 0.99, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	if got := show(doc); !strings.Contains(got, "exit 19\n") ||
		!strings.Contains(got, "exit9 10\n") || !strings.Contains(got, "return == 5\n") {
		t.Error(got)
	}
}

// TestConstant checks that the attributes of a constant, which records omit, do not leak into the
// next variable.
func TestConstant(t *testing.T) {
	var d decls
	err := d.parse("f.decls", `decl-version 2.0

ppt m.f():::ENTER
ppt-type enter
variable p.size
  var-kind field size
  rep-type int
  dec-type int
  constant 7
  comparability 1
variable n
  var-kind variable
  rep-type int
  dec-type int
`)
	if err != nil {
		t.Fatal(err)
	}
	none, err := d.variable(&lineReader{}, "n", "int", "int", "")
	if err != nil {
		t.Fatal(err)
	}
	if vars := d.points[0].vars; len(vars) != 1 || vars[0] != none {
		t.Errorf("got %+v, want %+v alone", vars, none)
	}
}

// TestAddresses checks that a pointer compares equal to the same pointer in an array.
func TestAddresses(t *testing.T) {
	decls := "DECLARE\nm.f():::ENTER\np\nT*\nhashcode\n1\ni\nint\nint\n2\n" +
		"a[]\nT*[]\nhashcode[]\n1[2]\n"
	var trace strings.Builder
	for i := range 40 {
		list := []string{fmt.Sprint(4096 + 16*i), fmt.Sprintf("0x%x", 8192+16*i)}
		fmt.Fprintf(&trace, "m.f():::ENTER\np\n%s\n1\ni\n%d\n1\na[]\n[%s]\n1\n\n", list[i%2], i%2,
			strings.Join(list, " "))
	}
	doc, err := Invariants(files(t, "f.decls", decls, "f.dtrace", trace.String()), 0.99,
		new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	if got := show(doc); !strings.Contains(got, "\n  p == a[][i]\n") ||
		strings.Contains(got, "\n  p != a") {
		t.Error(got)
	}
}

// TestTruncated checks that a trace that ends within a record is read up to that record, with a
// warning.
func TestTruncated(t *testing.T) {
	whole := calls(30)
	var log bytes.Buffer
	doc, err := Invariants(files(t, "f.decls", version1, "f.dtrace", whole[:len(whole)-20]), 0.99,
		&log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "the trace is truncated: its last record is left out") ||
		!strings.Contains(show(doc), "exit 28\n") {
		t.Errorf("%s\n%s", log.String(), show(doc))
	}
}

// FuzzRead checks that no input makes the reader panic or hang.
func FuzzRead(f *testing.F) {
	f.Add(version1, calls(3))
	f.Add(version2, calls(2))
	blockSize = 256
	f.Fuzz(func(t *testing.T, decls, trace string) {
		dir := t.TempDir()
		a, b := filepath.Join(dir, "f.decls"), filepath.Join(dir, "f.dtrace")
		if os.WriteFile(a, []byte(decls), 0o666) != nil || os.WriteFile(b, []byte(trace), 0o666) != nil {
			t.Skip()
		}
		Invariants([]string{a, b}, 0.99, new(bytes.Buffer))
	})
}
