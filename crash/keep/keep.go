// Package keep turns the test of a crash into one to keep: it fails as long as the function panics, and passes once
// that is mended.
//
// The generated test ends with the panic, which is what a person wants who runs it to see the crash. A test that stays
// in a package must let the others run, be in the external test package if exported names suffice, and have a name
// that says what was wrong. So the source is edited by byte offset: a deferred function that recovers is added, the
// names of the package get its name before them, and the test, with the types that it declares, gets another name.
package keep

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"dsd/internal/kind"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Test returns the test of a crash of prog as one to keep. Its File is new in the directory of the package and
// its Name in the package. The error says why there is none.
func Test(prog *source.Program, c *schemas.Crash) (*schemas.Test, error) {
	pkg := prog.Package(c.Test.Package)
	if pkg == nil {
		return nil, fmt.Errorf("the module has no package %s", c.Test.Package)
	}
	k := &keeper{pkg: pkg, crash: c, fset: token.NewFileSet(), text: []byte(c.Test.Source)}
	var err error
	// With the resolution of objects, which tells names of the package from those of the test.
	if k.file, err = parser.ParseFile(k.fset, c.Test.File, k.text, parser.ParseComments); err != nil {
		return nil, fmt.Errorf("the test cannot be read: %w", err)
	}
	for _, d := range k.file.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == c.Test.Name {
			k.fn = fd
		}
	}
	if k.fn == nil || k.fn.Body == nil || len(k.fn.Type.Params.List) != 1 {
		return nil, fmt.Errorf("the test has no function %s(*testing.T)", c.Test.Name)
	}
	name, file := k.names()
	text, err := format.Source(k.write(name))
	if err != nil {
		return nil, fmt.Errorf("the test cannot be rewritten: %w", err)
	}
	t := &schemas.Test{Package: c.Test.Package, File: file, Name: name, Source: string(text), Files: c.Test.Files}
	return t, nil
}

// keeper is the work on one test.
type keeper struct {
	pkg   *source.Package
	crash *schemas.Crash
	fset  *token.FileSet
	file  *ast.File
	text  []byte
	fn    *ast.FuncDecl
	edits []edit
}

// edit replaces the text between two offsets.
type edit struct {
	from, to int
	text     string
}

func (k *keeper) replace(from, to token.Pos, text string) {
	k.edits = append(k.edits, edit{k.fset.Position(from).Offset, k.fset.Position(to).Offset, text})
}

// names returns the name of the test, after the function and the fault, and that of its file. Both are new.
func (k *keeper) names() (name, file string) {
	n := symbol.Parse(symbol.Plain(k.crash.Func))
	fault := string(k.crash.Kind)
	if d := kind.Of(k.crash.Kind); d != nil {
		fault = d.Title
	}
	words := append(fields(n.Receiver), fields(n.Func)...)
	words = append(words, fields(fault)...)
	taken, files := k.pkg.TestNames(), map[string]bool{}
	for _, f := range slices.Concat(k.pkg.TestFiles, k.pkg.Filenames) {
		files[strings.ToLower(filepath.Base(f))] = true
	}
	for digits := 0; ; digits++ { // of the fingerprint, or of any text that differs
		suffix := ""
		if id := k.crash.Fingerprint + k.crash.ID; digits > 0 {
			suffix = id[:min(3+digits, len(id))]
		}
		name, file = "Test", ""
		for _, w := range append(slices.Clone(words), fields(suffix)...) {
			name += strings.ToUpper(w[:1]) + w[1:]
			file += strings.ToLower(w) + "_"
		}
		file += "test.go"
		if !taken[name] && !files[file] || digits > 20 {
			return name, file
		}
	}
}

