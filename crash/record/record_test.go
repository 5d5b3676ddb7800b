package record

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestCommand checks which commands can be recorded, and which of them only build.
func TestCommand(t *testing.T) {
	for _, test := range []struct {
		command string
		builds  bool
		err     string // a part of the error, "" for none
	}{
		{"go test ./...", false, ""},
		{"go test -c ./a", true, ""},
		{"/usr/local/go/bin/go run . -modfile x", false, ""}, // an argument of the program
		{"go build -o x .", true, ""},
		{"go install ./cmd/x", true, ""},
		{"go test -args -- -overlay=x", false, ""},
		{"go", false, "want go test, go run or go build"},
		{"make test", false, "want go test, go run or go build"},
		{"go vet ./...", false, "go vet (want go test, run, build or install)"},
		{"go test -overlay=x.json", false, "sets -overlay itself"},
		{"go build --modfile go2.mod", false, "sets -modfile itself"},
		{"go test -C dir", false, "give -C to crash record"},
	} {
		builds, err := Command(strings.Fields(test.command))
		switch {
		case test.err == "" && err != nil, test.err != "" && !errors.Is(err, ErrCommand):
			t.Errorf("Command(%s): error %v, want %q", test.command, err, test.err)
		case err != nil && !strings.Contains(err.Error(), test.err):
			t.Errorf("Command(%s): error %v, want %q", test.command, err, test.err)
		case builds != test.builds:
			t.Errorf("Command(%s) = %v, want %v", test.command, builds, test.builds)
		}
	}
}

// TestDepthOf checks the copying modes.
func TestDepthOf(t *testing.T) {
	for mode, want := range map[string]int{
		"reference": 0, "used": 0, "shallow": 1, "depth=1": 1, "depth=7": 7, "deep": -1,
	} {
		if got, err := depthOf(mode); got != want || err != nil {
			t.Errorf("depthOf(%q) = %d, %v, want %d", mode, got, err, want)
		}
	}
	for _, mode := range []string{"", "copy", "depth", "depth=", "depth=0", "depth=-1", "depth=x"} {
		if got, err := depthOf(mode); !errors.Is(err, ErrCommand) {
			t.Errorf("depthOf(%q) = %d, %v, want an ErrCommand", mode, got, err)
		}
	}
}

// TestRedact checks that texts are replaced by others of the same length, equal ones by equal ones,
// and that numbers, names and the runtime's own messages stay.
func TestRedact(t *testing.T) {
	text := func(s string) schemas.Node { return schemas.Node{Type: "string", Lit: `"` + s + `"`} }
	input := func(name string,
		n schemas.Node) schemas.Input {
		return schemas.Input{Name: name, Node: n}
	}
	doc := &schemas.Recording{}
	doc.Build.Command = []string{"prog", "secret", ""}
	doc.Crashes = []schemas.RecordedCrash{{
		Panic: "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n",
		Frames: []schemas.RecordedFrame{{Params: []schemas.Input{
			input("a", text("secret")),
			input("b", text("public")),
			input("n", schemas.Node{Type: "int", Lit: "42"}),
		}}},
		Objects: []schemas.Node{{Type: "m.T", Fields: []schemas.Input{input("f", text("secret")),
			input("pay", schemas.Node{Type: "int", Lit: "-900"})}}},
	}}
	before := doc.Crashes[0].Panic
	Redact(doc, nil)

	c := &doc.Crashes[0]
	params := c.Frames[0].Params
	a, b := params[0].Lit, params[1].Lit
	if len(a) != len(`"secret"`) || a == `"secret"` || b == `"public"` || a == b {
		t.Errorf("secret and public are %s and %s, want two other texts of 6 bytes", a, b)
	}
	if got := c.Objects[0].Fields[0].Lit; got != a {
		t.Errorf("the second secret is %s, want %s as the first", got, a)
	}
	if got := doc.Build.Command; got[0] != "prog" || `"`+got[1]+`"` != a || got[2] != "" {
		t.Errorf("the command is %q, want prog, %s and an empty text", got, a)
	}
	if params[2].Lit != "42" || params[2].Name != "n" || c.Panic != before {
		t.Errorf("the number %s = %s or the panic has changed:\n%s", params[2].Name, params[2].Lit,
			c.Panic)
	}

	Redact(doc, regexp.MustCompile(`m\.T\.pay$`))
	if pay := c.Objects[0].Fields[1].Lit; pay != "0" || params[2].Lit != "42" {
		t.Errorf("pay is %s and n %s, want 0 and 42", pay, params[2].Lit)
	}
	ref := 1
	c.Objects[0].Fields = append(c.Objects[0].Fields, input("years", schemas.Node{Type: "[]int", Ref: &ref}))
	c.Objects = append(c.Objects, schemas.Node{Type: "[1]int", Elems: []schemas.Elem{{Value: schemas.Node{Type: "int", Lit: "7"}}}})
	Redact(doc, regexp.MustCompile(`years`))
	if got := c.Objects[1].Elems[0].Value.Lit; got != "0" {
		t.Errorf("the number in a slice is %s, want 0", got)
	}
	doc.Crashes[0].Frames[0].Func = "m.F"
	Redact(doc, regexp.MustCompile(`F\.n$`))
	if params[2].Lit != "0" {
		t.Errorf("n is %s, want 0", params[2].Lit)
	}
}
