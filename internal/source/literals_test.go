package source

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLiterals compares the names of literals with those that a program prints which is compiled
// without inlining.
func TestLiterals(t *testing.T) {
	prog, err := Load(context.Background(), "testdata/literals", nil)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-gcflags=-l", ".")
	cmd.Dir = "testdata/literals"
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var want []string
	for _, line := range strings.Split(string(out), "\n") {
		if name, ok := strings.CutPrefix(line, "ALONE main."); ok {
			want = append(want, name)
		}
	}
	var got []string
	literals, _ := prog.Packages[0].Literals()
	for _, f := range literals {
		name, ok := strings.CutPrefix(f.Name, "example.com/literals%2ev1.")
		if !ok || f.Name != FuncName(f.Obj) {
			t.Errorf("the name of %s is %s", FuncName(f.Obj), f.Name)
		}
		got = append(got, name)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
