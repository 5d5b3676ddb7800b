package fingerprint

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

var (
	editsOf = flag.String("edited", "../../check/testdata/panics,../../examples/parcel", "directories of modules, separated by commas")
	edits   = flag.Int("edits", 40, "random edits of each module")
)

// TestEdits edits modules at random: comments, lines, functions and statements are added, functions move, within a file
// and to other files, files are renamed, variables are renamed, functions are removed. The fingerprints of what is in
// statements that were not edited themselves stay the same, in at least 99 of 100 cases.
//
// Comments with numbers mark the expressions, so that they are found again.
func TestEdits(t *testing.T) {
	for _, dir := range strings.Split(*editsOf, ",") {
		m := readModule(t, dir)
		before := m.fingerprints(t)
		r := rand.New(rand.NewPCG(1, uint64(len(before))))
		kept, all := 0, 0
		byEdit := map[string]int{}
		for range *edits {
			e := m.edited(r)
			for marker, f := range e.module.fingerprints(t) {
				old, ok := before[marker]
				if !ok || old.text != f.text {
					continue // the statement itself was edited
				}
				all++
				if old.fingerprint == f.fingerprint {
					kept++
				} else {
					byEdit[e.name]++
				}
			}
		}
		t.Logf("%s: %d expressions, %d edits: %d of %d fingerprints kept (%.2f%%), lost by %v", filepath.Base(dir), len(before),
			*edits, kept, all, 100*float64(kept)/float64(all), byEdit)
		if all < 100 || float64(kept) < 0.99*float64(all) {
			t.Errorf("%s: only %d of %d fingerprints are kept", dir, kept, all)
		}
	}
}

// module is the text of files, by name.
type module map[string]string

// fingerprinted is the fingerprint of a marked expression, and the text of its statement.
type fingerprinted struct{ fingerprint, text string }

// readModule reads the Go files of a module, without its tests, and marks expressions in functions.
func readModule(t *testing.T, dir string) module {
	t.Helper()
	m := module{}
	n := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == "vendor") && path != dir {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		var at []int
		ast.Inspect(f, func(node ast.Node) bool {
			switch node.(type) {
			case *ast.IndexExpr, *ast.CallExpr, *ast.StarExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
				at = append(at, fset.Position(node.Pos()).Offset)
			}
			return true
		})
		slices.Sort(at)
		out := string(text)
		for _, offset := range slices.Backward(slices.Compact(at)) {
			out = fmt.Sprintf("%s /*@%d*/%s", out[:offset], n, out[offset:])
			n++
		}
		m[path] = out
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%s: %d expressions, %v", dir, n, err)
	}
	return m
}

var marker = regexp.MustCompile(`/\*@\d+\*/`)

// fingerprints returns those of the marked expressions, by marker.
func (m module) fingerprints(t *testing.T) map[string]fingerprinted {
	t.Helper()
	prog := &source.Program{Fset: token.NewFileSet()}
	packages := map[string]*source.Package{}
	for _, name := range m.names() {
		f, err := parser.ParseFile(prog.Fset, name, m[name], parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v\n%s", err, m[name])
		}
		dir := filepath.Dir(name)
		pkg := packages[dir]
		if pkg == nil {
			pkg = &source.Package{Path: "example.com/" + filepath.Base(dir)}
			packages[dir] = pkg
			prog.All = append(prog.All, pkg)
		}
		pkg.Files, pkg.Filenames = append(pkg.Files, f), append(pkg.Filenames, name)
		pkg.Sources = append(pkg.Sources, []byte(m[name]))
	}
	s := New(prog)
	out := map[string]fingerprinted{}
	for name, text := range m {
		line, start := 1, 0
		last := 0
		for _, span := range marker.FindAllStringIndex(text, -1) {
			for i := last; i < span[1]; i++ {
				if text[i] == '\n' {
					line, start = line+1, i+1
				}
			}
			last = span[1]
			pos := fmt.Sprintf("%s:%d:%d", filepath.ToSlash(name), line, span[1]-start+1)
			f := fingerprinted{fingerprint: s.Of(schemas.Index, "example.com/m.F", pos)}
			f.text = s.textAt(pos)
			out[text[span[0]:span[1]]] = f
		}
	}
	return out
}

