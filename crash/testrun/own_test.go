package testrun

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRunOwn: which of a package's own tests fail, with and without a change of the package, in a copy of its
// directory; and what becomes of packages without tests, and of tests that do not build or end.
func TestRunOwn(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module example.com/m\n\ngo 1.24\n",
		"none/a.go":           "package none\n",
		"some/a.go":           "package some\n\nfunc Two() int { return 2 }\n",
		"some/testdata/d.txt": "data",
		"some/a_test.go": `package some

import (
	"os"
	"testing"
)

func TestTwo(t *testing.T) {
	if Two() != 2 {
		t.Error()
	}
}

func TestFails(t *testing.T) { t.Error() }

func TestData(t *testing.T) {
	if _, err := os.ReadFile("testdata/d.txt"); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile("made", nil, 0o666); err != nil {
		t.Error(err)
	}
}
`,
		"bad/a.go":       "package bad\n",
		"bad/a_test.go":  "package bad\n\nvar x int = \"\"\n",
		"exit/a.go":      "package exit\n",
		"exit/a_test.go": "package exit\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { os.Exit(3) }\n",
		"slow/a.go":      "package slow\n",
		"slow/a_test.go": "package slow\n\nimport \"testing\"\n\nfunc TestSlow(*testing.T) { select {} }\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	change := map[string][]byte{"some/a.go": []byte("package some\n\nfunc Two() int { return 3 }\n")}
	for _, tt := range []struct {
		pkg    string
		change map[string][]byte
		failed []string
		err    string
	}{
		{"none", nil, nil, ""},
		{"some", nil, []string{"TestFails"}, ""},
		{"some", change, []string{"TestFails", "TestTwo"}, ""},
		{"bad", nil, nil, "do not build"},
		{"exit", nil, nil, "did not end: exit status 3"},
		{"slow", nil, nil, "did not end"},
	} {
		failed, err := RunOwn(context.Background(), dir, "example.com/m/"+tt.pkg, tt.pkg,
			Options{Timeout: 2 * time.Second, Overlay: tt.change})
		slices.Sort(failed)
		switch {
		case !slices.Equal(failed, tt.failed):
			t.Errorf("%s: %v fail, want %v", tt.pkg, failed, tt.failed)
		case err == nil && tt.err != "", err != nil && (tt.err == "" || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%s: %v, want %q", tt.pkg, err, tt.err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "some/made")); err == nil {
		t.Error("a test wrote to the module")
	}
}
