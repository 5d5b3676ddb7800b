package format

import (
	"os"
	"path/filepath"
	"strings"
)

// At sets what depends on directories: root is that of positions, "" if it is not known, and from the one where
// the output is read. Both are absolute.
func (r *Report) At(root, from string) {
	if root == "" {
		return
	}
	if rel, err := filepath.Rel(from, root); err == nil && rel != "." && filepath.IsLocal(rel) {
		r.Prefix = filepath.ToSlash(rel)
	}
	files := map[string][]string{}
	r.Line = func(file string, line int) string {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return ""
		}
		lines, known := files[file]
		if !known {
			if text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file))); err == nil {
				lines = strings.Split(string(text), "\n")
			}
			files[file] = lines
		}
		if line < 1 || line > len(lines) {
			return ""
		}
		return lines[line-1]
	}
}
