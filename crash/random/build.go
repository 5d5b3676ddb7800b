package random

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"sort"
	"strings"

	"dsd/crash/exec"
	"dsd/crash/gofile"
	"dsd/internal/source"
	"dsd/schemas"
)

// maxOps bounds the table: past it, no more types are provided for.
const maxOps = 3000

// New makes the parameter graph of a package: its exported functions and methods are the targets, and values come from
// exported functions, from literals, and from what the standard library offers.
func New(prog *source.Program, pkg *source.Package) *Graph {
	b := &graphBuilder{g: &Graph{nodes: map[string]*node{}}, prog: prog, pkg: pkg, file: gofile.New(pkg.Types), constants: constants(pkg), done: map[string]bool{},
		targets: map[*exec.Op]bool{}}
	b.functions()
	for len(b.work) > 0 {
		n := b.work[0]
		b.work = b.work[1:]
		b.provide(n)
	}
	b.g.link(b.targets)
	return b.g
}

type graphBuilder struct {
	g         *Graph
	prog      *source.Program
	pkg       *source.Package
	file      *gofile.File
	constants map[types.BasicKind][]value
	work      []*node         // types whose values are to be provided
	done      map[string]bool // types whose methods are in the table
	targets   map[*exec.Op]bool
}

// need returns the node of a type whose values are wanted.
func (b *graphBuilder) need(t types.Type) *node {
	t = types.Unalias(t)
	k := key(t)
	n := b.g.nodes[k]
	if n == nil {
		n = &node{typ: t}
		b.g.nodes[k] = n
		b.work = append(b.work, n)
	}
	return n
}

// add adds an operation, and says that its arguments are wanted; false if it cannot be written in the package.
func (b *graphBuilder) add(o *exec.Op) bool {
	for _, t := range append(append([]types.Type{}, o.In...), o.Out...) {
		if !b.file.Nameable(t) {
			return false
		}
	}
	b.g.Table = append(b.g.Table, o)
	for _, t := range o.In {
		b.need(t)
	}
	for _, t := range o.Out {
		b.need(t)
	}
	return true
}

// functions adds the exported functions of the package, and its exported types' methods.
func (b *graphBuilder) functions() {
	scope := b.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			if o.Exported() {
				b.target(o, nil, o.Type().(*types.Signature))
			}
		case *types.TypeName:
			named, ok := types.Unalias(o.Type()).(*types.Named)
			if o.Exported() && ok && !o.IsAlias() {
				if inst := b.instance(named); inst != nil {
					b.methods(inst)
				}
			}
		}
	}
}

// target adds a function or method, to be tested.
func (b *graphBuilder) target(fn *types.Func, recv types.Type, sig *types.Signature) {
	var targs []types.Type
	if params := sig.TypeParams(); params.Len() > 0 {
		var inst types.Type
		if inst, targs = instantiate(sig, params.Len()); inst == nil {
			b.g.leave(fn, "no type arguments are known")
			return
		}
		sig = inst.(*types.Signature)
	}
	if o := exec.Call(fn, recv, targs, sig); b.add(o) {
		b.targets[o] = true
	} else {
		b.g.leave(fn, "a type of its signature cannot be named in the package")
	}
}

func (g *Graph) leave(fn *types.Func, why string) {
	g.Left = append(g.Left, schemas.Skipped{Func: source.FuncName(fn), Reason: why})
}

// methods adds the exported methods of a type of the package and of pointers to it.
func (b *graphBuilder) methods(named *types.Named) {
	if b.done[key(named)] || named.Obj().Pkg() != b.pkg.Types || types.IsInterface(named) {
		return
	}
	b.done[key(named)] = true
	for i := range named.NumMethods() {
		m := named.Method(i)
		if m.Exported() {
			sig := m.Type().(*types.Signature)
			b.target(m, sig.Recv().Type(), types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		}
	}
}

// argumentTypes are tried as type arguments, simplest first.
var argumentTypes = []types.Type{types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Float64], types.NewSlice(types.Typ[types.Int])}

// instantiate gives a generic function or type the first type arguments that satisfy its constraints; nil if there are none.
func instantiate(t types.Type, params int) (types.Type, []types.Type) {
	args := make([]types.Type, params)
	var fill func(i int) types.Type
	fill = func(i int) types.Type {
		if i == len(args) {
			if inst, err := types.Instantiate(nil, t, args, true); err == nil {
				return inst
			}
			return nil
		}
		for _, arg := range argumentTypes {
			args[i] = arg
			if inst := fill(i + 1); inst != nil {
				return inst
			}
		}
		return nil
	}
	if params > 3 {
		return nil, nil
	}
	return fill(0), args
}

