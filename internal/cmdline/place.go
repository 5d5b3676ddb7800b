package cmdline

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"dsd/internal/format"
	"dsd/internal/symbol"
	"dsd/internal/text"
)

// Place completes a report with what depends on directories, see format.Report.At, and with the version.
func Place(r *format.Report, root string) error {
	from, err := os.Getwd()
	if err != nil {
		return err
	}
	r.At(root, from)
	r.Version = Version
	return nil
}

// Relative returns a function that makes positions relative to the working directory, as people open files, or
// absolute where that is shorter; root is the directory that they are relative to, "" if that is not known.
func Relative(root string) func(pos string) string {
	from, err := os.Getwd()
	if root == "" || err != nil {
		return func(pos string) string { return pos }
	}
	if from, err = filepath.EvalSymlinks(from); err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return func(pos string) string { return pos }
	}
	return func(pos string) string {
		at := symbol.ParsePos(pos)
		if !filepath.IsLocal(filepath.FromSlash(at.File)) || strings.Contains(at.File, "@") {
			return pos
		}
		file := filepath.Join(root, filepath.FromSlash(at.File))
		if rel, err := filepath.Rel(from, file); err == nil && len(rel) < len(file) {
			file = rel
		}
		at.File = file
		return at.String()
	}
}

// Style returns how to write text to w: with colors on a terminal that has them, unless NO_COLOR is set.
func Style(w io.Writer) text.Style {
	term := os.Getenv("TERM")
	return text.Style(IsTerminal(w) && os.Getenv("NO_COLOR") == "" && term != "" && term != "dumb")
}
