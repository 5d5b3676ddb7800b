package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dsd/internal/subprocess"
)

// listedPackage is a package as `go list -json` describes it.
type listedPackage struct {
	Dir, ImportPath, Name, Export string
	GoFiles, CgoFiles             []string
	CompiledGoFiles               []string
	TestGoFiles, XTestGoFiles     []string
	Imports                       []string
	ForTest                       string
	Error                         *listError
	ImportMap                     map[string]string
	Standard, DepOnly             bool
	Module                        *struct {
		Path, Version, Dir, GoVersion string
		Main                          bool
	}
}

// listError is an error of a package as `go list -e -json` describes it.
type listError struct{ Pos, Err string }

// text returns the error as the compiler would write it.
func (e *listError) text() string {
	if e.Pos == "" {
		return e.Err
	}
	return e.Pos + ": " + e.Err
}

// withoutVariants removes, from a list that `go list -test` made, the packages that hold tests: those are
// put together here. A package of which only a variant is listed, built for the tests of a package that
// it imports, is taken for the package itself.
func withoutVariants(pkgs []*listedPackage) []*listedPackage {
	var out []*listedPackage
	seen := map[string]bool{}
	for _, l := range pkgs {
		path, _, variant := strings.Cut(l.ImportPath, " [")
		isMain := len(l.GoFiles) == 1 && filepath.IsAbs(l.GoFiles[0]) // generated, in the build cache
		if seen[path] || isMain || variant && (path == l.ForTest || path == l.ForTest+"_test") {
			continue
		}
		seen[path] = true
		l.ImportPath = path
		for from, to := range l.ImportMap {
			l.ImportMap[from], _, _ = strings.Cut(to, " [")
		}
		for i, path := range l.Imports {
			l.Imports[i], _, _ = strings.Cut(path, " [")
		}
		out = append(out, l)
	}
	return out
}

// errorLine matches the beginning of a line that reports an error at a position in a file.
var errorLine = regexp.MustCompile(`(?m)^\S+\.go:\d+:\d+: `)

// noMatchMessages are parts of the go command's messages for patterns that match no package.
var noMatchMessages = []string{
	"no Go files in", "directory not found", "cannot find module", "is not in std",
	"no required module provides", "does not contain package", "does not contain main module",
	"cannot find main module", "outside main module", "does not contain modules listed in go.work",
}

// list runs `go list` in dir. Errors: a wrapped ErrNoPackages if the patterns match nothing, a
// *CompileError for other errors that the go command reports.
func list(ctx context.Context, dir string, args []string) ([]*listedPackage, error) {
	if s, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !s.IsDir() {
		return nil, fmt.Errorf("%s is not a directory", dir)
	}
	out, text, err := subprocess.Go(ctx, dir, append([]string{"list"}, args...)...)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if failure := subprocess.Failure(err, text); failure != nil {
			return nil, failure
		}
		if errorLine.MatchString(text) { // such as an import that is not found
			return nil, &CompileError{text}
		}
		if strings.Contains(text, "does not contain main module or its selected dependencies") {
			return nil, fmt.Errorf("%w: there is no go.mod in %s or above; go mod init makes one", ErrNoPackages, dir)
		}
		for _, m := range noMatchMessages {
			if strings.Contains(text, m) {
				return nil, fmt.Errorf("%w: %s", ErrNoPackages, strings.TrimSpace(strings.Split(text, "\n")[0]))
			}
		}
		return nil, &CompileError{text}
	}
	if len(out) == 0 && text == "" { // if nothing matches, it says so
		return nil, errors.New("the go command printed nothing")
	}
	var pkgs []*listedPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listedPackage)
		if err := dec.Decode(l); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, l)
	}
	return pkgs, nil
}

// FirstComplaint returns the first line of the go command's output that is not the name of a
// package.
func FirstComplaint(out string) string {
	for l := range strings.Lines(out) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			return l
		}
	}
	return strings.TrimSpace(out)
}
