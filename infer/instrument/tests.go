package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
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
	body int    // offset behind its opening brace
}

// testFile is one that holds test functions.
type testFile struct {
	name   string // relative to the module's root
	text   []byte
	clause int // offset behind the package clause
	funcs  []testFunc
}

// markTests lets every test function of the packages say that it runs, by its number in Result.Tests. A test file that cannot be read is left as it
// is: the go command will say more of it.
func markTests(prog *source.Program, res *Result) {
	var files []testFile
	rel := func(name string) string { return (&rewriter{prog: prog}).rel(name) }
	for _, pkg := range prog.Packages {
		for _, name := range pkg.TestFiles {
			text, err := os.ReadFile(name)
			if err != nil {
				continue
			}
			if strings.Contains(string(text), "_dsd_") {
				res.Skipped = append(res.Skipped, schemas.LeftOut{Name: rel(name), Reason: "the file uses names that begin with _dsd_"})
				continue
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			t := testFile{name: rel(name), text: text, clause: fset.PositionFor(file.Name.End(), false).Offset}
			for _, d := range file.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && isTest(fd) {
					t.funcs = append(t.funcs, testFunc{pkg.Path + "." + fd.Name.Name, fset.PositionFor(fd.Body.Lbrace, false).Offset + 1})
					res.Tests = append(res.Tests, pkg.Path+"."+fd.Name.Name)
				}
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
		e.Insert(t.clause, fmt.Sprintf("; import %s %q", rtName, path.Join(prog.Module, RuntimeDir)))
		for _, f := range t.funcs {
			n, _ := slices.BinarySearch(res.Tests, f.name)
			e.Insert(f.body, fmt.Sprintf(" %s.Test(%d); ", rtName, n))
		}
		res.Files[t.name] = e.Apply(t.text)
	}
}

// isTest says that go test runs a function: a test, an example or a fuzz test with its seeds.
func isTest(d *ast.FuncDecl) bool {
	if d.Recv != nil || d.Body == nil || d.Type.TypeParams != nil || d.Type.Results.NumFields() > 0 {
		return false
	}
	for prefix, params := range map[string]int{"Test": 1, "Fuzz": 1, "Example": 0} {
		if rest, ok := strings.CutPrefix(d.Name.Name, prefix); ok && d.Type.Params.NumFields() == params && d.Name.Name != "TestMain" {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}
