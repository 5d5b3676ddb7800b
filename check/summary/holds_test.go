package summary

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/internal/expr"
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// TestSummariesHold calls the functions that have summaries with random arguments, and tests that
// their results are as the summaries say.
func TestSummariesHold(t *testing.T) {
	doc := read(t)
	byPackage := map[string][]string{}
	for name := range doc.Functions {
		path := symbol.Parse(name).Package
		byPackage[path] = append(byPackage[path], name)
	}
	paths := slices.Sorted(maps.Keys(byPackage))
	dir := t.TempDir()
	module(t, dir, map[string]string{"m.go": "package main\n\nimport (\n\t_ \"" +
		strings.Join(paths, "\"\n\t_ \"") + "\"\n)\n\nfunc main() {}\n"})
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var imports, cases strings.Builder
	for _, path := range paths {
		pkg, err := prog.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		g := &caller{pkg: pkg, alias: "p_" + strings.NewReplacer("/", "_").Replace(path)}
		slices.Sort(byPackage[path])
		for _, name := range byPackage[path] {
			if text := g.test(name, doc.Functions[name]); text != "" {
				cases.WriteString(text)
			}
		}
		if g.used {
			fmt.Fprintf(&imports, "\t%s %q\n", g.alias, path)
		}
	}
	program, err := os.ReadFile(filepath.Join("testdata", "draw.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	module(t, dir, map[string]string{"m.go": string(program),
		"cases.go": "package main\n\nimport (\n" + imports.String() + ")\n\n" +
			"var cases = []struct {\n\tname string\n\tcall any\n}{\n" + cases.String() + "}\n",
	})
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Log(strings.TrimSpace(string(out)))
}

// module writes a module.
func module(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	files["go.mod"] = "module example.com/m\n\ngo 1.24\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// caller writes functions that call those of a package and test their results.
type caller struct {
	pkg   *types.Package
	alias string // under which it is imported
	used  bool
}

// test returns a case: the name of a function, and a function of its parameters that returns the
// first condition that its results do not satisfy. It is "" if the version of Go at hand has no such
// function, or a type cannot be named.
func (g *caller) test(name string, conditions []string) string {
	f := g.lookup(symbol.Parse(name))
	if f == nil {
		return ""
	}
	sig := f.Type().(*types.Signature)
	var params, args []string
	nameable := true
	typeText := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string {
			if p != g.pkg {
				nameable = false
			}
			return g.alias
		})
	}
	callee := g.alias + "." + f.Name()
	if r := sig.Recv(); r != nil {
		name := r.Name()
		if name == "" || name == "_" {
			name = "recv_"
		}
		params = append(params, name+" "+typeText(r.Type()))
		callee = name + "." + f.Name()
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		name := p.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("arg%d_", i)
		}
		params = append(params, name+" "+typeText(p.Type()))
		args = append(args, name)
	}
	if sig.Variadic() {
		args[len(args)-1] += "..."
	}
	var results []string
	for i := range sig.Results().Len() {
		results = append(results, resultName(sig.Results(), i))
		if sig.Results().At(i).Name() == "_" {
			nameable = false
		}
	}
	if !nameable {
		return ""
	}
	g.used = true
	var body strings.Builder
	fmt.Fprintf(&body, "%s := %s(%s); ", strings.Join(results, ", "), callee, strings.Join(args, ", "))
	for _, r := range results {
		fmt.Fprintf(&body, "_ = %s; ", r)
	}
	for _, c := range conditions {
		fmt.Fprintf(&body, "if !(%s) { return %q }; ", goText(c), c)
	}
	return fmt.Sprintf("\t{%q, func(%s) string { %sreturn \"\" }},\n", name, strings.Join(params, ", "),
		body.String())
}

// lookup returns the function or method of that name; nil if there is none, or it is in a file of
// another platform.
func (g *caller) lookup(n symbol.Name) *types.Func {
	obj := g.pkg.Scope().Lookup(n.Func)
	if n.Receiver != "" {
		tn, ok := g.pkg.Scope().Lookup(n.Receiver).(*types.TypeName)
		if !ok {
			return nil
		}
		obj, _, _ = types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, g.pkg, n.Func)
	}
	f, _ := obj.(*types.Func)
	if f == nil || !ast.IsExported(f.Name()) {
		return nil
	}
	return f
}

// goText writes a condition as a Go expression.
func goText(condition string) string {
	e, err := expr.Parse(condition)
	if err != nil {
		return condition
	}
	if i, ok := e.(*expr.Implies); ok {
		return fmt.Sprintf("!(%s) || %s", i.If, i.Then)
	}
	return condition
}
