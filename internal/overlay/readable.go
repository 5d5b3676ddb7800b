package overlay

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Readable returns the directories with the sources of the build and with what they may read at run time: the module, or
// all modules of its workspace, the modules that replace others, the module cache, the toolchain, and Scratch.
func (o *Overlay) Readable() []string {
	out := []string{o.Root, o.Scratch, o.moduleCache, o.toolchain}
	roots := []string{o.Root}
	if o.workspace != "" {
		dirs := localDirs(o.workspace, used)
		roots, out = append(roots, dirs...), append(out, dirs...)
		out = append(out, localDirs(o.workspace, replaced)...)
	}
	for _, r := range roots {
		out = append(out, localDirs(filepath.Join(r, "go.mod"), replaced)...)
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(dir string) bool { return !filepath.IsAbs(dir) })
}

var (
	// replaced matches the directory that a replace directive of go.mod or go.work names.
	replaced = regexp.MustCompile("(?m)=>[ \t]*[\"`]?((?:\\.{1,2}(?:/[^\\s\"`]*)?|/[^\\s\"`]*))")
	// used matches a directory of go.work.
	used = regexp.MustCompile("(?m)^[ \t]*(?:use[ \t]+)?[\"`]?((?:\\.{1,2}(?:/[^\\s\"`]*)?|/[^\\s\"`]*))[\"`]?[ \t]*(?://.*)?$")
)

// localDirs returns the directories that a pattern matches in a file; names are relative to the file's directory.
func localDirs(file string, pattern *regexp.Regexp) (dirs []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
		dir := filepath.FromSlash(strings.TrimSuffix(m[1], "/"))
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(file), dir)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}
