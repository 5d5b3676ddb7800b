package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// testFunc is a test function in a file.
type testFunc struct {
	name string // import/path.TestName
	body int    // offset after the opening brace
}

// testFile is a file with test functions.
type testFile struct {
	name   string // relative to the module's root
	text   []byte
	clause int // offset after the package clause
	funcs  []testFunc
}

// markTests makes every test function of the packages report that it runs, by its index in
// Result.Tests. A test file that cannot be parsed is left as it is: the go command reports it
// better.
func markTests(prog *source.Program, packages []*source.Package, res *Result) {
	var files []testFile
	rel := func(name string) string { return relativeTo(prog, name) }
	for _, pkg := range packages {
		for _, name := range pkg.TestFiles {
			text, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			if strings.Contains(string(text), "_dsd_") {
				res.Skipped = append(res.Skipped,
					schemas.LeftOut{Name: rel(name), Reason: usesOurNames})
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
			t := testFile{name: rel(name), text: text, clause: offset(file.Name.End())}
			for _, d := range file.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || !isTest(fd) {
					continue
				}
				f := testFunc{pkg.Path + "." + fd.Name.Name, offset(fd.Body.Lbrace) + 1}
				t.funcs = append(t.funcs, f)
				res.Tests = append(res.Tests, f.name)
			}
			if len(t.funcs) > 0 {
				files = append(files, t)
			}
		}
	}
	slices.Sort(res.Tests)
	res.Tests = slices.Compact(res.Tests)
	for _, t := range files {
		var e overlay.Edits
		e.Insert(t.clause, fmt.Sprintf("; import %s %q", rtName, runtimePath(prog)))
		for _, f := range t.funcs {
			n, _ := slices.BinarySearch(res.Tests, f.name)
			e.Insert(f.body, fmt.Sprintf(" %s.Test(%d); ", rtName, n))
		}
		res.Files[t.name] = e.Apply(t.text)
	}
}

// isTest reports whether go test runs a function: a test, an example, or a fuzz test with its
// seeds.
func isTest(d *ast.FuncDecl) bool {
	if d.Recv != nil || d.Body == nil ||
		d.Type.TypeParams != nil || d.Type.Results.NumFields() > 0 {
		return false
	}
	for prefix, params := range map[string]int{"Test": 1, "Fuzz": 1, "Example": 0} {
		rest, ok := strings.CutPrefix(d.Name.Name, prefix)
		if ok && d.Type.Params.NumFields() == params && d.Name.Name != "TestMain" {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}
