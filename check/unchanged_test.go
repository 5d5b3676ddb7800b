package check

import (
	"bytes"
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/shard"
	"dsd/internal/source"
	"dsd/schemas"
)

// TestUnchanged checks that a second run takes the results of the first one if and only if nothing differs that they
// depend on, and that both then write and say the same.
func TestUnchanged(t *testing.T) {
	const more = "\n// a comment at the end\n"
	for _, tt := range []struct {
		name   string
		change func(t *testing.T, dir string, o *Options)
		again  bool // whether the functions are analyzed again
	}{
		{name: "nothing", change: func(*testing.T, string, *Options) {}},
		{name: "what the document is about", change: func(_ *testing.T, _ string, o *Options) {
			o.Kinds = []schemas.Kind{schemas.Index}
		}},
		{name: "the number of workers", change: func(_ *testing.T, _ string, o *Options) { o.Jobs = 1 }},
		{name: "a file that does not belong to the build", change: func(t *testing.T, dir string, _ *Options) {
			write(t, filepath.Join(dir, "x_test.go"), "package panics\n")
		}},
		{name: "a comment", again: true, change: func(t *testing.T, dir string, _ *Options) {
			file := filepath.Join(dir, "panics.go")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			write(t, file, string(text)+more)
		}},
		{name: "a new file", again: true, change: func(t *testing.T, dir string, _ *Options) {
			write(t, filepath.Join(dir, "another.go"), "package panics\n")
		}},
		{name: "the language version", again: true, change: func(t *testing.T, dir string, _ *Options) {
			write(t, filepath.Join(dir, "go.mod"), "module panics\n\ngo 1.24\n")
		}},
		{name: "the program", again: true, change: func(_ *testing.T, _ string, o *Options) { o.Program[0] = 1 }},
		{name: "the budget of a query", again: true, change: func(_ *testing.T, _ string, o *Options) { o.Rlimit = 1000 }},
		{name: "recovered panics", again: true, change: func(_ *testing.T, _ string, o *Options) { o.Recovered = true }},
		{name: "the shard", again: true, change: func(_ *testing.T, _ string, o *Options) {
			o.Shard = shard.Shard{Number: 1, Of: 2}
		}},
		{name: "the functions", again: true, change: func(_ *testing.T, _ string, o *Options) {
			o.Only = func(f *source.Func) bool { return strings.HasSuffix(f.Name, "Guards") }
		}},
		{name: "invariants", again: true, change: func(_ *testing.T, _ string, o *Options) {
			o.Assume = &schemas.Invariants{}
		}},
		{name: "a result that another run might not have", again: true, change: func(_ *testing.T, _ string, o *Options) {
			o.MaxMemory = 1 << 40
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "panics"))); err != nil {
				t.Fatal(err)
			}
			store := &memory{data: map[[sha256.Size]byte][]byte{}}
			run := func(opt Options) (doc, said string, lowered bool) {
				t.Helper()
				prog, err := source.Load(context.Background(), dir, nil)
				if err != nil {
					t.Fatal(err)
				}
				var out, log bytes.Buffer
				opt.Log, opt.Lowered = &log, func() { lowered = true }
				w, err := Run(context.Background(), prog, opt)
				if err != nil {
					t.Fatal(err)
				}
				if err := schemas.WriteWarnings(&out, w); err != nil {
					t.Fatal(err)
				}
				return out.String(), log.String(), lowered
			}
			run(Options{Store: store})
			opt := Options{Store: store}
			tt.change(t, dir, &opt)
			with, said, lowered := run(opt)
			if lowered != tt.again {
				t.Errorf("analyzed again: %v, want %v", lowered, tt.again)
			}
			opt.Store = nil
			without, saidThen, _ := run(opt)
			if with != without || said != saidThen {
				t.Errorf("another document, or other messages, with results of before:\n%s\n%s\nand without:\n%s",
					firstDifference([]byte(with), []byte(without)), said, saidThen)
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
