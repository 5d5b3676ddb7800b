package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dsd/crash/compose"
	"dsd/internal/source"
	"dsd/schemas"
)

// graphSource is a file for the runtime with a function that returns values as a recording has
// them.
const graphSource = `package keep

import (
	"encoding/json"
	"reflect"
)

// Graph is the graph of values.
func Graph(args ...any) string {
	g := newGraph()
	var roots []reflect.Value
	for _, a := range args {
		v := addressable(reflect.ValueOf(a))
		roots = append(roots, v)
		g.explore(v)
	}
	g.nest()
	var out struct {
		Params  []Input ` + "`json:\"params\"`" + `
		Objects []Node  ` + "`json:\"objects\"`" + `
	}
	for _, v := range roots {
		out.Params = append(out.Params, Input{"p", g.node(v)})
	}
	out.Objects = g.objects
	text, err := json.Marshal(&out)
	if err != nil {
		panic(err)
	}
	return string(text)
}
`

// TestRoundTrip checks that random values, taken as a recording has them, written as tests and run,
// have the same graph again, with the same aliasing. The environment variable DSD_ROUNDTRIP sets
// the number of values, 300 by default.
func TestRoundTrip(t *testing.T) {
	count := 300
	if n, err := strconv.Atoi(os.Getenv("DSD_ROUNDTRIP")); err == nil {
		count = n
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "roundtrip"))); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, err := keepFiles.ReadDir("keep")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := keepFiles.ReadFile("keep/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		write("zz_dsd_keep/"+f.Name(), string(text))
	}
	write("zz_dsd_keep/graph_test_only.go", graphSource)
	write("known.go", `package roundtrip

import keep "roundtrip/zz_dsd_keep"

func init() {
	keep.Var("roundtrip.Shared", &Shared)
	keep.Sentinel("roundtrip.ErrKnown", &ErrKnown)
}
`)
	ctx := context.Background()
	goRun := func(env string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Environ(), env)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go %s: %v\n%.3000s%.3000s",
				strings.Join(args, " "), err, out, errs.String())
		}
		return string(out)
	}
	text := goRun("X=1", "run", "./cmd/gen", strconv.Itoa(count), "1")
	generated := strings.Split(strings.TrimSpace(text), "\n")
	prog, err := source.Load(ctx, dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	funcs := map[string]*source.Func{}
	for _, f := range prog.Packages[0].Funcs() {
		funcs[f.Obj.Name()] = f
	}

	const chunk = 2500 // number of tests that are compiled at a time
	loaded := 0
	for from := 0; from < len(generated); from += chunk {
		want := map[string]string{}
		taken := filepath.Join(dir, "taken.txt")
		os.Remove(taken)
		old, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
		for _, name := range old {
			os.Remove(name)
		}
		for i, line := range generated[from:min(from+chunk, len(generated))] {
			fn, text, _ := strings.Cut(line, " ")
			var call schemas.Counterexample
			if err := json.Unmarshal([]byte(text), &call); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("TestValue%05d", from+i)
			file := fmt.Sprintf("value%05d_test.go", from+i)
			doc := name + " passes a value."
			c, err := compose.Recorded(prog, funcs[fn], &call, name, file, doc)
			var refused *compose.Error
			if errors.As(err, &refused) {
				loaded++
				c, err = compose.Loaded(prog, funcs[fn], &call, name, file, doc)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, line)
			}
			write(file, c.Source)
			for _, f := range c.Files {
				write(f.File, f.Content)
			}
			want[name] = text
		}
		goRun("TAKEN="+taken, "test", "-vet=off", "-count=1", ".")
		text, err := os.ReadFile(taken)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			name, text, _ := strings.Cut(line, " ")
			got[name] = text
		}
		bad := 0
		for name, w := range want {
			if g := got[name]; canonical(t, g) != canonical(t, w) {
				if bad++; bad > 3 {
					continue
				}
				file := "value" + strings.TrimPrefix(name, "TestValue") + "_test.go"
				src, _ := os.ReadFile(filepath.Join(dir, file))
				t.Errorf("%s\n%s\ngot  %s\nwant %s",
					name, src, canonical(t, g), canonical(t, w))
			}
		}
		if bad > 0 {
			t.Errorf("%d of %d differ", bad, len(want))
		}
	}
	if loaded == 0 || loaded > count/2 {
		t.Errorf("%d of %d values are loaded, want some, but at most half", loaded, count)
	}
}

// canonical returns a graph without the spare capacity of slices that share their array with no
// other, which deep equality does not see.
func canonical(t *testing.T, text string) string {
	t.Helper()
	var call schemas.Counterexample
	if err := json.Unmarshal([]byte(text), &call); err != nil {
		return "no JSON: " + text
	}
	refs := make([]int, len(call.Objects))
	call.Walk(func(n *schemas.Node) {
		if n.Ref != nil {
			refs[*n.Ref]++
		}
	})
	call.Walk(func(n *schemas.Node) {
		if n.Ref == nil || n.Len == nil || n.Path != "" || refs[*n.Ref] != 1 {
			return
		}
		o := &call.Objects[*n.Ref]
		if s, err := strconv.Unquote(o.Lit); err == nil && int64(len(s)) > n.Offset+*n.Len {
			o.Lit = strconv.Quote(s[n.Offset : n.Offset+*n.Len])
		}
		var elems []schemas.Elem
		for _, e := range o.Elems {
			if e.Index -= n.Offset; e.Index >= 0 && e.Index < *n.Len {
				elems = append(elems, e)
			}
		}
		o.Elems, o.Type, n.Cap, n.Offset = elems, "", nil, 0
	})
	out, err := json.Marshal(&call)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