// fields returns the words of a name or a text that names can have.
func fields(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// write returns the source of the test under a new name.
func (k *keeper) write(name string) []byte {
	called := symbol.Short(k.crash.Func)
	_, called, _ = strings.Cut(called, ".")
	comment := fmt.Sprintf("// %s: %s panicked: %s.", name, called, oneLine(k.crash.Message))
	t := "t"
	if uses(k.fn.Body, "t") {
		t = "test"
	}
	guard := fmt.Sprintf("\n\tdefer func() {\n\t\tif p := recover(); p != nil {\n\t\t\t%s.Fatalf(\"%%v\", p)\n\t\t}\n\t}()\n", t)
	if k.crash.Kind == schemas.StackOverflow {
		comment += "\n// No deferred function can recover from that: until it is mended, it ends the other tests, too."
		guard = ""
		t = "_"
	}
	from := k.fn.Pos()
	if k.fn.Doc != nil {
		from = k.fn.Doc.Pos()
	}
	k.replace(from, k.fn.Name.End(), comment+"\nfunc "+name)
	k.replace(k.fn.Type.Params.Opening, k.fn.Type.Params.Closing+1, "("+t+" *testing.T)")
	if guard != "" {
		k.replace(k.fn.Body.Lbrace+1, k.fn.Body.Lbrace+1, guard)
	}
	k.useResults()
	k.renameTypes(name)
	k.toExternal()
	slices.SortStableFunc(k.edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, e := range k.edits {
		out.Write(k.text[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(k.text[at:])
	return out.Bytes()
}

// useResults assigns the results of the last call, that of the crash, to nothing: a linter may say that a call of
// a function without side effects is of no use.
func (k *keeper) useResults() {
	list := k.fn.Body.List
	if len(list) == 0 {
		return
	}
	st, ok := list[len(list)-1].(*ast.ExprStmt)
	if !ok {
		return
	}
	call, ok := st.X.(*ast.CallExpr)
	if !ok {
		return
	}
	name := ""
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	for _, f := range k.pkg.Funcs() {
		if f.Name == symbol.Plain(k.crash.Func) && f.Obj.Name() == name {
			if n := f.Obj.Type().(*types.Signature).Results().Len(); n > 0 {
				k.replace(st.Pos(), st.Pos(), strings.Repeat("_, ", n-1)+"_ = ")
			}
		}
	}
}

// uses reports whether an identifier of that name is in a block.
func uses(b *ast.BlockStmt, name string) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// oneLine returns the first line of a message, shortened, without its last period.
func oneLine(message string) string {
	const most = 100
	line, _, _ := strings.Cut(strings.TrimPrefix(message, "runtime error: "), "\n")
	line = strings.TrimSuffix(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, line), ".")
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "..."
	}
	return line
}

// renameTypes gives the types that the file declares, which are named after the generated test, the new name.
func (k *keeper) renameTypes(name string) {
	old := strings.TrimPrefix(k.crash.Test.Name, "Test")
	lower := strings.ToLower(old[:1]) + old[1:]
	base := strings.TrimPrefix(name, "Test")
	base = strings.ToLower(base[:1]) + base[1:]
	ast.Inspect(k.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, lower) && id.Name != lower {
			k.replace(id.Pos(), id.End(), base+id.Name[len(lower):])
		}
		return true
	})
	for _, group := range k.file.Comments {
		for _, c := range group.List {
			if rest, ok := strings.CutPrefix(c.Text, "// "+lower); ok {
				k.replace(c.Pos(), c.End(), "// "+base+rest)
			}
		}
	}
}

// toExternal moves the test to the external test package, if it uses exported names only.
func (k *keeper) toExternal() {
	if k.pkg.Name == "main" || k.crash.UnexportedCalls || k.crash.BuiltBy != schemas.BySequence {
		return
	}
	imported := map[string]bool{}
	for _, s := range k.file.Imports {
		path, _ := strconv.Unquote(s.Path.Value)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if s.Name != nil {
			name = s.Name.Name
		}
		imported[name] = true
	}
	keys := k.structKeys()
	var names []*ast.Ident
	for _, id := range k.file.Unresolved {
		obj := k.pkg.Types.Scope().Lookup(id.Name)
		if obj == nil || keys[id] || imported[id.Name] {
			continue
		}
		if !obj.Exported() {
			return
		}
		names = append(names, id)
	}
	taken := imported[k.pkg.Name]
	ast.Inspect(k.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		taken = taken || ok && id.Name == k.pkg.Name && id != k.file.Name
		return true
	})
	if taken || k.unexportedFields() {
		return
	}
	for _, id := range names {
		k.replace(id.Pos(), id.Pos(), k.pkg.Name+".")
	}
	k.replace(k.file.Name.Pos(), k.file.Name.End(), k.pkg.Name+"_test")
	if len(names) == 0 { // it calls methods of what other packages return
		return
	}
	spec := strconv.Quote(k.pkg.Path)
	if base := k.pkg.Path[strings.LastIndexByte(k.pkg.Path, '/')+1:]; base != k.pkg.Name {
		spec = k.pkg.Name + " " + spec
	}
	k.addImport(spec)
}

// addImport adds an import to those of the file, which has at least that of testing.
func (k *keeper) addImport(spec string) {
	for _, d := range k.file.Decls {
		g, ok := d.(*ast.GenDecl)
		switch {
		case !ok || g.Tok != token.IMPORT:
		case g.Lparen.IsValid():
			k.replace(g.Rparen, g.Rparen, "\n"+spec+"\n")
			return
		default:
			k.replace(g.Specs[0].Pos(), g.Specs[0].Pos(), "(\n")
			k.replace(g.End(), g.End(), "\n\n"+spec+"\n)")
			return
		}
	}
	k.replace(k.file.Name.End(), k.file.Name.End(), "\n\nimport "+spec+"\n")
}

// structKeys returns the identifiers that are keys of composite literals of structs: names of fields.
func (k *keeper) structKeys() map[*ast.Ident]bool {
	out := map[*ast.Ident]bool{}
	ast.Inspect(k.file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || k.hasIndices(lit.Type) {
			return true
		}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					out[id] = true
				}
			}
		}
		return true
	})
	return out
}

// hasIndices reports whether the keys of a composite literal of that type are values: those of maps, slices and
// arrays.
func (k *keeper) hasIndices(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.MapType, *ast.ArrayType:
		return true
	case *ast.Ident:
		if obj := k.pkg.Types.Scope().Lookup(t.Name); obj != nil {
			_, isStruct := obj.Type().Underlying().(*types.Struct)
			return !isStruct
		}
	}
	return false // of a struct, or an element whose type is left out: its keys are mostly names of fields
}

// unexportedFields reports whether the test names a field or method that is not exported.
func (k *keeper) unexportedFields() (found bool) {
	keys := k.structKeys()
	ast.Inspect(k.fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || !n.Sel.IsExported()
		case *ast.Ident:
			found = found || keys[n] && !n.IsExported()
		}
		return !found
	})
	return found
}
