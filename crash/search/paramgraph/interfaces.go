package paramgraph

import (
	"go/types"
	"slices"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// anyTypes are the types of the values for an interface without methods. Code that looks into such
// values by reflection meets each kind of type, and pointers to decode into.
var anyTypes = func() []types.Type {
	integer, text := types.Typ[types.Int], types.Typ[types.String]
	empty := types.NewInterfaceType(nil, nil) // old versions of Go do not have any
	field := func(name string, t types.Type) *types.Var {
		return types.NewField(0, nil, name, t, false)
	}
	record := types.NewStruct([]*types.Var{
		field("A", integer), field("B", empty), field("C", types.NewPointer(text)),
	}, nil)
	return []types.Type{
		integer, text, types.Typ[types.Float64], types.Typ[types.Bool],
		types.NewSlice(integer), types.NewSlice(empty),
		types.NewSlice(types.Universe.Lookup("byte").Type()),
		types.NewMap(text, empty), types.NewArray(integer, 2), record,
		types.NewPointer(integer), types.NewPointer(text),
		types.NewPointer(types.NewSlice(integer)),
		types.NewPointer(types.NewMap(text, empty)),
		types.NewPointer(record), types.NewPointer(empty),
		types.Typ[types.Uint8], types.NewPointer(types.NewPointer(integer)),
		types.NewMap(integer, text), types.NewSlice(record), types.NewSlice(text),
		types.NewMap(text, types.NewSlice(integer)),
		types.NewChan(types.SendRecv, integer),
		types.NewSignatureType(nil, nil, nil, nil, nil, false),
	}
}()

// addInterface adds operations that make values of an interface: well-known values of interfaces of
// the standard library, values of each kind for an interface without methods, values of the types
// of the module that implement it, else of types of the standard library, or else a stub.
func (b *Builder) addInterface(t types.Type, u *types.Interface) {
	if b.addStandard(t) {
		return
	}
	if u.NumMethods() == 0 && u.IsMethodSet() {
		for _, from := range slices.Concat(anyTypes, b.structTypes(), b.askedTypes()) {
			b.Add(candidate.Convert(t, from))
		}
		b.Add(candidate.Zero(t))
		return
	}
	found := b.addImplementations(t, u) || b.addLibraryTypes(t, u)
	if b.thorough {
		b.addForeign(t, u) // perhaps nothing makes their values: besides what there would be otherwise
	}
	if found {
		b.Add(candidate.Zero(t))
		return
	}
	if named, ok := t.(*types.Named); ok && len(constructed(named)) > 0 {
		b.Add(candidate.Zero(t)) // constructors make the others
	} else if results, ok := b.File.StubResults(t); ok {
		b.Add(candidate.StubType(t, results))
	} else {
		b.Add(candidate.Zero(t))
	}
}

// addStandard adds values of an interface of the standard library. It reports whether it knows the
// interface.
func (b *Builder) addStandard(t types.Type) bool {
	fixed := func(name, path, expr string) {
		b.Add(candidate.Expression(t, func(f *gofile.File) string {
			base := path[strings.LastIndexByte(path, '/')+1:]
			return f.Use(path, base) + "." + expr
		}, name))
	}
	call := func(name, path, function, argPath, arg string) {
		b.Add(candidate.Expression(t, func(f *gofile.File) string {
			base := path[strings.LastIndexByte(path, '/')+1:]
			return f.Use(path, base) + "." + function + "(" + f.Use(argPath, argPath) + "." + arg + ")"
		}, name))
	}
	ofString := func(path, function string) {
		b.Add(candidate.Derived(t, types.Typ[types.String], function,
			func(f *gofile.File, arg string) string {
				return f.Use(path, path) + "." + function + "(" + arg + ")"
			}))
	}
	switch Key(t) {
	case "error":
		fixed("error", "errors", `New("e")`)
		b.Add(candidate.Zero(t))
		if b.thorough {
			b.addErrors(t)
		}

	case "context.Context":
		fixed("context", "context", "Background()")
		b.Add(candidate.Expression(t, func(f *gofile.File) string {
			c := f.Use("context", "context")
			return "func() " + c + ".Context { c, cancel := " + c + ".WithCancel(" + c +
				".Background()); cancel(); return c }()"
		}, "canceled context"))

	case "io.Reader", "io.ByteReader", "io.RuneReader", "io.ReadSeeker", "io.ReaderAt",
		"io.RuneScanner", "io.ByteScanner":
		ofString("strings", "NewReader")
		if Key(t) == "io.Reader" { // one that fails, and one that gives little at a time
			call("failing reader", "testing/iotest", "ErrReader", "io", "ErrUnexpectedEOF")
			b.Add(candidate.Derived(t, types.Typ[types.String], "slow reader",
				func(f *gofile.File, arg string) string {
					return f.Use("testing/iotest", "iotest") + ".OneByteReader(" +
						f.Use("strings", "strings") + ".NewReader(" + arg + "))"
				}))
		}

	case "io.ReadCloser":
		b.Add(candidate.Derived(t, types.Typ[types.String], "reader",
			func(f *gofile.File, arg string) string {
				return f.Use("io", "io") + ".NopCloser(" +
					f.Use("strings", "strings") + ".NewReader(" + arg + "))"
			}))

	case "io.ReadWriter":
		ofString("bytes", "NewBufferString")

	case "io.Writer", "io.StringWriter", "io.ByteWriter":
		fixed("writer", "bytes", "NewBuffer(nil)")
		if Key(t) == "io.Writer" {
			b.Add(candidate.Expression(t, func(f *gofile.File) string {
				return "(*" + f.Use("os", "os") + ".File)(nil)" // its methods return an error
			}, "failing writer"))
		}

	case "net/http.ResponseWriter":
		fixed("recorder", "net/http/httptest", "NewRecorder()")

	default:
		return false
	}
	return true
}

// addErrors adds errors of the kinds that code which looks into errors tells apart: those that wrap one or several others,
// one that cannot be compared, and one of a type that can be, which holds another one that may not.
func (b *Builder) addErrors(t types.Type) {
	of := func(name string, expr func(f *gofile.File, arg string) string) {
		b.Add(candidate.Derived(t, t, name, expr))
	}
	of("wrapped error", func(f *gofile.File, arg string) string {
		return f.Use("fmt", "fmt") + `.Errorf("e: %w", ` + arg + ")"
	})
	of("joined errors", func(f *gofile.File, arg string) string {
		return f.Use("errors", "errors") + ".Join(" + arg + ")"
	})
	of("error that holds an error", func(f *gofile.File, arg string) string {
		return f.Use("text/template", "template") + ".ExecError{Err: " + arg + "}"
	})
	b.Add(candidate.Expression(t, func(f *gofile.File) string {
		return f.Use("go/scanner", "scanner") + ".ErrorList{}"
	}, "uncomparable error"))
}

// libraryTypes are pointer types of the standard library that implement interfaces which modules
// declare for them, with the functions that make them.
var libraryTypes = []struct{ path, name, makes string }{
	{"bufio", "Writer", "NewWriter"},
	{"bufio", "Reader", "NewReader"},
	{"bytes", "Buffer", "NewBufferString"},
	{"strings", "Reader", "NewReader"},
}

// addLibraryTypes adds values of types of the standard library that implement an interface. It
// reports whether there are any. Types of packages that the module does not use are not among them.
func (b *Builder) addLibraryTypes(t types.Type, u *types.Interface) (found bool) {
	for _, l := range libraryTypes {
		if !b.Prog.Imports(l.path) {
			continue
		}
		pkg, err := b.Prog.Import(l.path)
		if err != nil {
			continue
		}
		tn, ok := pkg.Scope().Lookup(l.name).(*types.TypeName)
		if !ok || !types.Implements(types.NewPointer(tn.Type()), u) {
			continue
		}
		found = true
		b.Add(candidate.Derived(t, types.Typ[types.String], l.makes+l.name,
			func(f *gofile.File, arg string) string {
				if l.path == "bufio" {
					arg = f.Use("bytes", "bytes") + ".NewBufferString(" + arg + ")"
				}
				return f.Use(l.path, l.path) + "." + l.makes + "(" + arg + ")"
			}))
	}
	return found
}

// maxImplementations is the number of types of the module whose values an interface is given, and maxThorough that where
// one of them may be what leads to the crash that is sought.
const (
	maxImplementations = 6
	maxThorough        = 48
)

// addImplementations adds conversions of values of the types of the module that implement an
// interface, and, where it must be thorough, of results whose interface types have its methods. It reports whether there
// are any.
func (b *Builder) addImplementations(t types.Type, u *types.Interface) bool {
	found, most := 0, maxImplementations
	if b.thorough {
		found, most = b.addWider(t, u), maxThorough
	}
	for _, p := range b.Prog.All {
		if p != b.Pkg && !b.File.Importable(p.Types) {
			continue
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) ||
				p != b.Pkg && !tn.Exported() {
				continue
			}
			named := instance(tn.Type().(*types.Named))
			if named == nil || found >= most {
				continue
			}
			for _, c := range []types.Type{named, types.NewPointer(named)} {
				if types.Implements(c, u) {
					b.Add(candidate.Convert(t, c))
					found++
					break
				}
			}
		}
	}
	return found > 0
}

