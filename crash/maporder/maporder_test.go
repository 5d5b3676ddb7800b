package maporder

import (
	"context"
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// program prints what its loops do. Each loop is correct in any order.
const program = `package main

import (
	"fmt"
	"math"
)

type key struct {
	name string
	n    [2]int
}

type counts map[key]int

func main() {
	m := map[string]int{}
	for i := 0; i < 20; i++ {
		m[fmt.Sprint("k", i%10, i/10)] = i
	}
	for k, v := range m { fmt.Print(k, v, " ") }
	fmt.Println()
	for k := range m {
		k := k[:2]
		fmt.Print(k)
		if k == "k3" { break }
	}
	fmt.Println()
	for _, v := range (counts{{"b", [2]int{1, 2}}: 1, {"a", [2]int{2, 1}}: 2, {"a", [2]int{1, 9}}: 3}) {
		fmt.Print(v)
	}
	fmt.Println()

	// A loop does not see what it deleted.
	for k := range m {
		for other := range m {
			if other != k { delete(m, other) }
		}
		fmt.Println("once", k)
	}

outer:
	for a := range map[float64]bool{2.5: true, -1: true, 0: false} {
		for b, ok := range map[interface{}]bool{true: true, 3: true, "x": false, nil: true, 1: true} {
			if a == 0 { continue outer }
			fmt.Print(a, b, ok, " ")
		}
	}
	fmt.Println()
	for k, v := range map[float64]string{math.NaN(): "nan"} { fmt.Println(k, v) }
	for range m { fmt.Println(len(m)) }
	var nothing map[rune]error
	for k, err := range nothing { panic(fmt.Sprint(k, err)) }
	var k string
	for k = range m { fmt.Println(k) }
	var shared []*int
	for _, v := range map[int]int{1: 1} { shared = append(shared, &v) }
	fmt.Println(*shared[0])
}
`

const output = `k0 00 k0 110 k1 01 k1 111 k2 02 k2 112 k3 03 k3 113 k4 04 k4 114 k5 05 k5 115 k6 06 k6 116 k7 07 k7 117 k8 08 k8 118 k9 09 k9 119 
k0k0k1k1k2k2k3
321
once k0 0
-1 <nil> true -1 true true -1 1 true -1 3 true -1xfalse 2.5 <nil> true 2.5 true true 2.5 1 true 2.5 3 true 2.5xfalse 
NaN nan
1
k0 0
1
`

// TestRanges runs the program with its loops rewritten, in modules of an old and of a new version.
func TestRanges(t *testing.T) {
	for _, goVersion := range []string{"1.12", "1.22"} {
		dir := t.TempDir()
		write := func(name string, text []byte) {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write("go.mod", []byte("module m\n\ngo "+goVersion+"\n"))
		write("main.go", []byte(program))
		prog, err := source.Load(context.Background(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		pkg := prog.Packages[0]
		var e overlay.Edits
		for _, d := range pkg.Files[0].Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && !Ranges(&e, prog, pkg, 0, fd.Body) {
				t.Errorf("%s: no loop is rewritten", goVersion)
			}
		}
		Import(&e, prog, pkg.Files[0])
		write("main.go", e.Apply([]byte(program)))
		for name, text := range Files(prog) {
			write(name, text)
		}
		cmd := exec.Command("go", "run", "-gcflags=m/...="+LanguageFlag(prog), ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != output {
			t.Errorf("%s: %v, got\n%s", goVersion, err, out)
		}
	}
}
