package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

var (
	edits  = flag.Int("edits", 4, "the number of edits of TestMemoEdits")
	edited = flag.String("edited", "", "the module of TestMemoEdits, in place of some of testdata")
)

// memory is a store that counts; puts are those of functions.
type memory struct {
	mu         sync.Mutex
	data       map[[sha256.Size]byte][]byte
	gets, puts int
}

func (m *memory) Get(id [sha256.Size]byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.gets++
	return m.data[id]
}

func (m *memory) Put(id [sha256.Size]byte, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// The answers of the solver are no results, nor are those of all functions together, an object, of a function.
	if !bytes.HasPrefix(data, []byte(`[{"Question"`)) && data[0] != '{' {
		m.puts++
	}
	m.data[id] = data
}

// TestMemoEdits edits modules at random, many times. After each edit, what is kept of the versions
// before must not change the document; and most of it must be of use.
func TestMemoEdits(t *testing.T) {
	modules := []string{filepath.Join("testdata", "panics"), filepath.Join("..", "examples", "parcel")}
	if *edited != "" {
		modules = []string{*edited}
	}
	for seed, module := range modules {
		t.Run(filepath.Base(module), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(module)); err != nil {
				t.Fatal(err)
			}
			e := &editor{t: t, dir: dir, rand: rand.New(rand.NewPCG(uint64(seed), 1))}
			store := &memory{data: map[[sha256.Size]byte][]byte{}}
			memoRun(t, dir, store)
			asked, missed := 0, 0
			for range *edits {
				what := e.edit()
				store.gets, store.puts = 0, 0
				with, without := memoRun(t, dir, store), memoRun(t, dir, nil)
				if !bytes.Equal(with, without) {
					t.Fatalf("after %s the document is another one with what is kept of earlier runs:\n%s",
						what, firstDifference(with, without))
				}
				// Of a function that is analyzed anew, the answers of the solver and the versions are read, too, and the
				// first question is for the results of all functions.
				anew, all := store.puts, store.gets-1-2*store.puts
				t.Logf("%s: %d of %d functions anew", what, anew, all)
				asked, missed = asked+all, missed+anew
			}
			if asked == 0 || missed*4 > asked {
				t.Errorf("%d of %d functions were analyzed anew", missed, asked)
			}
		})
	}
}

// memoRun checks a module with a store, or nil, and returns the document.
func memoRun(t *testing.T, dir string, store *memory) []byte {
	t.Helper()
	opt := Options{Log: io.Discard}
	if store != nil {
		opt.Store = store
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(context.Background(), prog, opt)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := schemas.WriteWarnings(&out, doc); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// firstDifference returns the lines around the first one that differs.
func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			from := max(0, i-8)
			return strings.Join(x[from:i+1], "\n") + "\n--- and without:\n" + strings.Join(y[from:i+1], "\n")
		}
	}
	return "one is longer"
}

// editor changes a module.
type editor struct {
	t    *testing.T
	dir  string
	rand *rand.Rand
	n    int // edits so far
}

// edit makes a random edit after which the module compiles, and says which.
func (e *editor) edit() string {
	var files []string
	filepath.WalkDir(e.dir, func(name string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files = append(files, name)
		}
		return err
	})
	for range 200 {
		e.n++
		name := files[e.rand.IntN(len(files))]
		before, err := os.ReadFile(name)
		if err != nil {
			e.t.Fatal(err)
		}
		what, after := e.change(string(before))
		if after == "" {
			continue
		}
		if err := os.WriteFile(name, []byte(after), 0o666); err != nil {
			e.t.Fatal(err)
		}
		prog, err := source.Load(context.Background(), e.dir, nil)
		if err == nil && len(prog.Broken) == 0 {
			return fmt.Sprintf("edit %d of %s, %s", e.n, filepath.Base(name), what)
		}
		if err := os.WriteFile(name, before, 0o666); err != nil {
			e.t.Fatal(err)
		}
	}
	e.t.Fatal("no edit compiles")
	return ""
}

