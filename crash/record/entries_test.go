package record

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// handling is a file of functions. Those whose names begin with entry or Entry are entries.
const handling = `package p

import ("context"; "sync"; "io")

type handler interface { entryServe(c context.Context) }
type T struct { f func(context.Context); mu sync.Mutex; r io.Closer }

// Called by nothing that is known, by name, through an interface, by reflection.
func EntryUncalled(c context.Context) { called(c); plain() }
func called(c context.Context)        { nested(c) }
func nested(c context.Context)        {}
func (t *T) entryServe(c context.Context) { t.inner(c) }
func (t *T) EntryExported(c context.Context) { defer t.mu.Unlock(); inLocked(c) }
func (t *T) inner(c context.Context) {}
func serve(h handler) { h.entryServe(nil) }
func inLocked(c context.Context) {}

// Handles no request.
func plain() { throughPlain(nil) }
func throughPlain(c context.Context) {}
func other() { entryFromOther(nil) }
func entryFromOther(c context.Context) { called(c) }

// A value of it is used, it is also called by one that is none, on another goroutine, or deferred.
func EntryUses(c context.Context) {
	t := T{f: entryValue}
	t.f(c)
	called(c)
	entryAlso(c)
	go entryLater(c)
	defer entryDeferred(c)
	func() { entryInLiteral(c) }()
	func(c context.Context) { inLiteral(c) }(c)
}
func entryValue(c context.Context) {}
func entryAlso(c context.Context) {}
func also() { entryAlso(nil) }
func entryLater(c context.Context) {}
func entryDeferred(c context.Context) {}
func entryInLiteral(c context.Context) {}
func inLiteral(c context.Context) {}
var v = entryVariable(nil)
func entryVariable(c context.Context) int { return 0 }

// The caller recovers, or may.
func EntryRecovers(c context.Context) { defer func() { recover() }(); entryRecovered(c) }
func entryRecovered(c context.Context) { below(c) }
func below(c context.Context) {}
func EntryMay(c context.Context, x *T) { defer x.r.Close(); entryMay(c) }
func entryMay(c context.Context) {}
func EntryDoesNot(c context.Context, x chan int) { defer close(x); defer func() { x <- 1 }(); doesNot(c) }
func doesNot(c context.Context) {}

// Circles have no Leave: they are called too often.
func EntryCircle(c context.Context) { circle(c, 3) }
func circle(c context.Context, n int) { if n > 0 { circle(c, n-1) } }
`

// TestEntries checks which functions handle requests and are not only called by others that do.
func TestEntries(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", handling, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := source.NewInfo()
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), GoVersion: "go1.23"}
	if _, err := conf.Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	pkg := &source.Package{Name: "p", Path: "p", Info: info, Files: []*ast.File{file}}
	prog := &source.Program{All: []*source.Package{pkg}, Packages: []*source.Package{pkg}}
	g := callgraph.New(prog)
	w := &rewriter{prog: prog, pkg: pkg, calls: newCalls(prog, g)}
	s := newEntries(w, g)
	n := 0
	for _, f := range pkg.Funcs() {
		want := strings.HasPrefix(strings.ToLower(f.Decl.Name.Name), "entry")
		if got := s.isEntry(f.Obj); got != want {
			t.Errorf("isEntry(%s) = %v, want %v", f.Decl.Name.Name, got, want)
		}
		n++
	}
	if n < 30 {
		t.Errorf("%d functions were looked at", n)
	}
}
