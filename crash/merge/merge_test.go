package merge

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dsd/crash/blame"
	"dsd/crash/report"
	"dsd/schemas"
)

// TestDocuments divides crashes of several packages, many of them alike, into shards at random, and puts the
// documents together at random: in any order, and in any number of steps, they are the document of one run.
func TestDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		confirmed := r.IntN(2) == 0
		crashes := draw(r, confirmed)
		whole := text(t, document(crashes, nil, confirmed))
		of := 2 + r.IntN(4)
		shards := make([][]schemas.Crash, of)
		for _, c := range crashes {
			n := int(c.Test.Package[0]) % of
			shards[n] = append(shards[n], c)
		}
		var parts [][]byte
		for n, list := range shards {
			parts = append(parts, text(t, document(list, &schemas.Shards{Of: of, Have: []int{n + 1}}, confirmed)))
		}
		for len(parts) > 1 {
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			n := 2 + r.IntN(len(parts)-1)
			var docs []*schemas.Crashes
			var names []string
			for i, part := range parts[:n] {
				doc, err := schemas.ReadCrashes(bytes.NewReader(part), "document")
				if err != nil {
					t.Fatal(err)
				}
				docs, names = append(docs, doc), append(names, fmt.Sprint(i))
			}
			doc, err := Documents(docs, names)
			if err != nil {
				t.Fatal(err)
			}
			parts = append([][]byte{text(t, doc)}, parts[n:]...)
		}
		if !bytes.Equal(parts[0], whole) {
			t.Fatalf("%d shards put together are not one run:\n%s\nwant\n%s", of, parts[0], whole)
		}
	}
}

// draw returns crashes in tests of a few packages, as they are judged one by one.
func draw(r *rand.Rand, confirmed bool) (list []schemas.Crash) {
	for i := range 1 + r.IntN(40) {
		at := 1 + r.IntN(6)
		c := schemas.Crash{
			Kind:    []schemas.Kind{schemas.Index, schemas.SliceBounds, schemas.NilDeref}[r.IntN(3)],
			Func:    fmt.Sprintf("%c.F%d", 'a'+r.IntN(4), r.IntN(3)),
			Pos:     fmt.Sprintf("f.go:%d:2", at),
			Stack:   []schemas.Frame{{Func: fmt.Sprintf("a.g%d", at), Pos: fmt.Sprintf("f.go:%d", at)}},
			Inputs:  strings.Repeat("x", r.IntN(3)),
			BuiltBy: []schemas.BuiltBy{schemas.BySequence, schemas.ByLiteral}[r.IntN(2)],
			Test: schemas.Test{Package: string(rune('a' + r.IntN(4))), Name: fmt.Sprintf("Test%d", i),
				File: fmt.Sprintf("t%d_test.go", i)},
		}
		if confirmed {
			c.Warning = fmt.Sprintf("W%d", i)
		}
		list = append(list, c)
	}
	return list
}

// document returns the document of a run with these crashes. The score of a crash follows from what it is.
func document(crashes []schemas.Crash, shards *schemas.Shards, confirmed bool) *schemas.Crashes {
	list := report.Group(crashes)
	for i := range list {
		c := &list[i]
		c.Score = len(c.Func+c.Pos+c.Inputs)%3 + int(c.Stack[0].Pos[len("f.go:")]-'0')
		c.Rank = schemas.Look
		if c.Score >= 3 {
			c.Rank = schemas.LikelyBug
		}
		c.Signs = []schemas.Sign{{Name: "own", Text: "its own", Weight: c.Score}}
	}
	out := &schemas.Crashes{Shards: shards, Crashes: blame.Compare(list, !confirmed),
		Unconfirmed: []schemas.Unconfirmed{}}
	for _, c := range crashes {
		out.Stats.Candidates++
		if c.Warning != "" {
			out.Unconfirmed = append(out.Unconfirmed, schemas.Unconfirmed{Warning: c.Warning + "0", Reason: "why"})
		} else {
			out.Skipped = append(out.Skipped, schemas.Skipped{Func: c.Test.Package + "." + c.Test.Name, Reason: "why"})
		}
	}
	report.SortUnconfirmed(out.Unconfirmed)
	report.SortSkipped(out.Skipped)
	out.Module.Path = "example.com/m"
	return out
}

func text(t *testing.T, doc *schemas.Crashes) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := schemas.WriteCrashes(&out, doc); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestErrors: documents that do not belong together.
func TestErrors(t *testing.T) {
	part := func(n int) *schemas.Crashes {
		d := &schemas.Crashes{Shards: &schemas.Shards{Of: 3, Have: []int{n}}}
		d.Module.Path = "example.com/m"
		return d
	}
	whole, other := part(2), part(2)
	whole.Shards, other.Module.Path = nil, "example.com/other"
	for _, tt := range []struct {
		doc  *schemas.Crashes
		want string
	}{
		{whole, "b is not a part of a run: it was made without --shard"},
		{part(1), "a and b both have shard 1"},
		{other, "b and a are not of one run: the module is another one"},
	} {
		_, err := Documents([]*schemas.Crashes{part(1), tt.doc}, []string{"a", "b"})
		if fmt.Sprint(err) != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
	doc, err := Documents([]*schemas.Crashes{part(3), part(1)}, []string{"a", "b"})
	if err != nil || !slices.Equal(doc.Shards.Have, []int{1, 3}) {
		t.Errorf("two of three: %v, %v", doc.Shards, err)
	}
}
