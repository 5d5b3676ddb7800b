package source

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Digest returns a digest of all that an analysis of the program can depend on: the sources, which of the packages the
// patterns match, and the export data of the packages that are not loaded from source. The error reports export data
// that cannot be read. It reads them only if the go command's cache does not name them by their content.
func (p *Program) Digest() (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %v\n", p.Module, p.GoVersion, p.Platform, p.Tests)
	for _, m := range p.Modules {
		fmt.Fprintf(h, "module %q %q %q\n", m.Path, m.Version, m.GoVersion)
	}
	for _, b := range p.Broken {
		fmt.Fprintf(h, "broken %q\n", b.Path)
	}
	for _, pkg := range p.All {
		fmt.Fprintf(h, "package %q %q %v %q\n", pkg.Path, pkg.Name, slices.Contains(p.Packages, pkg), pkg.CgoError)
		p.hashFiles(h, pkg)
		writePart(h, pkg.declaredText)
	}
	for _, path := range slices.Sorted(maps.Keys(p.users)) {
		if pkg := p.users[path].pkg; pkg != nil { // nil if no package of All imports it
			fmt.Fprintf(h, "user %q\n", path)
			p.hashFiles(h, pkg)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(p.exports)) {
		id, err := exportID(p.exports[path])
		if err != nil {
			return sum, err
		}
		fmt.Fprintf(h, "export %q %s\n", path, id)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// hashFiles hashes the names and contents of a package's files.
func (p *Program) hashFiles(h hash.Hash, pkg *Package) {
	for i, name := range pkg.Filenames {
		fmt.Fprintf(h, "file %q %v ", p.Rel(name), pkg.lines[name])
		writePart(h, pkg.Sources[i])
	}
}

// writePart writes a text and its length.
func writePart(w io.Writer, text []byte) {
	fmt.Fprintf(w, "%d\n", len(text))
	w.Write(text)
}

// exportID returns a name for the content of a file with export data, "" if there is no such file. The go command's
// cache names its files after their SHA-256.
func exportID(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	name, _ := strings.CutSuffix(filepath.Base(file), "-d")
	if sum, err := hex.DecodeString(name); err == nil && len(sum) == sha256.Size {
		return name, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}
