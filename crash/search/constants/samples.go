package constants

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// sampleDirs are the folders in which packages keep the inputs of their tests.
var sampleDirs = []string{
	"testdata", "_test", "_testdata", "test", "tests", "testfiles", "fixtures",
}

const (
	maxSamples    = 300      // pieces of sample files, and sample files
	maxSampleFile = 64 << 10 // bytes of a file that is read
)

// samples returns pieces of the files that the tests of a package read: the whole text of a short
// file, and the paragraphs of a longer one. Files take turns, so that each has its share.
func samples(dir string) []string {
	var files [][]string // the pieces of each file
	for _, name := range sampleDirs {
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
			files = append(files, pieces(string(text)))
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
