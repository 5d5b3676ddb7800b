package source

import (
	"bytes"
	"context"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unsafe"
)

// Files that import "C" are checked as they are written. What they use of C is declared in a file
// that cgo writes, with the names that follow.

// cPrefixes are what cgo puts before the name of something in C: a constant, type, variable, function
// or macro.
var cPrefixes = []string{
	"_Ciconst_", "_Cfconst_", "_Csconst_", "_Ctype_", "_Cvar_", "_Cfpvar_fp_", "_Cfunc_", "_Cmacro_",
}

// CName returns the name in C of an object that cgo declares; ok reports whether it is one.
func CName(o types.Object) (name string, ok bool) {
	for _, p := range cPrefixes {
		if name, ok = strings.CutPrefix(o.Name(), p); ok {
			if name == "_CMalloc" {
				name = "malloc"
			}
			return name, true
		}
	}
	return "", false
}

// declarations adds to the packages with files that import "C" what cgo declares for these. If cgo
// fails, so does each package, with CgoError.
func (p *Program) declarations(ctx context.Context, dir string) error {
	for _, pkg := range p.All {
		if !pkg.Cgo {
			continue
		}
		files, err := list(ctx, dir, []string{"-compiled", "-json=Dir,CompiledGoFiles", "--", pkg.Path})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && len(files) == 1 {
			err = p.addDeclarations(pkg, files[0])
		}
		if err != nil {
			pkg.CgoError = FirstComplaint(err.Error())
		}
	}
	return nil
}

// addDeclarations finds the file with cgo's declarations among those that are compiled.
func (p *Program) addDeclarations(pkg *Package, l *listedPackage) error {
	for _, name := range l.CompiledGoFiles {
		if !filepath.IsAbs(name) {
			continue // one of the package's own
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if bytes.Contains(text, []byte("var _Cgo_always_false bool")) {
			pkg.declaredText = text
			pkg.declared, err = parser.ParseFile(p.Fset, name, text, parser.SkipObjectResolution)
			return err
		}
	}
	return nil
}

// useCgo makes the type checker look for C.name among cgo's declarations, and reports whether it can.
// The field is not exported; golang.org/x/tools/go/packages sets it in the same way.
func useCgo(conf *types.Config) bool {
	f := reflect.ValueOf(conf).Elem().FieldByName("go115UsesCgo")
	if !f.IsValid() {
		return false
	}
	*(*bool)(unsafe.Pointer(f.UnsafeAddr())) = true
	return true
}
