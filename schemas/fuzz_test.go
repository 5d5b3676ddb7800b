package schemas

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Reading never panics, an error is one line, and a document that was read can be written and read
// again unchanged (rewrite panics otherwise). `go test -fuzz FuzzReadWarnings ./schemas` tries more
// inputs than the seeds.

func FuzzReadInvariants(f *testing.F) { fuzzRead(f, InvariantsName) }
func FuzzReadWarnings(f *testing.F)   { fuzzRead(f, WarningsName) }
func FuzzReadCrashes(f *testing.F)    { fuzzRead(f, CrashesName) }
func FuzzReadPanic(f *testing.F)      { fuzzRead(f, PanicName) }
func FuzzReadModels(f *testing.F)     { fuzzRead(f, ModelsName) }
func FuzzReadChanges(f *testing.F)    { fuzzRead(f, ChangesName) }
func FuzzReadRecording(f *testing.F)  { fuzzRead(f, RecordingName) }
func FuzzReadTrace(f *testing.F)      { fuzzRead(f, TraceName) }

// examples returns the contents of the files that match a pattern, at least one.
func examples(f *testing.F, pattern string) [][]byte {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		f.Fatalf("no examples %s: %v", pattern, err)
	}
	var out [][]byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

func fuzzRead(f *testing.F, doc string) {
	for _, text := range examples(f, "testdata/*.json*") {
		f.Add(text)
		f.Add(text[:len(text)/2])
		f.Add(append(bytes.Clone(text), text...))
		f.Add(bytes.ReplaceAll(text, []byte("e"), []byte("\xff")))
		f.Add(zip(text))
	}
	f.Add([]byte(`{"schema": "dsd/` + doc + `/v1", "module": {"path": "m", "path": "n"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := rewrite[doc](text)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("the error has several lines: %q", err)
		}
	})
}