// change returns a changed text and what was done; "" if it cannot be done.
func (e *editor) change(text string) (what, after string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, 0)
	if err != nil || len(file.Decls) < 3 {
		return "", ""
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	insert := func(p int, s string) string { return text[:p] + s + text[p:] }
	var bodies []*ast.FuncDecl
	var numbers []*ast.BasicLit
	var structs []*ast.StructType
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				bodies = append(bodies, n)
			}
		case *ast.BasicLit:
			if n.Kind == token.INT {
				numbers = append(numbers, n)
			}
		case *ast.StructType:
			structs = append(structs, n)
		}
		return true
	})
	if len(bodies) == 0 {
		return "", ""
	}
	fn := bodies[e.rand.IntN(len(bodies))]
	in := " in " + fn.Name.Name
	switch e.rand.IntN(8) {
	case 0:
		return "lines before the first function", insert(at(bodies[0].Type.Pos()), "\n\n\n")
	case 1:
		return "a statement" + in, insert(at(fn.Body.Lbrace)+1,
			fmt.Sprintf("\n\tif text := \"edit %d\"; len(text) > %d {\n\t\tpanic(text)\n\t}\n", e.n, 5+e.n%5))
	case 2:
		return "a comment" + in, insert(at(fn.Body.Lbrace)+1, "\n\t// Something\n\t// is said here.\n")
	case 3:
		return "more declarations", text + fmt.Sprintf(`
type Edit%[1]d struct{ items []int }

func (e *Edit%[1]d) Len() int { return e.items[%[1]d] }

func (e *Edit%[1]d) String() string { return "edit %[1]d" }

var edits%[1]d = map[string]any{"a rather long key %[1]d": &Edit%[1]d{}}

func LenEdit%[1]d(s string) int { return edits%[1]d[s].(*Edit%[1]d).Len() }
`, e.n)
	case 4: // two functions change places
		other := bodies[e.rand.IntN(len(bodies))]
		a, b := fn, other
		if at(a.Pos()) > at(b.Pos()) {
			a, b = b, a
		}
		if a == b {
			return "", ""
		}
		return "functions in another order: " + a.Name.Name + ", " + b.Name.Name, text[:at(a.Pos())] +
			text[at(b.Pos()):at(b.End())] + text[at(a.End()):at(b.Pos())] + text[at(a.Pos()):at(a.End())] +
			text[at(b.End()):]
	case 5:
		return "without " + fn.Name.Name, text[:at(fn.Pos())] + text[at(fn.End()):]
	case 6:
		if len(structs) == 0 {
			return "", ""
		}
		s := structs[e.rand.IntN(len(structs))]
		return "a field more", insert(at(s.Fields.Closing), fmt.Sprintf("\n\tEdit%d []string\n", e.n))
	default:
		if len(numbers) == 0 {
			return "", ""
		}
		lit := numbers[e.rand.IntN(len(numbers))]
		n, err := strconv.Atoi(lit.Value)
		if err != nil {
			return "", ""
		}
		return "another number", text[:at(lit.Pos())] + strconv.Itoa(n+1) + text[at(lit.End()):]
	}
}

// TestMemoAssumed: what is assumed of a function, of those that it calls and of methods of interfaces
// belongs to what its result depends on.
func TestMemoAssumed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go": `package m

type Getter interface{ Get() int }

func Own(l []int, i int) int { return l[i] }

func Calls(l []int) int { return l[low(7)] }

func low(i int) int { return i / other }

func Method(g Getter, l []int) int { return l[g.Get()] }

var other = 2
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	assume := func(fn string, at schemas.At, expr string) *schemas.Invariants {
		return &schemas.Invariants{Points: []schemas.Point{{Func: "example.com/m." + fn, At: at, Samples: 9,
			Invariants: []schemas.Invariant{{ID: "I1", Expr: expr, Assumed: true}}}}}
	}
	store := &memory{data: map[[sha256.Size]byte][]byte{}}
	check := func(store *memory, doc *schemas.Invariants) string {
		opt := Options{Assume: doc}
		if store != nil {
			opt.Store = store
		}
		var out bytes.Buffer
		if err := schemas.WriteWarnings(&out, run(t, dir, opt)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	none := check(store, &schemas.Invariants{})
	if store.puts == 0 {
		t.Fatal("nothing is kept")
	}
	for _, doc := range []*schemas.Invariants{
		assume("Own", "entry", "len(l) > 3 && i == 2"),
		assume("Own", "entry", "len(l) > 3 && i == 3"),
		assume("low", "exit", "result == 1"),
		assume("low", "exit", "result == 2"),
		assume("Getter.Get", "exit", "result == -1"),
		assume("Getter.Get", "exit", "result == 1"),
	} {
		p := doc.Points[0]
		with, without := check(store, doc), check(nil, doc)
		if with != without {
			t.Errorf("%s %s: the document is another one with what is kept of earlier runs:\n%s", p.Func,
				p.Invariants[0].Expr, firstDifference([]byte(with), []byte(without)))
		}
		if with == none {
			t.Errorf("%s %s changes nothing", p.Func, p.Invariants[0].Expr)
		}
		store.puts = 0
		if check(store, doc); store.puts > 0 {
			t.Errorf("%s %s: %d functions were analyzed twice", p.Func, p.Invariants[0].Expr, store.puts)
		}
		if check(store, &schemas.Invariants{}); store.puts > 0 { // as if on another branch
			t.Errorf("without %s %s again: %d functions were analyzed twice", p.Func, p.Invariants[0].Expr, store.puts)
		}
	}
}
