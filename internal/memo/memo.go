package memo

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dsd/internal/cache"
	"dsd/internal/source"
)

// ID is a digest.
type ID = cache.ID

// Key is what a result is kept under: the digest of all that it depends on.
type Key struct {
	id ID
	// folders are those of the packages whose files belong to the digest.
	folders []string
}

// Memo keeps results about the packages of one program. It may be used concurrently. The nil Memo keeps nothing.
type Memo struct {
	store *cache.Cache
	prog  *source.Program
	// base stands for what all results depend on: the running program, the toolchain, and the modules that the go
	// command does not keep under their versions.
	base func() (ID, error)
	// module is the digest of all files of the module.
	module func() (ID, error)

	asking sync.WaitGroup // for base

	mu      sync.Mutex
	folders map[string]folder // by name
}

// folder is what is known of the folder of a package.
type folder struct {
	sum ID
	// stamp lists the names, modification times and sizes of its files, from before they were read.
	stamp string
	// finds reports whether code there may find out where the module's files are.
	finds bool
	err   error
}

// New returns a Memo of results about packages of prog, which are computed by the program with the digest program. ctx
// bounds the commands that it runs. It returns nil if store is. The caller must call Wait before the program ends.
func New(ctx context.Context, store *cache.Cache, program ID, prog *source.Program) *Memo {
	if store == nil {
		return nil
	}
	m := &Memo{store: store, prog: prog, folders: map[string]folder{}}
	m.base = sync.OnceValues(func() (ID, error) { return m.surroundings(ctx, program) })
	m.module = sync.OnceValues(func() (ID, error) {
		id, _, err := cache.Tree(prog.Dir)
		return id, err
	})
	m.asking.Go(func() { m.base() }) // it waits for the go command
	return m
}

// Wait waits for the go command that New started. If the program ended earlier, the command's temporary folder would remain.
func (m *Memo) Wait() {
	if m != nil {
		m.asking.Wait()
	}
}

// surroundings returns the digest of what no package of the module is.
func (m *Memo) surroundings(ctx context.Context, program ID) (ID, error) {
	h := sha256.New()
	env, err := source.Environment(ctx, m.prog.Dir)
	if err != nil {
		return ID{}, err
	}
	fmt.Fprintf(h, "%x %q %q\n", program, m.prog.Dir, m.prog.Platform)
	if err := json.NewEncoder(h).Encode(env); err != nil { // keys are sorted
		return ID{}, err
	}
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/modules.txt"} {
		text, err := os.ReadFile(filepath.Join(m.prog.Dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return ID{}, err
		}
		fmt.Fprintf(h, "%s %v %x\n", name, err == nil, sha256.Sum256(text))
	}
	local, err := source.Local(ctx, m.prog.Dir, nil)
	if err != nil {
		return ID{}, err
	}
	for _, name := range append(local, filepath.Join(m.prog.Dir, "vendor")) {
		if name == m.prog.Dir {
			continue
		}
		sum, _, err := cache.Tree(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return ID{}, err
		}
		fmt.Fprintf(h, "%q %x\n", name, sum)
	}
	return ID(h.Sum(nil)), nil
}

// errUnknown is the error of Build for what it cannot tell.
var errUnknown = errors.New("what the package depends on is not known")

// Build returns the digest of what is built of a package and its tests: of the folders of the package and of the
// packages of the module that it, its own tests, the files of overlay there, and texts import, and of the files of
// overlay in all of them. The names in overlay are relative to the root of the program. Its files in folders that no
// package is in belong to the digest, too; those in other packages do not. texts are Go files that are compiled with the
// package; only what they import counts. ok is false if the digest cannot be told.
func (m *Memo) Build(pkg *source.Package, overlay map[string][]byte, texts ...string) (key Key, ok bool) {
	if m == nil {
		return key, false
	}
	key, err := m.build(pkg, overlay, texts)
	return key, err == nil
}

