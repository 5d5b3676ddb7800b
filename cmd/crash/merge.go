package main

import (
	"github.com/urfave/cli/v2"

	"dsd/crash/merge"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

func mergeCommand() *cli.Command {
	return &cli.Command{
		Name:      "merge",
		Usage:     "put the documents of shards together",
		UsageText: "crash merge [-o FILE] [--fail-on RANK] [--baseline FILE] CRASHES...",
		Description: "The documents of all parts of crash confirm make that of one run without\n" +
			"--shard, byte by byte, in any order; those of some make a document that can\n" +
			"be merged with the others. Those of crash random are put together likewise.",
		Flags:  []cli.Flag{cmdline.Out(), failOnFlag(), baselineFlag()},
		Action: runMerge,
	}
}

func runMerge(c *cli.Context) error {
	if err := checkFailOn(c); err != nil {
		return err
	}
	docs, err := cmdline.Parts(c, "crashes", schemas.ReadCrashes)
	if err != nil {
		return err
	}
	doc, err := merge.Documents(docs, c.Args().Slice())
	if err != nil {
		return cmdline.Usagef("merge: %v", err)
	}
	return finish(c, c.String("o"), doc, nil)
}
