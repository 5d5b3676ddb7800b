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

// graphSource lets the values of a program be told as a recording has them.
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

// TestRoundTrip: random values, told as a recording has them, written as tests and run, lead to the
// same graph, with the same aliasing. DSD_ROUNDTRIP is how many values, 300 without it.
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
	write("known.go", "package roundtrip\n\nimport keep \"roundtrip/zz_dsd_keep\"\n\nfunc init() {\n\tkeep.Var(\"roundtrip.Shared\", &Shared)\n\tkeep.Sentinel(\"roundtrip.ErrKnown\", &ErrKnown)\n}\n")
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
			t.Fatalf("go %s: %v\n%.3000s%.3000s", strings.Join(args, " "), err, out, errs.String())
		}
		return string(out)
	}
	generated := strings.Split(strings.TrimSpace(goRun("X=1", "run", "./cmd/gen", strconv.Itoa(count), "1")), "\n")
	prog, err := source.Load(ctx, dir, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	funcs := map[string]*source.Func{}
	for _, f := range prog.Packages[0].Funcs() {
		funcs[f.Obj.Name()] = f
	}

	const chunk = 2500 // as many as are compiled at a time
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
			c, err := compose.Recorded(prog, funcs[fn], &call, name, file, name+" passes a value.")
			var refused *compose.Error
			if errors.As(err, &refused) {
				loaded++
				c, err = compose.Loaded(prog, funcs[fn], &call, name, file, name+" passes a value.")
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
				src, _ := os.ReadFile(filepath.Join(dir, "value"+strings.TrimPrefix(name, "TestValue")+"_test.go"))
				t.Errorf("%s\n%s\ngot  %s\nwant %s", name, src, canonical(t, g), canonical(t, w))
			}
		}
		if bad > 0 {
			t.Errorf("%d of %d differ", bad, len(want))
		}
	}
	if loaded == 0 || loaded > count/2 {
		t.Errorf("%d of %d values are loaded", loaded, count)
	}
}

// canonical is a graph without the capacity of slices that share their array with no other, which
// deep equality does not see.
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