// instance is a named type with type arguments, if it needs any; nil if none are known.
func (b *graphBuilder) instance(named *types.Named) *types.Named {
	if named.TypeParams().Len() == 0 || named.TypeArgs().Len() > 0 {
		return named
	}
	inst, _ := instantiate(named, named.TypeParams().Len())
	if inst == nil {
		return nil
	}
	return inst.(*types.Named)
}

// provide adds the operations that make values of a type.
func (b *graphBuilder) provide(n *node) {
	if len(b.g.Table) > maxOps {
		return
	}
	t := n.typ
	named, _ := t.(*types.Named)
	if p, ok := t.(*types.Pointer); ok {
		named, _ = types.Unalias(p.Elem()).(*types.Named)
	}
	if named != nil {
		b.methods(named)
		if named.Obj().Pkg() != nil && named.Obj().Pkg() != b.pkg.Types {
			b.constructors(named)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if n.values = b.values(u); len(n.values) > 0 {
			b.add(exec.Literal(t))
		}
	case *types.Pointer:
		b.pointer(t, u)
	case *types.Struct:
		b.structs(t, u, false)
	case *types.Array:
		b.add(exec.Zero(t))
	case *types.Slice:
		b.add(exec.Zero(t))
		b.add(exec.SliceOf(t))
	case *types.Map:
		b.add(exec.MapOf(t, false))
		b.add(exec.MapOf(t, true))
	case *types.Chan:
		b.add(exec.MakeChan(t))
	case *types.Signature:
		b.add(exec.Stub(t))
	case *types.Interface:
		b.implementations(t, u)
	}
}

func (b *graphBuilder) pointer(t types.Type, u *types.Pointer) {
	elem := types.Unalias(u.Elem())
	s, ok := elem.Underlying().(*types.Struct)
	if !ok {
		b.add(exec.PointerTo(t))
		return
	}
	b.structs(elem, s, true)
}

// structs adds the literals of a struct type: the empty one if users may write that, and one with the exported fields set.
func (b *graphBuilder) structs(t types.Type, s *types.Struct, pointer bool) {
	named, _ := t.(*types.Named)
	foreign := named != nil && named.Obj().Pkg() != b.pkg.Types
	if named != nil && !named.Obj().Exported() {
		return // values come from who may name it
	}
	var fields []*types.Var
	hidden := false
	for f := range s.Fields() {
		switch {
		case !f.Exported():
			hidden = true
		case b.file.Nameable(f.Type()) && len(fields) < 6:
			fields = append(fields, f)
		}
	}
	// A type with a constructor and secrets is made by that.
	if hidden && named != nil && (b.constructed(named) || foreign && !zeroIsUseful(named)) {
		return
	}
	b.add(exec.Composite(t, pointer, nil))
	if len(fields) > 0 {
		b.add(exec.Composite(t, pointer, fields))
	}
}

// zeroIsUseful says that the zero value of another package's type is ready to use.
func zeroIsUseful(named *types.Named) bool {
	switch key(named) {
	case "bytes.Buffer", "strings.Builder", "sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once", "sync.Map", "time.Time", "math/big.Int", "math/big.Float", "math/big.Rat", "net/url.URL":
		return true
	}
	return false
}

// constructed says that an exported function or method of the type's package makes values of it.
func (b *graphBuilder) constructed(named *types.Named) bool {
	if len(makers(named)) > 0 {
		return true
	}
	if named.Obj().Pkg() == nil {
		return false
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.Type() == named.Origin() {
			continue
		}
		if owner, ok := types.Unalias(tn.Type()).(*types.Named); ok {
			for m := range owner.Methods() {
				if m.Exported() && returns(m.Type().(*types.Signature), named) {
					return true
				}
			}
		}
	}
	return false
}

// returns says that the first result is of a type, or a pointer to it.
func returns(sig *types.Signature, named *types.Named) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	r, ok := t.(*types.Named)
	return ok && r.Obj() == named.Obj()
}

// makers are the exported functions of a type's package that return it, or a pointer to it, first.
func makers(named *types.Named) []*types.Func {
	var out []*types.Func
	if named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() {
			continue
		}
		if returns(fn.Type().(*types.Signature), named) {
			out = append(out, fn)
		}
	}
	return out
}

