package summary

import (
	"context"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"dsd/check"
	"dsd/internal/source"
)

// Package returns the summaries of the exported functions and methods of the package of the
// standard library with that import path: conditions that hold whenever they return, by the name
// that stack traces have for the function. dir is a directory in which the go command is run.
//
// Cost: one analysis per function, and a query per candidate.
func Package(ctx context.Context, dir, path string) (map[string][]string, error) {
	prog, err := source.LoadStandard(ctx, dir, path)
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, f := range prog.Packages[0].Funcs() {
		if !isPublic(f.Obj) || ctx.Err() != nil {
			continue
		}
		cands := candidates(f.Obj)
		if len(cands) == 0 {
			continue
		}
		list, err := check.Ensures(ctx, prog, f, cands, check.Options{})
		if err != nil {
			continue // it has no summary
		}
		if list = withoutImplied(list); len(list) > 0 {
			out[f.Name] = list
		}
	}
	return out, ctx.Err()
}

// withoutImplied returns list without the conditions that hold anyway under a condition, and without
// repetitions.
func withoutImplied(list []string) (out []string) {
	for _, c := range list {
		_, guarded, ok := strings.Cut(strings.TrimSuffix(c, ")"), ", ")
		implied := ok && strings.HasPrefix(c, "implies(") && slices.Contains(list, guarded)
		if !implied && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// isPublic reports whether other packages can call a function by its name: it and its receiver's
// type are exported, and not generic.
func isPublic(f *types.Func) bool {
	sig := f.Type().(*types.Signature)
	if !f.Exported() || sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return false
	}
	if sig.Recv() == nil {
		return true
	}
	name := types.TypeString(sig.Recv().Type(), func(*types.Package) string { return "" })
	return ast.IsExported(strings.TrimPrefix(name, "*"))
}

// File is the file of summaries, relative to the root of this module.
const File = "check/lower/summaries.json"

// Document is the content of File.
type Document struct {
	// Go is the version of Go that the summaries were made from.
	Go string `json:"go"`
	// Functions are the conditions that hold when functions return, by the name that stack
	// traces have for the function.
	Functions map[string][]string `json:"functions"`
}

// Packages are the packages that are summarized. Those whose functions act on the system, such as os,
// are not among them: the test calls every function with any arguments.
var Packages = strings.Fields(`archive/tar archive/zip bufio bytes compress/flate compress/gzip
	compress/zlib container/heap container/list container/ring context crypto/md5 crypto/sha1
	crypto/sha256 crypto/sha512 encoding/ascii85 encoding/base32 encoding/base64 encoding/binary
	encoding/csv encoding/hex encoding/json encoding/pem encoding/xml errors fmt go/token
	hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash html html/template image image/color
	image/draw index/suffixarray io math math/big math/bits math/cmplx math/rand math/rand/v2 mime
	mime/multipart net/http net/http/httptest net/mail net/netip net/textproto net/url path
	path/filepath reflect regexp regexp/syntax sort strconv strings text/scanner text/tabwriter
	text/template text/template/parse time unicode unicode/utf16 unicode/utf8`)
