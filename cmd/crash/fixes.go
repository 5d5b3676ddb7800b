package main

import (
	"github.com/urfave/cli/v2"

	"dsd/crash/fix"
	"dsd/internal/format"
	"dsd/internal/source"
	"dsd/schemas"
)

// addFixes adds to a report the changes that prevent its likely bugs and the crashes to look at. Crashes of the
// other ranks need no change: the function refuses bad arguments on purpose, or no caller can reach it.
func addFixes(c *cli.Context, r *format.Report) error {
	prog, err := source.LoadModule(c.Context, c.String("C"), &r.Module, source.Options{})
	if err != nil {
		return err
	}
	if err := sameModule("the crashes document", "crashes", r.Module.Path, prog.Module); err != nil {
		return err
	}
	trier := &fix.Trier{Prog: prog, Unconfined: c.Bool("no-sandbox")}
	for i := range r.Findings {
		crash, ok := r.Objects[i].(*schemas.Crash)
		if !ok || crash.Rank == schemas.Contract || crash.Rank == schemas.Unreachable {
			continue
		}
		_, change, _, err := prevent(c, trier, crash)
		if err != nil {
			return err
		}
		if change != nil {
			r.Findings[i].Fix = asFix(change)
		}
	}
	return nil
}

// asFix returns a change with lines and columns.
func asFix(c *fix.Change) *format.Fix {
	f := &format.Fix{Summary: c.Summary(), File: c.File}
	for _, e := range c.Edits {
		var to format.Edit
		to.FromLine, to.FromCol = c.LineCol(e.From)
		to.ToLine, to.ToCol = c.LineCol(e.To)
		to.Text = e.Text
		f.Edits = append(f.Edits, to)
	}
	return f
}
