package summary

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "make the summaries of all packages anew; takes minutes")

// fileName is File, seen from here.
var fileName = filepath.Join("..", "lower", "summaries.json")

// read returns the summaries.
func read(t *testing.T) Document {
	t.Helper()
	text, err := os.ReadFile(fileName)
	if err != nil {
		t.Fatal(err)
	}
	var doc Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestPackage makes the summaries of a package anew, and compares them with those in the tree if
// these were made from the same version of Go.
func TestPackage(t *testing.T) {
	ctx := context.Background()
	if *update {
		doc := Document{Go: runtime.Version(), Functions: map[string][]string{}}
		var mu sync.Mutex
		t.Run("packages", func(t *testing.T) {
			for _, path := range Packages {
				t.Run(path, func(t *testing.T) {
					t.Parallel()
					found, err := Package(ctx, ".", path)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					maps.Copy(doc.Functions, found)
				})
			}
		})
		text, err := json.MarshalIndent(doc, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(fileName, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	doc := read(t)
	if doc.Go != runtime.Version() {
		t.Skipf("the summaries are of %s", doc.Go)
	}
	got, err := Package(ctx, ".", "net/url")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 {
		t.Fatal("no summaries")
	}
	for name, conditions := range got {
		if !reflect.DeepEqual(conditions, doc.Functions[name]) {
			t.Errorf("%s: got %q, the file has %q", name, conditions, doc.Functions[name])
		}
	}
}
