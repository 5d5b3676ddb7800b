package e2e_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// References of the documentation to files: code spans and links. A code span may name a
// declaration after the file, as in `infer/trace.go:Trace` or `infer/trace.go:tracer.run`.
var (
	codeSpan = regexp.MustCompile("`([\\w./*-]+?)(?::([\\w.]+))?`")
	link     = regexp.MustCompile(`\]\(([^)#]+)(?:#[^)]*)?\)`)
)

// TestDocs checks that every path that the documentation mentions exists, and that every
// declaration that it names is declared there. A code span is taken for a path if its first element
// is a folder of this repository or it ends in .md or .sh.
func TestDocs(t *testing.T) {
	files, err := filepath.Glob("../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in docs: %v", err)
	}
	files = append(files, "../CONTRIBUTING.md", "../README.md", "../CHANGELOG.md",
		"../infer/DAIKON.md", "../schemas/EXPRESSIONS.md")
	folders := map[string]bool{}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		folders[e.Name()] = e.IsDir()
	}
	checked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if target := m[1]; !strings.Contains(target, "://") {
				checkPath(t, file, filepath.Join(filepath.Dir(file), target), "")
				checked++
			}
		}
		for _, m := range codeSpan.FindAllStringSubmatch(string(text), -1) {
			path, name := m[1], m[2]
			first, rest, _ := strings.Cut(path, "/")
			if rest != "" && folders[first] || rest == "" && (name != "" && strings.HasSuffix(path, ".go")) {
				checkPath(t, file, filepath.Join("..", path), name)
				checked++
			}
		}
	}
	if checked < 100 {
		t.Errorf("found only %d references in %v", checked, files)
	}
}

// checkPath reports a reference to a path, which may be a pattern, that does not exist, or to a Go
// file without a declaration of the given name.
func checkPath(t *testing.T, doc, path, name string) {
	t.Helper()
	found, err := filepath.Glob(path)
	if err != nil || len(found) == 0 {
		t.Errorf("%s mentions %s, which does not exist", doc, path)
		return
	}
	if name == "" {
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("%s mentions %s: %v", doc, path, err)
		return
	}
	if !declares(f, name) {
		t.Errorf("%s mentions %s in %s, which does not declare it", doc, name, path)
	}
}

// declares reports whether a file declares a name: a function, type, variable or constant, or a
// method as Type.Method.
func declares(f *ast.File, name string) bool {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			declared := d.Name.Name
			if d.Recv != nil {
				declared = receiver(d.Recv.List[0].Type) + "." + declared
			}
			if declared == name {
				return true
			}

		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name.Name == name {
						return true
					}
				case *ast.ValueSpec:
					for _, id := range s.Names {
						if id.Name == name {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// receiver returns the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
