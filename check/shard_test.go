package check

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"dsd/internal/shard"
	"dsd/schemas"
)

// TestShards divides a run into parts at random, and puts them together at random: in any order, and in any
// number of steps, the document is that of one run.
func TestShards(t *testing.T) {
	dir := filepath.Join("testdata", "panics")
	text := func(doc *schemas.Warnings) []byte {
		var out bytes.Buffer
		if err := schemas.WriteWarnings(&out, doc); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	read := func(text []byte) *schemas.Warnings {
		doc, err := schemas.ReadWarnings(bytes.NewReader(text), "document")
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	whole := text(run(t, dir, Options{}))
	r := rand.New(rand.NewPCG(1, 1))
	for _, of := range []int{1, 2, 5} {
		var parts [][]byte
		for n := range of {
			parts = append(parts, text(run(t, dir, Options{Shard: shard.Shard{Number: n + 1, Of: of}})))
		}
		for range 5 {
			list := append([][]byte(nil), parts...)
			for len(list) > 1 {
				r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
				n := 2 + r.IntN(len(list)-1)
				var docs []*schemas.Warnings
				var names []string
				for i, part := range list[:n] {
					docs, names = append(docs, read(part)), append(names, fmt.Sprint(i))
				}
				doc, err := Merge(docs, names)
				if err != nil {
					t.Fatal(err)
				}
				list = append([][]byte{text(doc)}, list[n:]...)
			}
			if !bytes.Equal(list[0], whole) {
				t.Fatalf("%d shards put together are not one run:\n%s", of, firstDifference(list[0], whole))
			}
		}
	}
}

// TestMergeErrors: documents that do not belong together.
func TestMergeErrors(t *testing.T) {
	doc := func(change func(*schemas.Warnings)) *schemas.Warnings {
		d := &schemas.Warnings{Shards: &schemas.Shards{Of: 3, Have: []int{1}}}
		d.Module.Path = "example.com/m"
		change(d)
		return d
	}
	for _, tt := range []struct {
		name   string
		change func(*schemas.Warnings)
		want   string
	}{
		{"a whole one", func(d *schemas.Warnings) { d.Shards = nil }, "b is not a part of a run: it was made without --shard"},
		{"the same shard", func(d *schemas.Warnings) {}, "a and b both have shard 1"},
		{"of others", func(d *schemas.Warnings) { d.Shards = &schemas.Shards{Of: 4, Have: []int{2}} },
			"b has shards of 4, and a of 3"},
		{"another module", func(d *schemas.Warnings) { d.Shards.Have[0], d.Module.Path = 2, "example.com/other" },
			"b and a are not of one run: the module, --assume, --tests or the platform is another one"},
	} {
		_, err := Merge([]*schemas.Warnings{doc(func(*schemas.Warnings) {}), doc(tt.change)}, []string{"a", "b"})
		if fmt.Sprint(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestBatches divides a module into batches of a package each: what is said of the functions is the same, though not
// always what it took; and shards of it put together are one run, byte by byte.
func TestBatches(t *testing.T) {
	dir := filepath.Join("testdata", "batches")
	text := func(doc *schemas.Warnings) []byte {
		var out bytes.Buffer
		if err := schemas.WriteWarnings(&out, doc); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	read := func(opt Options) *schemas.Warnings {
		doc, err := schemas.ReadWarnings(bytes.NewReader(text(run(t, dir, opt))), "document")
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	one, divided := read(Options{}), read(Options{batchSize: 1})
	batches := text(divided)
	one.Stats, divided.Stats = schemas.CheckStats{}, schemas.CheckStats{}
	if a, b := text(divided), text(one); !bytes.Equal(a, b) {
		t.Errorf("batches are not one run:\n%s", firstDifference(a, b))
	}
	for of := 2; of <= 5; of++ {
		var docs []*schemas.Warnings
		var names []string
		for n := range of {
			s := shard.Shard{Number: n + 1, Of: of}
			docs, names = append(docs, read(Options{batchSize: 1, Shard: s})), append(names, fmt.Sprint(n))
		}
		doc, err := Merge(docs, names)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text(doc), batches) {
			t.Errorf("%d shards put together are not one run:\n%s", of, firstDifference(text(doc), batches))
		}
	}
}

// TestBatchesBudget: each batch has a share of the budget, which lowering does not use up.
func TestBatchesBudget(t *testing.T) {
	doc := run(t, filepath.Join("testdata", "batches"), Options{batchSize: 1, Budget: time.Minute})
	if doc.Functions == 0 || len(doc.Skipped) > 0 {
		t.Errorf("within a minute: %d functions, skipped %v", doc.Functions, doc.Skipped)
	}
	doc = run(t, filepath.Join("testdata", "batches"), Options{batchSize: 1, Budget: 1})
	if len(doc.Skipped) == 0 || doc.Skipped[0].Reason != "not reached within the budget of 1ns" {
		t.Errorf("within a nanosecond: %d functions, skipped %v", doc.Functions, doc.Skipped)
	}
}
