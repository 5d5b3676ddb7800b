package schemas_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"dsd/internal/expr"
	"dsd/schemas"
)

// The package comment names every form and function of EXPRESSIONS.md.
func TestDocNamesFunctions(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("EXPRESSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	functions := regexp.MustCompile("(?m)^\\| `([a-zA-Z.]+)\\(").FindAllSubmatch(page, -1)
	if len(functions) == 0 {
		t.Fatal("EXPRESSIONS.md has no table of functions")
	}
	words := strings.FieldsFunc(string(doc),
		func(r rune) bool { return strings.ContainsRune(" ,;\n/", r) })
	named := map[string]bool{}
	for _, w := range words {
		named[strings.TrimSuffix(w, ".")] = true
	}
	for _, f := range functions {
		if !named[string(f[1])] {
			t.Errorf("doc.go does not name %s", f[1])
		}
	}
}

// Every template has an example in templates.go that is an expression in canonical form.
func TestTemplateExamples(t *testing.T) {
	source, err := os.ReadFile("templates.go")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]string{}
	example := regexp.MustCompile(`(?m)^\t"([a-z0-9-]+)", +// (.*)$`)
	for _, m := range example.FindAllStringSubmatch(string(source), -1) {
		examples[m[1]] = m[2]
	}
	for _, template := range schemas.Templates {
		text := strings.TrimSuffix(examples[template], ", of everything observed")
		e, err := expr.Parse(text)
		if err != nil {
			t.Errorf("%s: the example %q: %v", template, text, err)
		} else if got := e.String(); got != text {
			t.Errorf("%s: the example %q should be %q", template, text, got)
		}
	}
}
