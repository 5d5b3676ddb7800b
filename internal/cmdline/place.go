package cmdline

import (
	"os"

	"dsd/internal/format"
)

// Place completes a report with what depends on directories, see format.Report.At, and with the version.
func Place(r *format.Report, root string) error {
	from, err := os.Getwd()
	if err != nil {
		return err
	}
	r.At(root, from)
	r.Version = Version
	return nil
}
