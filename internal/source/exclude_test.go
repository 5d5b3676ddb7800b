package source

import (
	"fmt"
	"path/filepath"
	"testing"
)

func TestExclude(t *testing.T) {
	for _, tt := range []struct {
		patterns []string
		want     string
	}{
		{nil, "[. a a/b ab]"},
		{[]string{"a"}, "[. a/b ab]"},
		{[]string{"./a/..."}, "[. ab]"},
		{[]string{"a/b", "ab"}, "[. a]"},
		{[]string{"."}, "[a a/b ab]"},
		{[]string{"none"}, "[. a a/b ab]"},
	} {
		p := &Program{Dir: "/m"}
		for _, dir := range []string{".", "a", "a/b", "ab"} {
			p.Packages = append(p.Packages, &Package{Dir: filepath.Join("/m", dir)})
		}
		if err := p.Exclude(tt.patterns); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, pkg := range p.Packages {
			got = append(got, p.Rel(pkg.Dir))
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%v: %v, want %s", tt.patterns, got, tt.want)
		}
	}
	for _, bad := range []string{"", "/abs", "../up", "a//b", "./...", "a/.../b"} {
		if err := new(Program).Exclude([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
