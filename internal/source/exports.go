package source

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dsd/internal/cache"
)

// exports returns the files that hold the export data of packages, by import path. The go command
// compiles the packages that its build cache lacks.
// vendored reports whether packages in the vendor directory of the standard library are among
// those, which no other module can import. store, if not nil, has answers of before, and gets this one.
func exports(
	ctx context.Context, dir string, pkgs []*listedPackage, vendored bool, store *cache.Cache,
) (map[string]string, error) {
	out := map[string]string{}
	var asked []*listedPackage
	args := []string{"-export", "-json=ImportPath,Export", "--"}
	for _, l := range pkgs {
		if p := l.ImportPath; p != "unsafe" && (vendored || !strings.HasPrefix(p, "vendor/")) {
			asked = append(asked, l)
			args = append(args, p)
		}
	}
	if len(asked) == 0 {
		return out, nil
	}
	id, settled := exportsID(ctx, dir, asked)
	if settled {
		if kept := keptExports(store, id); kept != nil {
			return kept, nil
		}
	}
	list, err := list(ctx, dir, args)
	for _, l := range list {
		out[l.ImportPath] = l.Export
	}
	if settled && err == nil {
		if text, err := json.Marshal(out); err == nil {
			store.Put(id, text)
		}
	}
	return out, err
}

// exportsID returns the digest of what the export data of packages depend on. ok is false if that may change without
// a change of the digest: then the go command has to look. It does not change for packages of a released
// toolchain and of the module cache, apart from those with C code, for which headers anywhere count.
func exportsID(ctx context.Context, dir string, pkgs []*listedPackage) (id cache.ID, ok bool) {
	env, err := Environment(ctx, dir)
	if err != nil || !strings.HasPrefix(env["GOVERSION"], "go") {
		return id, false
	}
	for _, flag := range []string{"-overlay", "-toolexec"} {
		if strings.Contains(env["GOFLAGS"], flag) {
			return id, false
		}
	}
	delete(env, "GOMOD") // the packages tell more
	delete(env, "GOWORK")
	h := sha256.New()
	fmt.Fprintln(h, "exports")
	if err := json.NewEncoder(h).Encode(env); err != nil { // keys are sorted
		return id, false
	}
	for _, l := range pkgs {
		root, version := filepath.Join(env["GOROOT"], "src"), ""
		if !l.Standard {
			if l.Module == nil || len(l.CgoFiles) > 0 {
				return id, false
			}
			root, version = env["GOMODCACHE"], l.Module.Version
		}
		if rel, err := filepath.Rel(root, l.Dir); err != nil || !filepath.IsLocal(rel) {
			return id, false
		}
		fmt.Fprintf(h, "%q %q %q\n", l.ImportPath, version, l.Dir)
	}
	return cache.ID(h.Sum(nil)), true
}

// maxExportAge is how old a file of the go command's cache may be to count as there. The go command removes files that
// it has not used for five days; it notes each use, at most once an hour.
const maxExportAge = 4 * 24 * time.Hour

// keptExports returns the answer in store, nil if it has none or a file is no longer there, or not for long.
func keptExports(store *cache.Cache, id cache.ID) (out map[string]string) {
	if json.Unmarshal(store.Get(id), &out) != nil {
		return nil
	}
	for _, file := range out {
		if st, err := os.Stat(file); file != "" && (err != nil || time.Since(st.ModTime()) > maxExportAge) {
			return nil
		}
	}
	return out
}
