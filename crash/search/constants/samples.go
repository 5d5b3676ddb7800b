package constants

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// sampleDirs are the folders in which packages usually keep the inputs of their tests.
var sampleDirs = []string{
	"testdata", "_test", "_testdata", "test", "tests", "testfiles", "fixtures",
}

const (
	maxSamples    = 300      // pieces of sample files, and sample files
	maxSampleFile = 64 << 10 // bytes of a file that is read
	maxInJSON     = 40       // texts inside a JSON file
)

// samples returns pieces of the files that the tests of a package read: the whole text of a short
// file, the paragraphs of a longer one, and texts inside of JSON. Files take turns, so that each has its share.
func samples(dir string, tests []*ast.File) []string {
	var files [][]string // the pieces of each file
	for _, name := range sampleFolders(dir, tests) {
		visit := func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() ||
				strings.HasSuffix(path, ".go") || len(files) >= maxSamples {
				return nil
			}
			st, err := d.Info()
			if err != nil || st.Size() > maxSampleFile || st.Size() == 0 {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil
			}
			list := pieces(string(text))
			if strings.HasSuffix(path, ".json") {
				list = append(list, textsIn(text)...)
			}
			files = append(files, list)
			return nil
		}
		filepath.WalkDir(filepath.Join(dir, name), visit)
	}
	var out []string
	for i := 0; len(out) < maxSamples; i++ {
		before := len(out)
		for _, list := range files {
			if i < len(list) && len(out) < maxSamples {
				out = append(out, list[i])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// sampleFolders returns the folders in a package's that hold inputs of its tests: those with a usual name, and those
// without Go files that the tests name.
func sampleFolders(dir string, tests []*ast.File) []string {
	out := slices.Clone(sampleDirs)
	for _, f := range tests {
		ast.Inspect(f, func(n ast.Node) bool {
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(l.Value)
			name, _, _ := strings.Cut(strings.TrimPrefix(text, "./"), "/")
			if !filepath.IsLocal(name) || name == "." || slices.Contains(out, name) {
				return true
			}
			entries, err := os.ReadDir(filepath.Join(dir, name))
			isGo := func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".go") }
			if err == nil && !slices.ContainsFunc(entries, isGo) {
				out = append(out, name)
			}
			return true
		})
	}
	return out
}

// textsIn returns texts inside of a JSON file, evenly drawn from all, each once.
func textsIn(text []byte) []string {
	var doc any
	if json.Unmarshal(text, &doc) != nil {
		return nil
	}
	var all []string
	seen := map[string]bool{}
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case string:
			if v != "" && len(v) <= maxText && !seen[v] {
				seen[v] = true
				all = append(all, v)
			}
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(v[key])
			}
		}
	}
	visit(doc)
	if len(all) <= maxInJSON {
		return all
	}
	out := make([]string, maxInJSON)
	for i := range out {
		out[i] = all[i*len(all)/maxInJSON]
	}
	return out
}

// pieces splits a text that is longer than maxText into its paragraphs of at most maxText bytes.
func pieces(text string) []string {
	if len(text) <= maxText {
		return []string{text}
	}
	var out []string
	for _, p := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if p = strings.Trim(p, "\n"); p != "" && len(p) <= maxText {
			out = append(out, p)
		}
	}
	return out
}
