package carve

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
	"dsd/crash/search/paramgraph"
	"dsd/internal/source"
)

const (
	maxSeeds       = 1500 // candidates
	maxRows        = 40   // rows of a table of cases
	maxExpressions = 300  // expressions that become operations of their own
	maxStatements  = 150  // statements of a candidate after which the walker stops
)

// Seed is a candidate over operations that have no index yet.
type Seed struct {
	test  string // the name of the function that it is made of
	more  bool   // which is in Graph's argument more
	stmts []stmt
}

type stmt struct {
	op    *candidate.Op
	args  []int
	value constants.Value
}

// Source is a test file that is not in the package's folder.
type Source struct{ Name, Text string }

// Graph builds the parameter graph of a package with the operations that its tests perform, and those
// in more, and returns the candidates made from the tests, those in more first. The other arguments are
// those of paramgraph.NewBuilder.
func Graph(
	prog *source.Program, pkg *source.Package,
	required []*types.Func, observed constants.Observed, more ...Source,
) (*paramgraph.Graph, []Seed) {
	b := paramgraph.NewBuilder(prog, pkg, required, observed)
	seeds := tests(b, more)
	return b.Graph(), seeds
}

// ThoroughGraph is Graph for the search for one crash; see paramgraph.NewThorough.
func ThoroughGraph(
	prog *source.Program, pkg *source.Package, required []*types.Func, observed constants.Observed,
) (*paramgraph.Graph, []Seed) {
	b := paramgraph.NewThorough(prog, pkg, required, observed)
	seeds := tests(b, nil)
	return b.Graph(), seeds
}

// Programs returns the seeds as candidates over a table. Seeds with operations that are not in the
// table are left out.
func Programs(seeds []Seed, table []*candidate.Op) (out []candidate.Program) {
	for _, n := range NamedPrograms(seeds, table) {
		out = append(out, n.Program)
	}
	return out
}

// Named is a candidate with the name of the test function that it is made of.
type Named struct {
	Test string
	// More reports whether the test is in Graph's argument more.
	More    bool
	Program candidate.Program
}

// NamedPrograms is Programs with the names of the tests.
func NamedPrograms(seeds []Seed, table []*candidate.Op) (out []Named) {
	index := map[*candidate.Op]int{}
	for i, o := range table {
		index[o] = i
	}
next:
	for _, s := range seeds {
		var p candidate.Program
		for _, st := range s.stmts {
			n, ok := index[st.op]
			if !ok {
				continue next
			}
			p = append(p, candidate.Stmt{
				Op: n, Args: st.args, Bits: st.value.Bits, Text: st.value.Text,
			})
		}
		out = append(out, Named{s.test, s.more, p})
	}
	return out
}

// carver makes seeds of the tests of one package.
type carver struct {
	b    *paramgraph.Builder
	more []Source
	info *types.Info
	fset *token.FileSet
	// src holds the texts of the test files by name.
	src map[string][]byte
	// helpers are the functions that the test files declare.
	helpers map[*types.Func]*ast.FuncDecl
	// calls are the operations that call functions, by callKey.
	calls map[string]*candidate.Op
	// added holds the operations that the carver needed, by what they do; nil if the graph
	// cannot have one.
	added       map[string]*candidate.Op
	expressions int // expressions that became operations
	seeds       []Seed
}

// tests adds the operations that the tests of a package perform, and returns its seeds.
func tests(b *paramgraph.Builder, more []Source) []Seed {
	c := &carver{
		b: b, more: more, fset: token.NewFileSet(), src: map[string][]byte{},
		calls: map[string]*candidate.Op{}, added: map[string]*candidate.Op{},
	}
	for _, o := range b.Table() {
		if o.Func != nil {
			recv := types.Type(nil)
			if o.OnFirst {
				recv = o.In[0]
			}
			c.calls[callKey(source.FuncName(o.Func), recv)] = o
		}
	}
	internal, external := c.parse()
	c.carve(b.Pkg.Path, append(c.parsePackage(), internal...), internal)
	c.carve(b.Pkg.Path+"_test", external, external)
	return c.seeds
}

// callKey identifies a call by the function's name and the type of the receiver, nil if it has
// none.
func callKey(name string, recv types.Type) string {
	if recv == nil {
		return name
	}
	return name + " " + paramgraph.Key(recv)
}

// parse parses the test files: those of the package, and those of its external test package.
func (c *carver) parse() (internal, external []*ast.File) {
	add := func(name string, text []byte) {
		f, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return
		}
		c.src[name] = text
		if f.Name.Name == c.b.Pkg.Name {
			internal = append(internal, f)
		} else {
			external = append(external, f)
		}
	}
	for _, m := range c.more {
		add(m.Name, []byte(m.Text))
	}
	for _, name := range c.b.Pkg.TestFiles {
		if text, err := os.ReadFile(name); err == nil {
			add(name, text)
		}
	}
	return internal, external
}

// isMore reports whether a position is in one of more.
func (c *carver) isMore(pos token.Pos) bool {
	name := c.fset.Position(pos).Filename
	return slices.ContainsFunc(c.more, func(m Source) bool { return m.Name == name })
}

// parsePackage parses the package's own files, which are type-checked together with its tests.
func (c *carver) parsePackage() []*ast.File {
	var out []*ast.File
	for i, name := range c.b.Pkg.Filenames {
		text := c.b.Pkg.Sources[i]
		f, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
		if err == nil {
			out = append(out, f)
		}
	}
	return out
}

// carve type-checks the files of a package and makes seeds of the functions in the tests. An import
// that is not in the build is no error: what depends on it has no type.
func (c *carver) carve(path string, files, tests []*ast.File) {
	if len(tests) == 0 {
		return
	}
	c.info = source.NewInfo()
	conf := types.Config{
		Importer: importer(c.importPackage), FakeImportC: true, Sizes: c.b.Prog.Sizes,
		Error: func(error) {}, // go on after an error
	}
	conf.Check(path, c.fset, files, c.info)
	c.helpers = map[*types.Func]*ast.FuncDecl{}
	for _, f := range tests {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if fn, _ := c.info.Defs[nameOf(fd)].(*types.Func); ok && fd.Body != nil && fn != nil {
				c.helpers[fn] = fd
			}
		}
	}
	for _, f := range tests {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || fd.Recv != nil || len(c.seeds) >= maxSeeds {
				continue
			}
			w := &walker{c: c, seed: Seed{test: fd.Name.Name, more: c.isMore(fd.Pos())}, env: map[types.Object]binding{}}
			w.block(fd.Body.List)
			w.finish()
		}
	}
}

// nameOf returns the name of a declared function; nil for nil.
func nameOf(fd *ast.FuncDecl) *ast.Ident {
	if fd == nil {
		return nil
	}
	return fd.Name
}

// importPackage returns a package that the loaded program imports or consists of.
func (c *carver) importPackage(path string) (*types.Package, error) {
	if p := c.b.Prog.Package(path); p != nil {
		return p.Types, nil
	}
	if c.b.Prog.Imports(path) {
		return c.b.Prog.Import(path)
	}
	return nil, fmt.Errorf("%s is not in the build", path)
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
