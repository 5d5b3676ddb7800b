package paramgraph

import (
	"context"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dsd/internal/source"
)

// TestTaggedTypes checks that a package that looks for struct tags gets types with these tags.
func TestTaggedTypes(t *testing.T) {
	dir := t.TempDir()
	const src = `package m

import "reflect"

const key = "conf"

func Name(f reflect.StructField) string {
	if name, ok := f.Tag.Lookup(key); ok {
		return name
	}
	return f.Tag.Get("alt") + f.Tag.Get("alt") + f.Tag.Get(f.Name)
}

func Other(m map[string]string, g interface{ Get(string) string }) string { return g.Get("no") }
`
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	keys := tagKeys(prog.Packages[0])
	if want := []string{"conf", "alt"}; !slices.Equal(keys, want) {
		t.Fatalf("got keys %q, want %q", keys, want)
	}
	got := taggedTypes(keys[:1])
	want := "struct{A int \"conf:\\\"a\\\"\"; B *string \"conf:\\\"b,omitempty\\\"\"; " +
		"C []string \"conf:\\\"c\\\"\"; D map[string]int \"conf:\\\"-\\\"\"}"
	if len(got) != 2 || got[0].String() != want || got[1].String() != "*"+want {
		t.Errorf("got %v, want %s and a pointer to it", got, want)
	}
}

// TestLibraryTypes checks that an interface which a module declares for types of the standard library
// gets values of these, and others a stub.
func TestLibraryTypes(t *testing.T) {
	dir := t.TempDir()
	const src = `package m

import (
	"bufio"
	"io"
)

type Sink interface {
	io.Writer
	Flush() error
}

type Other interface{ Measure(n int) int }

func Copy(to Sink, r *bufio.Reader, o Other) error { return to.Flush() }
`
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := NewBuilder(prog, prog.Packages[0], nil, nil).Graph()
	made := map[string][]string{}
	for _, op := range g.Table {
		for _, out := range op.Out {
			if types.IsInterface(out) {
				made[Key(out)] = append(made[Key(out)], op.Name)
			}
		}
	}
	if got := made["example.com/m.Sink"]; !slices.Contains(got, "NewWriterWriter") || len(got) != 2 {
		t.Errorf("Sink is made by %q", got)
	}
	if got := made["example.com/m.Other"]; len(got) != 1 || slices.Contains(got, "NewWriterWriter") {
		t.Errorf("Other is made by %q", got)
	}
}

// TestHanded checks that the methods of other packages' interfaces whose values the package hands out are
// targets, and those of what they return.
func TestHanded(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"rule/rule.go": `package rule

type Rule interface{ Find(s string) *Match }

type Match struct{ Parts []string }

func (m *Match) Apply() int { return len(m.Parts) }

type Engine struct{}

func (*Engine) Run() {}
`,
		"m.go": `package m

import (
	"hash"
	"sort"

	"example.com/m/rule"
)

func Hours() rule.Rule       { return nil }
func Engine() *rule.Engine   { return nil } // tested in its own package
func Sum() hash.Hash32       { return nil }
func Order() sort.Interface  { return nil } // its users keep conditions
func Check() (int, error)    { return 0, nil }
`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := NewBuilder(prog, prog.Package("example.com/m"), nil, nil).Graph()
	var got []string
	for _, i := range g.Targets {
		got = append(got, g.Table[i].Name)
	}
	slices.Sort(got)
	want := []string{"*Match.Apply", "Check", "Engine", "Hash32.BlockSize", "Hash32.Reset", "Hash32.Size",
		"Hash32.Sum", "Hash32.Sum32", "Hash32.Write", "Hours", "Order", "Rule.Find", "Sum"}
	if !slices.Equal(got, want) {
		t.Errorf("got targets %q, want %q", got, want)
	}
}