// edit is a module after an edit, and what was done.
type edit struct {
	module module
	name   string
}

// names returns the names of the files, sorted.
func (m module) names() []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// edited returns the module after a random edit.
func (m module) edited(r *rand.Rand) edit {
	out := module{}
	for name, text := range m {
		out[name] = text
	}
	names := m.names()
	name := names[r.IntN(len(names))]
	text := m[name]
	decls := functions(text)
	if len(decls) < 2 {
		out[name] = "// A comment.\n" + text
		return edit{out, "comment"}
	}
	i, j := r.IntN(len(decls)), r.IntN(len(decls))
	a, b := decls[min(i, j)], decls[max(i, j)]
	switch r.IntN(9) {
	case 0:
		out[name] = text[:a.from] + "\n\n// A comment.\n\n\n" + text[a.from:]
		return edit{out, "comment"}
	case 1:
		out[name] = text[:a.from] + "func added(list []int) int {\n\treturn list[0]\n}\n\n" + text[a.from:]
		return edit{out, "function added"}
	case 2:
		delete(out, name)
		out[strings.TrimSuffix(name, ".go")+"_renamed.go"] = text
		return edit{out, "file renamed"}
	case 3: // the functions change places
		if a != b {
			out[name] = text[:a.from] + text[b.from:b.to] + text[a.to:b.from] + text[a.from:a.to] + text[b.to:]
		}
		return edit{out, "functions exchanged"}
	case 4: // to another file of the package, or a new one
		other := filepath.Join(filepath.Dir(name), "zz_moved.go")
		pkg := regexp.MustCompile(`(?m)^package \w+`).FindString(text)
		out[other] = pkg + "\n\n" + text[a.from:a.to] + "\n"
		out[name] = text[:a.from] + text[a.to:]
		return edit{out, "function moved"}
	case 5: // a statement at the beginning of a block
		out[name] = text[:a.body] + "\n\tprintln(\"added\")\n" + text[a.body:]
		return edit{out, "statement added"}
	case 6: // a variable of the function has another name
		if ids := regexp.MustCompile(`\b([a-z]\w*) :?= `).FindStringSubmatch(text[a.body:a.to]); ids != nil {
			body := regexp.MustCompile(`\b`+ids[1]+`\b`).ReplaceAllString(text[a.body:a.to], ids[1]+"2")
			out[name] = text[:a.body] + body + text[a.to:]
		}
		return edit{out, "variable renamed"}
	case 7:
		out[name] = text[:a.from] + text[a.to:]
		return edit{out, "function removed"}
	default: // arguments on lines of their own
		body := strings.ReplaceAll(text[a.body:a.to], ", ", ",\n\t\t")
		if _, err := parser.ParseFile(token.NewFileSet(), "", text[:a.body]+body+text[a.to:], 0); err == nil {
			out[name] = text[:a.body] + body + text[a.to:]
		}
		return edit{out, "lines broken"}
	}
}

// span is where a function is in a text, without its comment, and where its body begins.
type span struct{ from, body, to int }

// functions returns the functions of a file that have a body.
func functions(text string) (out []span) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
			out = append(out, span{fset.Position(fd.Pos()).Offset, fset.Position(fd.Body.Lbrace).Offset + 1,
				fset.Position(fd.End()).Offset})
		}
	}
	return out
}

// textAt returns the text of the statement at a position.
func (s *Sites) textAt(pos string) string {
	at := symbol.ParsePos(pos)
	decl, _, f := s.around(at)
	if decl == nil {
		return ""
	}
	st, _ := s.statement(decl, f, at)
	if st == nil {
		return ""
	}
	return st.text
}
