package campaign_test

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/search/campaign"
	"dsd/internal/source"
)

// Draw 5,000 candidates for a package. Without All, panics by which functions refuse arguments are
// only counted.
func ExampleRun() {
	ctx := context.Background()
	dir := filepath.Join("..", "..", "random", "testdata", "mod")
	prog, err := source.Load(ctx, dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := campaign.Run(ctx, prog, prog.Packages[0], campaign.Options{
		Time: 2 * time.Minute, Candidates: 5000, Seed: 1, Reset: candidate.ResetReinit,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range res.Crashes {
		fmt.Println(x.Frames[0].Func, x.Kind, x.Frames[0].Pos)
	}
	// Output: example.com/m.(*Stack).Pop index m.go:8
}