// unsafe are packages of the standard library whose functions reach out of the process, or depend on when they run.
var unsafe = map[string]bool{"os": true, "os/exec": true, "net": true, "net/http": true, "syscall": true, "time": true, "plugin": true, "os/signal": true, "runtime": true, "os/user": true, "log/syslog": true, "testing": true}

// constructors adds the functions that make values of another package's type.
func (b *graphBuilder) constructors(named *types.Named) {
	path := named.Obj().Pkg().Path()
	if b.done[key(named)] || unsafe[path] || !b.file.Importable(named.Obj().Pkg()) {
		return
	}
	b.done[key(named)] = true
	list := makers(named)
	sort.SliceStable(list, func(i, j int) bool {
		return list[i].Type().(*types.Signature).Params().Len() < list[j].Type().(*types.Signature).Params().Len()
	})
	for i, fn := range list {
		sig := fn.Type().(*types.Signature)
		if i >= 3 || sig.TypeParams().Len() > 0 {
			break
		}
		if strings.HasPrefix(fn.Name(), "Must") {
			continue
		}
		b.add(exec.Call(fn, nil, nil, sig))
	}
}

// implementations adds values of an interface: of the types that implement it, or nil if there are none.
func (b *graphBuilder) implementations(t types.Type, u *types.Interface) {
	fixed := func(name, path, expr string) {
		b.add(exec.Fixed(t, func(f *gofile.File) string {
			base := path[strings.LastIndexByte(path, '/')+1:]
			return f.Use(path, base) + "." + expr
		}, name))
	}
	switch key(t) {
	case "error":
		fixed("error", "errors", `New("e")`)
		b.add(exec.Zero(t))
		return
	case "context.Context":
		fixed("context", "context", "Background()")
		return
	case "io.Reader", "io.ByteReader", "io.RuneReader", "io.ReadSeeker", "io.ReaderAt", "io.RuneScanner", "io.ByteScanner":
		fixed("empty reader", "strings", `NewReader("")`)
		fixed("reader", "strings", `NewReader("ab\n1 {}")`)
		return
	case "io.Writer", "io.ReadWriter", "io.StringWriter", "io.ByteWriter":
		fixed("writer", "bytes", "NewBuffer(nil)")
		return
	}
	if u.NumMethods() == 0 && u.IsMethodSet() {
		for _, arg := range []types.Type{types.Typ[types.Int], types.Typ[types.String], types.NewSlice(types.Typ[types.Int])} {
			b.convert(t, arg)
		}
		b.add(exec.Zero(t))
		return
	}
	found := 0
	for _, p := range b.prog.All {
		if p != b.pkg && !b.file.Importable(p.Types) {
			continue
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) || p != b.pkg && !tn.Exported() {
				continue
			}
			named := b.instance(tn.Type().(*types.Named))
			if named == nil || found >= 6 {
				continue
			}
			for _, c := range []types.Type{named, types.NewPointer(named)} {
				if types.Implements(c, u) {
					b.convert(t, c)
					found++
					break
				}
			}
		}
	}
	if found == 0 {
		b.add(exec.Zero(t))
	}
}

// convert adds the conversion of values of one type to another.
func (b *graphBuilder) convert(to, from types.Type) {
	b.add(exec.Convert(to, from))
}

// link resolves the types of the operations, finds the producers of each type, and leaves targets out that need a value
// which nothing makes.
func (g *Graph) link(targets map[*exec.Op]bool) {
	g.in, g.out, g.Targets = nil, nil, nil
	for _, n := range g.nodes {
		n.producers, n.sizes, n.cheapest = nil, nil, 0
	}
	for i, o := range g.Table {
		var in, out []*node
		for _, t := range o.In {
			in = append(in, g.nodes[key(t)])
		}
		for j, t := range o.Out {
			n := g.nodes[key(t)]
			out = append(out, n)
			if n.values == nil || o.Lit { // numbers and strings are literals
				n.producers = append(n.producers, producer{i, j})
			}
		}
		if targets[o] && len(in) > 0 && o.Func.Type().(*types.Signature).Recv() != nil {
			if _, ok := o.In[0].(*types.Pointer); ok {
				in[0].producers = append(in[0].producers, producer{i, -1})
			}
		}
		g.in, g.out = append(g.in, in), append(g.out, out)
	}
	for depth := 1; depth <= maxDrawn; depth++ {
		for _, n := range g.nodes {
			if n.cheapest == 0 && g.size(n, depth).Sign() > 0 {
				n.cheapest = depth
			}
		}
	}
	for i, o := range g.Table {
		if !targets[o] {
			continue
		}
		missing := ""
		for _, n := range g.in[i] {
			if n.cheapest == 0 {
				missing = key(n.typ)
			}
		}
		if missing == "" {
			g.Targets = append(g.Targets, i)
		} else {
			g.leave(o.Func, "nothing makes a "+missing)
		}
	}
	sort.SliceStable(g.Left, func(i, j int) bool { return g.Left[i].Func < g.Left[j].Func })
}

