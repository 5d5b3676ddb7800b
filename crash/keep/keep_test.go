package keep

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

const text = `package shop

type Cart struct{ Items []int }

type Stack struct{ items []int }

type Rule interface{ Apply(n int) int }

func New() *Cart { return &Cart{} }

func (c *Cart) Price(i int) int { return c.Items[i] }

func (s *Stack) Pop() int { return s.items[len(s.items)-1] }

func Use(r Rule, n int) int { return 10 / r.Apply(n) }

func Deep(n int) int { return Deep(n + 1) }

func Run(t int) int { return 1 / t }
`

// generated returns a crash with a generated test.
func generated(fn, name string, k schemas.Kind, source string, by schemas.BuiltBy) *schemas.Crash {
	return &schemas.Crash{
		ID: "C1", Fingerprint: "0123456789abcdef", Kind: k, Func: "example.com/go-shop/v2." + fn, BuiltBy: by,
		Message: "runtime error: it is so",
		Test:    schemas.Test{Package: "example.com/go-shop/v2", File: "crash_test.go", Name: name, Source: source},
	}
}

var crashes = []struct {
	name  string
	crash *schemas.Crash
	want  string
}{
	{"exported names", generated("(*Cart).Price", "TestCrashCartPriceIndex", schemas.Index,
		"package shop\n\nimport \"testing\"\n\n// TestCrashCartPriceIndex panics at shop.go:11.\nfunc TestCrashCartPriceIndex(*testing.T) {\n\tc := New()\n\tc2 := &Cart{Items: []int{1}}\n\tc2.Price(0)\n\tc.Price(1)\n}\n", schemas.BySequence),
		`package shop_test

import (
	"testing"

	shop "example.com/go-shop/v2"
)

// TestCartPriceIndexOutOfRange: (*Cart).Price panicked: it is so.
func TestCartPriceIndexOutOfRange(t *testing.T) {
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%v", p)
		}
	}()

	c := shop.New()
	c2 := &shop.Cart{Items: []int{1}}
	c2.Price(0)
	_ = c.Price(1)
}
`},
	{"names of other packages", generated("Use", "TestCrashOther", schemas.Index,
		"package shop\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestCrashOther(*testing.T) {\n\tr := (*strings.Reader)(nil)\n\tr.Reset(\"\")\n}\n", schemas.BySequence),
		`package shop_test

import (
	"strings"
	"testing"
)

// TestUseIndexOutOfRange: Use panicked: it is so.
func TestUseIndexOutOfRange(t *testing.T) {
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%v", p)
		}
	}()

	r := (*strings.Reader)(nil)
	r.Reset("")
}
`},
	{"unexported fields", generated("(*Stack).Pop", "TestCrashStackPopIndex", schemas.Index,
		"package shop\n\nimport \"testing\"\n\nfunc TestCrashStackPopIndex(*testing.T) {\n\ts := &Stack{items: nil}\n\ts.Pop()\n}\n", schemas.ByLiteral),
		`package shop

import "testing"

// TestStackPopIndexOutOfRange: (*Stack).Pop panicked: it is so.
func TestStackPopIndexOutOfRange(t *testing.T) {
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%v", p)
		}
	}()

	s := &Stack{items: nil}
	_ = s.Pop()
}
`},
	{"a type, and a variable t", generated("Use", "TestCrashUseDivZero_2", schemas.DivZero,
		"package shop\n\nimport \"testing\"\n\n// TestCrashUseDivZero_2 panics.\nfunc TestCrashUseDivZero_2(*testing.T) {\n\tt := crashUseDivZero_2Stub{}\n\tUse(t, 1)\n}\n\n// crashUseDivZero_2Stub returns zero values.\ntype crashUseDivZero_2Stub struct{}\n\nfunc (crashUseDivZero_2Stub) Apply(int) (_ int) { return }\n", schemas.BySequence),
		`package shop_test

import (
	"testing"

	shop "example.com/go-shop/v2"
)

// TestUseIntegerDivisionByZero: Use panicked: it is so.
func TestUseIntegerDivisionByZero(test *testing.T) {
	defer func() {
		if p := recover(); p != nil {
			test.Fatalf("%v", p)
		}
	}()

	t := useIntegerDivisionByZeroStub{}
	_ = shop.Use(t, 1)
}

// useIntegerDivisionByZeroStub returns zero values.
type useIntegerDivisionByZeroStub struct{}

func (useIntegerDivisionByZeroStub) Apply(int) (_ int) { return }
`},
	{"a name that is taken", generated("Run", "TestCrashRunDivZero", schemas.DivZero,
		"package shop\n\nimport \"testing\"\n\nfunc TestCrashRunDivZero(*testing.T) {\n\tRun(0)\n}\n", schemas.BySequence), ""},
}

// TestTest: what tests become. They fail in the module with the panic, and go vet finds nothing in them.
func TestTest(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/go-shop/v2\n\ngo 1.24\n", "shop.go": text,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestRunIntegerDivisionByZero(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range crashes {
		got, err := Test(prog, tt.crash)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if tt.want != "" && got.Source != tt.want {
			t.Errorf("%s: got\n%s", tt.name, got.Source)
		}
		if err := os.WriteFile(filepath.Join(dir, got.File), []byte(got.Source), 0o666); err != nil {
			t.Fatal(err)
		}
		out := run(dir, "go", "test", "-run", "^"+got.Name+"$", ".")
		if !strings.Contains(out, "--- FAIL: "+got.Name+" ") || !strings.Contains(out, "runtime error: i") || strings.Contains(out, "goroutine ") {
			t.Errorf("%s does not fail with the panic:\n%s", tt.name, out)
		}
	}
	if out := run(dir, "go", "vet", "./..."); strings.Contains(out, ".go:") {
		t.Errorf("go vet:\n%s", out)
	}
	if out := run(dir, "ls"); !strings.Contains(out, "run_integer_division_by_zero_0123_test.go") {
		t.Errorf("files %s", out)
	}
	deep := generated("Deep", "TestCrashDeep", schemas.StackOverflow,
		"package shop\n\nimport \"testing\"\n\nfunc TestCrashDeep(*testing.T) {\n\tDeep(0)\n}\n", schemas.BySequence)
	if got, err := Test(prog, deep); err != nil || strings.Contains(got.Source, "recover()") || !strings.Contains(got.Source, "ends the other tests") {
		t.Errorf("of an endless recursion: %v\n%v", err, got)
	}
	deep.Test.Package = "example.com/none"
	if _, err := Test(prog, deep); err == nil {
		t.Error("no error without the package")
	}
	deep.Test.Package, deep.Test.Name = "example.com/go-shop/v2", "TestOther"
	if _, err := Test(prog, deep); err == nil {
		t.Error("no error without the function")
	}
}

func run(dir string, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	return string(out)
}