func (m *Memo) build(pkg *source.Package, overlay map[string][]byte, texts []string) (key Key, err error) {
	base, err := m.base()
	if err != nil {
		return key, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "build %x %q\n", base, pkg.Path)
	packages, err := m.imported(pkg, overlay, texts)
	if err != nil {
		return key, err
	}
	inside := map[string]bool{} // the folders of packages
	finds := false
	for _, p := range packages {
		if p.Cgo {
			return key, errUnknown // C files include others
		}
		f := m.folder(p.Dir)
		if f.err != nil {
			return key, f.err
		}
		finds = finds || f.finds
		inside[m.rel(p)] = true
		key.folders = append(key.folders, p.Dir)
		fmt.Fprintf(h, "package %q %x\n", p.Path, f.sum)
	}
	outside := map[string]bool{} // those of the others
	for _, p := range m.prog.All {
		if dir := m.rel(p); !inside[dir] {
			outside[dir] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(overlay)) {
		if !outside[path.Dir(name)] {
			fmt.Fprintf(h, "file %q %x\n", name, sha256.Sum256(overlay[name]))
		}
	}
	if finds {
		sum, err := m.module()
		if err != nil {
			return key, err
		}
		fmt.Fprintf(h, "module %x\n", sum)
	}
	key.id = ID(h.Sum(nil))
	return key, nil
}

// rel returns the folder of a package relative to the program's root, with slashes.
func (m *Memo) rel(pkg *source.Package) string {
	rel, err := filepath.Rel(m.prog.Dir, pkg.Dir)
	if err != nil {
		return pkg.Dir
	}
	return filepath.ToSlash(rel)
}

// imported returns pkg and the packages of the module that it, its own tests, the Go files of overlay in its folder and
// texts import, however indirectly.
func (m *Memo) imported(pkg *source.Package, overlay map[string][]byte, texts []string) ([]*source.Package, error) {
	roots := []*source.Package{pkg}
	add := func(name string, src any) error {
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if p := m.prog.Package(path); p != nil {
				roots = append(roots, p)
			} else if path == "C" || path == m.prog.Module || strings.HasPrefix(path, m.prog.Module+"/") && !m.generated(path, overlay) {
				return errUnknown
			}
		}
		return nil
	}
	for _, name := range pkg.TestFiles {
		if err := add(name, nil); err != nil {
			return nil, err
		}
	}
	own := m.rel(pkg)
	for name, text := range overlay {
		if path.Dir(name) == own && strings.HasSuffix(name, ".go") {
			if err := add(name, text); err != nil {
				return nil, err
			}
		}
	}
	for _, text := range texts {
		if err := add("", text); err != nil {
			return nil, err
		}
	}
	return m.prog.WithImports(roots...), nil
}

// generated reports whether overlay has the package with an import path, which the module does not have.
func (m *Memo) generated(importPath string, overlay map[string][]byte) bool {
	dir, root := m.prog.Generated(strings.TrimPrefix(importPath, m.prog.Module+"/"))
	if root != importPath {
		return false
	}
	for name := range overlay {
		if path.Dir(name) == dir {
			return true
		}
	}
	return false
}

// maxFile is the size in bytes of the largest file that is read.
const maxFile = 64 << 20

// folder returns what is known of the folder of a package.
func (m *Memo) folder(dir string) folder {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.folders[dir]
	if !ok {
		f = readFolder(dir)
		m.folders[dir] = f
	}
	return f
}

// finders are what code uses to find out where its source is.
var finders = [][]byte{[]byte("runtime.Caller"), []byte("runtime.FuncForPC"), []byte("debug.Stack"), []byte("runtime.Stack")}

// readFolder reads the files in a folder. Those in folders in it belong to the package only if its files embed some.
func readFolder(dir string) (f folder) {
	f.stamp = stamp(dir) // before it is read
	h := sha256.New()
	entries, err := os.ReadDir(dir)
	if err != nil {
		return folder{err: err}
	}
	embeds := false
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		st, err := os.Stat(name)
		if err != nil || !st.Mode().IsRegular() {
			fmt.Fprintf(h, "other %q\n", e.Name())
			continue
		}
		if st.Size() > maxFile {
			return folder{err: errUnknown}
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return folder{err: err}
		}
		if strings.HasSuffix(name, ".go") {
			embeds = embeds || bytes.Contains(text, []byte("//go:embed"))
			for _, word := range finders {
				f.finds = f.finds || bytes.Contains(text, word)
			}
		}
		fmt.Fprintf(h, "file %q %x\n", e.Name(), sha256.Sum256(text))
	}
	if embeds {
		sum, _, err := cache.Tree(dir)
		if err != nil {
			return folder{err: err}
		}
		fmt.Fprintf(h, "tree %x\n", sum)
	}
	f.sum = ID(h.Sum(nil))
	return f
}

// Module returns the digest of all files of the module.
func (m *Memo) Module() (ID, error) { return m.module() }

// Of returns the key of a result that depends on what is built, and on parts, in their JSON form.
func (m *Memo) Of(build Key, parts ...any) Key {
	h := sha256.New()
	fmt.Fprintf(h, "result %x\n", build.id)
	for _, p := range parts {
		if err := json.NewEncoder(h).Encode(p); err != nil {
			panic(err) // parts are plain data
		}
	}
	return Key{ID(h.Sum(nil)), build.folders}
}

// Get decodes the result that was put under a key into v, a pointer, and reports whether there was one.
func (m *Memo) Get(key Key, v any) bool {
	data := m.store.Get(key.id)
	return data != nil && gob.NewDecoder(flate.NewReader(bytes.NewReader(data))).Decode(v) == nil
}

// maxResult is the size in bytes of the largest result that is kept, compressed.
const maxResult = 64 << 20

// Put keeps a result, unless files have changed since the key was told: then perhaps others were built.
func (m *Memo) Put(key Key, v any) {
	for _, dir := range key.folders {
		if stamp(dir) != m.folder(dir).stamp {
			return
		}
	}
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.BestSpeed)
	if err == nil {
		err = gob.NewEncoder(w).Encode(v)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil && buf.Len() <= maxResult {
		m.store.Put(key.id, buf.Bytes())
	}
}

// stamp returns the names, modification times and sizes of the files in a folder.
func stamp(dir string) string {
	var out strings.Builder
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			fmt.Fprintf(&out, "%q %d %d\n", e.Name(), info.ModTime().UnixNano(), info.Size())
		}
	}
	return out.String()
}
