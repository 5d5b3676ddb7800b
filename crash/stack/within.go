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
		rel, err := filepath.Rel(root, f.File)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		rel = filepath.ToSlash(rel)
		if strings.HasPrefix(rel, "vendor/") {
			continue
		}
		pos := symbol.Pos{File: rel, Line: f.Line}
		out = append(out, schemas.Frame{Func: f.Func, Pos: pos.String()})
	}
	return out
}