// addForeign adds conversions of values of types that are not of the module and implement an interface: those that the
// package tells apart by switches and assertions, and those of the package that declares the interface and, if that has
// none, of what it imports: ast.Expr is a *ast.CallExpr, and draw.Image an *image.Paletted.
func (b *Builder) addForeign(t types.Type, u *types.Interface) {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || b.Prog.Package(named.Obj().Pkg().Path()) != nil {
		return
	}
	seen := map[string]bool{}
	add := func(c types.Type) {
		if len(seen) < maxThorough && !seen[Key(c)] && types.Implements(c, u) && !types.IsInterface(c) && b.Add(candidate.Convert(t, c)) {
			seen[Key(c)] = true
		}
	}
	for _, c := range b.toldApart() {
		add(c)
	}
	addAll := func(pkg *types.Package) {
		if Uncallable[pkg.Path()] || !b.File.Importable(pkg) {
			return
		}
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !tn.Exported() || tn.IsAlias() {
				continue
			}
			if c, ok := tn.Type().(*types.Named); ok && c.TypeParams().Len() == 0 {
				if add(c); !seen[Key(c)] {
					add(types.NewPointer(c))
				}
			}
		}
	}
	own := named.Obj().Pkg()
	before := len(seen)
	if addAll(own); len(seen) > before {
		return
	}
	for _, pkg := range own.Imports() {
		if full, err := b.Prog.Import(pkg.Path()); err == nil {
			addAll(full)
		}
	}
}

// addWider adds conversions to an interface of the results of functions that have other interface types with all of its
// methods, and returns how many it adds.
func (b *Builder) addWider(t types.Type, u *types.Interface) (added int) {
	seen := map[string]bool{Key(t): true}
	for _, o := range slices.Clone(b.g.Table) {
		for _, out := range o.Out {
			if o.Func == nil || !types.IsInterface(out) || seen[Key(out)] || !types.Implements(out, u) {
				continue
			}
			seen[Key(out)] = true
			if b.Add(candidate.Convert(t, out)) {
				added++
			}
		}
	}
	return added
}
