package stack

import (
	"path/filepath"
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// Within returns the frames of the panic that lie in the module whose root directory is root,
// crash first, as documents write them. It stops at the first frame in a file for which stop
// returns true: the test, or the generated code that called the module. Packages in root's vendor
// directory do not belong to the module.
func (p *Panic) Within(root string, stop func(file string) bool) []schemas.Frame {
	var out []schemas.Frame
	for _, f := range p.Frames {
		if stop(f.File) {
			break
		}
		if rel, ok := relative(root, f.File); ok {
			pos := symbol.Pos{File: rel, Line: f.Line}
			out = append(out, schemas.Frame{Func: f.Func, Pos: pos.String()})
		}
	}
	return out
}

// RaisedOutside reports whether code outside the module whose root directory is root called panic:
// a library that the module calls.
func (p *Panic) RaisedOutside(root string) bool {
	for _, f := range p.Frames {
		if f.Func != "panic" && !strings.HasPrefix(f.Func, "runtime.") {
			_, inside := relative(root, f.File)
			return !inside
		}
	}
	return false
}

// relative returns a file's name relative to the root of a module, and reports whether the file
// belongs to the module.
func relative(root, file string) (string, bool) {
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	return rel, !strings.HasPrefix(rel, "vendor/")
}
