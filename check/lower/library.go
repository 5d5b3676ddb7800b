package lower

import (
	"go/types"
	"strings"

	"dsd/internal/source"
)

// nilWithoutError holds the functions of the standard library that may return nil and no error.
var nilWithoutError = map[string]bool{
	"crypto/tls.(*Config).DecryptTicket":    true,
	"database/sql/driver.Null.ConvertValue": true,
	"debug/dwarf.(*Data).LineReader":        true,
	"debug/dwarf.(*Reader).Next":            true,
	"encoding/json.(*Decoder).Token":        true,
	"net/http.ProxyFromEnvironment":         true,
	"net/http.(*Request).Cookie":            true,
}

// nilConstructors holds the functions of the standard library that begin as constructors do, and
// may return nil.
var nilConstructors = map[string]bool{
	"container/ring.New":   true, // of a ring without elements
	"go/ast.NewCommentMap": true,
	"go/types.NewTuple":    true, // of no variables
	"math/rand.NewZipf":    true, // of parameters out of range
	"math/rand/v2.NewZipf": true,
}

// assumeLibraryResults assumes of the results of functions of the standard library without models
// what these have in common: constructors do not return nil, and a function that returns a pointer
// or an interface and an error returns one of them.
func (em *emitter) assumeLibraryResults(f *types.Func, vals []Value) {
	if f.Pkg() == nil || !isStandard(f.Pkg().Path()) {
		return
	}
	if n := len(vals) - 1; n > 0 {
		em.assumeResultOrError(f, vals, n)
		return
	}
	constructs := strings.HasPrefix(f.Name(), "New") && !nilConstructors[source.FuncName(f)]
	if len(vals) == 1 && constructs && f.Type().(*types.Signature).Recv() == nil {
		switch vals[0].Type.Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Signature:
			em.axiom(em.b.Not(em.isZero(vals[0])))
		}
	}
}

// assumeResultOrError assumes that the pointers and interfaces among the first n results are not nil, or
// that the n-th is not, if that is an error.
func (em *emitter) assumeResultOrError(f *types.Func, vals []Value, n int) {
	if nilWithoutError[source.FuncName(f)] || f.Pkg().Path() == "database/sql" ||
		!types.Identical(vals[n].Type, types.Universe.Lookup("error").Type()) {
		return
	}
	failed := em.b.Not(em.isZero(vals[n]))
	for _, v := range vals[:n] {
		switch v.Type.Underlying().(type) {
		case *types.Pointer, *types.Interface:
			em.axiom(em.b.Or(failed, em.b.Not(em.isZero(v))))
		}
	}
}

// isStandard reports whether an import path is one of the standard library.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}
