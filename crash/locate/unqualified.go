package locate

import (
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
)

// qualified returns the name of a frame's function with its package, which the text does not name, and its file: of
// those packages of the build whose file of that name has the function bare at the line, the one whose path agrees
// most with the frame's. If the text does not name the function either, it is the one around the line. It
// returns what the frame has if there is none, or no best one.
func (l *locator) qualified(bare string, frame stacktrace.Frame) (name, file string) {
	want := strings.Split(strings.ReplaceAll(frame.File, `\`, "/"), "/")
	best, most, several := "", 0, false
	file = frame.File
	for _, c := range l.candidates(frame.File) {
		at := l.parse(c.file)
		if at.syntax == nil {
			continue
		}
		d := l.enclosing(at.syntax, frame.Line)
		if d == nil {
			continue
		}
		pkg := c.pkg
		if at.syntax.Name.Name == "main" {
			pkg = "main"
		}
		fn := bare
		if stack.UnknownPackage+"."+bare == stack.UnknownFunc {
			fn = declared(d)
		}
		name := symbol.Name{Package: pkg}.String() + fn // which escapes dots
		switch {
		case !slices.Contains(symbol.Parse(name).Declared(), d.Name.Name):
			continue
		}
		has := strings.Split(filepath.ToSlash(c.file), "/")
		n := 0
		for n < len(has) && n < len(want) && has[len(has)-1-n] == want[len(want)-1-n] {
			n++
		}
		switch {
		case n > most:
			best, most, several = name, n, false
			file = filepath.ToSlash(c.file)
		case n == most && name != best:
			several = true
		}
	}
	if best == "" || several {
		return frame.Func, frame.File
	}
	return best, file
}

// candidate is a file of a package.
type candidate struct{ pkg, file string }

// candidates returns the files of the build with the base name of a file: of the module that its path
// names, or else of all main modules.
func (l *locator) candidates(file string) []candidate {
	file = strings.ReplaceAll(file, `\`, "/")
	var out, below []candidate
	longest := 0
	for _, m := range l.build {
		if m.Dir == "" {
			continue
		}
		at := func(rel string) []candidate {
			return []candidate{{path.Join(m.Path, path.Dir(rel)), filepath.Join(m.Dir, filepath.FromSlash(rel))}}
		}
		if rel, ok := within(m, file); ok {
			return at(rel)
		}
		if rel, ok := belowPath(m, file); ok && len(m.Path) > longest {
			below, longest = at(rel), len(m.Path)
		}
		if m.Main {
			out = append(out, l.named(m, path.Base(file))...)
		}
	}
	if below != nil {
		return below
	}
	return out
}

// belowPath returns the rest of a path below a folder that is named like a module, as in GOPATH and in vendor folders, and
// in repositories that are named like their modules.
func belowPath(m *source.Module, file string) (rel string, ok bool) {
	if first, _, _ := strings.Cut(m.Path, "/"); !strings.Contains(first, ".") {
		return "", false // any folder may have that name
	}
	if _, rel, ok = strings.Cut("/"+file, "/"+m.Path+"/"); ok {
		return rel, true
	}
	repository, version := path.Split(m.Path)
	if majorVersion.MatchString(version) {
		_, rel, ok = strings.Cut("/"+file, "/"+repository)
	}
	return rel, ok
}

// majorVersion matches the last element of the paths of modules from version 2 on.
var majorVersion = regexp.MustCompile(`^v\d+$`)

// within returns the rest of a path that names a module: by its directory, in a module cache, or as with -trimpath.
func within(m *source.Module, file string) (rel string, ok bool) {
	if rel, ok := strings.CutPrefix(file, filepath.ToSlash(m.Dir)+"/"); ok {
		return rel, true
	}
	if m.Version != "" {
		if _, rel, ok := strings.Cut("/"+file, "/"+m.Path+"@"+m.Version+"/"); ok {
			return rel, true
		}
		return "", false
	}
	return strings.CutPrefix(file, m.Path+"/")
}

// named returns the files of a module with a base name.
func (l *locator) named(m *source.Module, base string) []candidate {
	if l.byBase == nil {
		l.byBase = map[string][]candidate{}
		filepath.WalkDir(m.Dir, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case e.IsDir() && name != m.Dir && (strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") ||
				e.Name() == "testdata" || e.Name() == "vendor"):
				return fs.SkipDir
			case strings.HasSuffix(e.Name(), ".go"):
				rel, _ := filepath.Rel(m.Dir, filepath.Dir(name))
				l.byBase[e.Name()] = append(l.byBase[e.Name()], candidate{path.Join(m.Path, filepath.ToSlash(rel)), name})
			}
			return nil
		})
	}
	return l.byBase[base]
}
