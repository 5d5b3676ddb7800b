package expr

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestPage holds the page of the grammar and the table of functions together.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../schemas/EXPRESSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "## Functions\n")
	if !ok {
		t.Fatal("the page has no section on functions")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	row := regexp.MustCompile("(?m)^\\| `([\\w.]+)\\(([^)]*)\\)` \\| (.*) \\|$")
	rows := row.FindAllStringSubmatch(section, -1)
	if len(rows) != len(Functions) {
		t.Fatalf("the page has %d functions, want %d", len(rows), len(Functions))
	}
	for i, f := range Functions {
		name, args, doc := rows[i][1], len(strings.Split(rows[i][2], ",")), rows[i][3]
		if name != f.Name || args != f.Args || doc != f.Doc {
			t.Errorf("the page has %s of %d arguments, %q; want %s of %d, %q",
				name, args, doc, f.Name, f.Args, f.Doc)
		}
	}
}