// Keep leaves in the graph the operations of a table alone: those that compile. dropped says why the others do not.
func (g *Graph) Keep(table []*exec.Op, dropped map[*exec.Op]string) {
	targets := map[*exec.Op]bool{}
	for _, i := range g.Targets {
		if o := g.Table[i]; dropped[o] == "" {
			targets[o] = true
		} else {
			g.leave(o.Func, "a call does not compile: "+dropped[o])
		}
	}
	g.Table = table
	g.link(targets)
}

// values are the literals of a basic type.
func (b *graphBuilder) values(u *types.Basic) []value {
	info := u.Info()
	switch {
	case info&types.IsBoolean != 0:
		return []value{{bits: 0}, {bits: 1}}
	case info&types.IsString != 0:
		return b.constants[types.String]
	case info&types.IsInteger != 0:
		return b.constants[types.Int]
	case info&(types.IsFloat|types.IsComplex) != 0:
		return b.constants[types.Float64]
	}
	return nil
}

// use adds Go literals to the values of the basic types that they fit.
func (g *Graph) use(literals []string) {
	for _, text := range literals {
		v := constant.MakeFromLiteral(strings.TrimPrefix(text, "-"), kindOfLiteral(text), 0)
		if v.Kind() == constant.Unknown {
			continue
		}
		for _, n := range g.nodes {
			b, ok := n.typ.Underlying().(*types.Basic)
			if !ok || len(n.values) == 0 || len(n.values) > 2*maxConstants {
				continue
			}
			switch info := b.Info(); {
			case v.Kind() == constant.String && info&types.IsString != 0:
				n.values = append(n.values[:len(n.values):len(n.values)], value{text: constant.StringVal(v)})
			case v.Kind() == constant.Int && info&types.IsInteger != 0:
				i, ok := constant.Uint64Val(v)
				if strings.HasPrefix(text, "-") {
					i = -i
				}
				if ok {
					n.values = append(n.values[:len(n.values):len(n.values)], value{bits: i})
				}
			}
		}
	}
}

// kindOfLiteral is the token that a literal is.
func kindOfLiteral(text string) token.Token {
	if strings.HasPrefix(text, `"`) {
		return token.STRING
	}
	return token.INT
}

// maxConstants is how many constants of the source are used, of each kind.
const maxConstants = 200

// constants are values for literals: corners, and what stands in the package's source.
func constants(pkg *source.Package) map[types.BasicKind][]value {
	out := map[types.BasicKind][]value{}
	seen := map[types.BasicKind]map[value]bool{types.Int: {}, types.String: {}, types.Float64: {}}
	add := func(k types.BasicKind, v value) {
		if !seen[k][v] && len(out[k]) < maxConstants {
			seen[k][v] = true
			out[k] = append(out[k], v)
		}
	}
	for _, n := range []int64{0, 1, -1, 2, 3, 10, 100, math.MaxInt8, math.MaxInt32, math.MaxInt64, math.MinInt64} {
		add(types.Int, value{bits: uint64(n)})
	}
	for _, x := range []float64{0, 1, -1, 0.5, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64} {
		add(types.Float64, value{bits: math.Float64bits(x)})
	}
	for _, s := range []string{"", "a", "0", "abc", "-1", "é", "\xff", " ", "a b"} {
		add(types.String, value{text: s})
	}
	for _, file := range pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.ImportSpec); ok {
				return false
			}
			lit, ok := n.(*ast.BasicLit)
			if !ok {
				return true
			}
			v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
			switch lit.Kind {
			case token.INT, token.CHAR:
				if i, ok := constant.Int64Val(constant.ToInt(v)); ok {
					add(types.Int, value{bits: uint64(i)})
					if lit.Kind == token.CHAR {
						add(types.String, value{text: string(rune(i))})
					}
				}
			case token.FLOAT:
				x, _ := constant.Float64Val(v)
				add(types.Float64, value{bits: math.Float64bits(x)})
			case token.STRING:
				if s := constant.StringVal(v); len(s) < 100 {
					add(types.String, value{text: s})
				}
			}
			return true
		})
	}
	return out
}
