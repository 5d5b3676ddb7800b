package source

import (
	"path/filepath"
	"regexp"
)

// lineDirective matches the beginning of a directive that changes the positions after it.
var lineDirective = regexp.MustCompile(`(?m)^//line |/\*line `)

// withoutLines returns the text of a Go file with its //line directives turned into other comments of
// the same length, and reports whether it has any.
func withoutLines(text []byte) ([]byte, bool) {
	if !lineDirective.Match(text) {
		return text, false
	}
	return lineDirective.ReplaceAllFunc(text, func(d []byte) []byte {
		return []byte(string(d[:2]) + "Line ")
	}), true
}

// WithoutLines returns the files that have //line directives, without these, by their names relative to
// the module's root. Compiled in their place, they give stacks with the positions in the files.
func (p *Program) WithoutLines() map[string][]byte {
	out := map[string][]byte{}
	for _, pkg := range p.All {
		for i, name := range pkg.Filenames {
			if !pkg.lines[name] {
				continue
			}
			if rel, err := filepath.Rel(p.Dir, name); err == nil {
				out[filepath.ToSlash(rel)] = pkg.Sources[i]
			}
		}
	}
	return out
}
