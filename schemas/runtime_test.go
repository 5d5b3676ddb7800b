package schemas

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite crash/record/keep/schema.go")

// keptTypes are the types that the runtime of recorded programs writes, with their names in package
// keep. The runtime is compiled into other people's programs and cannot import schemas.
var keptTypes = []struct{ file, name, kept string }{
	{"header.go", "Header", "header"},
	{"header.go", "Module", "module"},
	{"header.go", "WorkspaceModule", "workspaceModule"},
	{"recording.go", "Recording", "Recording"},
	{"recording.go", "RecordedBuild", "build"},
	{"recording.go", "RecordedCrash", "crash"},
	{"recording.go", "Loss", "loss"},
	{"recording.go", "RecordedFrame", "frame"},
	{"value.go", "Input", "Input"},
	{"value.go", "Node", "Node"},
	{"value.go", "Elem", "Elem"},
	{"value.go", "TypeDef", "typeDef"},
	{"value.go", "TypeField", "typeField"},
}

// TestRuntimeTypes checks that crash/record/keep/schema.go has the types of schemas. With -update
// it is written.
func TestRuntimeTypes(t *testing.T) {
	kept := map[string]string{}
	for _, k := range keptTypes {
		kept[k.name] = k.kept
	}
	var out bytes.Buffer
	out.WriteString("//go:build go1.21\n\n" +
		"// Code generated from package schemas by go test ./schemas -update; DO NOT EDIT.\n\n" +
		"package keep\n")
	for _, k := range keptTypes {
		out.WriteString("\n// " + k.kept + " is schemas." + k.name + ".\ntype " + k.kept + " ")
		if err := format.Node(&out, token.NewFileSet(), structOf(t, k.file, k.name, kept)); err != nil {
			t.Fatal(err)
		}
		out.WriteString("\n")
	}
	want, err := format.Source(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "crash", "record", "keep", "schema.go")
	if *update {
		if err := os.WriteFile(file, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not up to date with schemas (%v): run go test ./schemas -update", file, err)
	}
}

// structOf returns a struct type of schemas with the names of package keep, without comments.
func structOf(t *testing.T, file, name string, kept map[string]string) *ast.StructType {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found *ast.StructType
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && s.Name.Name == name {
			found = s.Type.(*ast.StructType)
		}
		return true
	})
	if found == nil {
		t.Fatalf("%s has no type %s", file, name)
	}
	out := &ast.StructType{Fields: &ast.FieldList{}}
	for _, f := range found.Fields.List {
		ast.Inspect(f.Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && kept[id.Name] != "" {
				id.Name = kept[id.Name]
			}
			return true
		})
		one := &ast.Field{Type: f.Type}
		for _, n := range f.Names {
			one.Names = append(one.Names, ast.NewIdent(n.Name))
		}
		if f.Tag != nil {
			one.Tag = &ast.BasicLit{Kind: token.STRING, Value: f.Tag.Value}
		}
		out.Fields.List = append(out.Fields.List, one)
	}
	return out
}
