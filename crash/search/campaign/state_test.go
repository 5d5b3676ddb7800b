package campaign

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"dsd/crash/search/carve"
	"dsd/crash/search/searchtest"
	"dsd/internal/source"
)

// TestState: a run that begins with the state of another has its candidates again.
func TestState(t *testing.T) {
	prog, err := source.Load(t.Context(), filepath.Join("..", "..", "..", "examples", "parcel"), nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	first := runCampaign(t, prog, pkg, Options{Candidates: 100_000, Keep: true})
	before, err := decodeState(pkg.Types, first.Graph.Table, first.State)
	if err != nil || len(before) != len(first.Kept) || len(before) < 10 {
		t.Fatalf("got %d candidates, %v; want %d", len(before), err, len(first.Kept))
	}
	again := runCampaign(t, prog, pkg, Options{Candidates: 64, State: first.State, Keep: true})
	if again.Stats.Blocks < first.Stats.Blocks {
		t.Errorf("got %d blocks, want the %d of the first run", again.Stats.Blocks, first.Stats.Blocks)
	}
	alone := runCampaign(t, prog, pkg, Options{Candidates: 64})
	if alone.Stats.Blocks >= again.Stats.Blocks {
		t.Errorf("%d blocks without the state, too: the test shows nothing", alone.Stats.Blocks)
	}
	t.Logf("%d candidates; blocks: %d, again %d, alone %d", len(before), first.Stats.Blocks, again.Stats.Blocks,
		alone.Stats.Blocks)
	// Operations that the program no longer has are left out.
	gone := strings.ReplaceAll(string(first.State), "Arrive", "Gone")
	if after, err := decodeState(pkg.Types, first.Graph.Table, []byte(gone)); err != nil || len(after) >= len(before) {
		t.Errorf("got %d candidates, %v; want fewer than %d", len(after), err, len(before))
	}
}

// FuzzDecodeState: whatever a state says, its candidates fit the table.
func FuzzDecodeState(f *testing.F) {
	prog, pkg := searchtest.Load(f, "tested/pkg")
	g, seeds := carve.Graph(prog, pkg, nil, nil)
	text, err := encodeState(pkg.Types, g.Table, carve.Programs(seeds, g.Table))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"format": "dsd.random-state/1", "ops": ["x"], "programs": [[{"op": 0, "args": [1]}]]}`))
	key := opKeys(pkg.Types, g.Table[:1])[0]
	f.Add([]byte(`{"format": "dsd.random-state/1", "ops": [` + strconv.Quote(key) + `], "programs": [[{"op": 0, "args": [-1]}]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := decodeState(pkg.Types, g.Table, text)
		if err != nil {
			return
		}
		for _, p := range list {
			results := 0
			for _, s := range p {
				op := g.Table[s.Op]
				for _, a := range s.Args {
					if a < 0 || a >= results {
						t.Fatalf("argument %d of %d results", a, results)
					}
				}
				results += len(op.Out)
			}
			if _, err := p.WriteTest(pkg, g.Table, "TestX", "", false); err != nil {
				t.Fatal(err)
			}
		}
	})
}
