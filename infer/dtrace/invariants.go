package dtrace

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"dsd/schemas"
)

// IsDaikonFile reports whether the name of a file is that of a declaration file or data trace of
// Daikon, gzipped or not.
func IsDaikonFile(name string) bool {
	name = strings.TrimSuffix(name, ".gz")
	return strings.HasSuffix(name, ".decls") || strings.HasSuffix(name, ".dtrace")
}

// Invariants learns the invariants of at least the given confidence from declaration files and data
// traces of Daikon, in this order. Each declaration must precede the records of its program point.
// The points of the result are sorted by function; their invariants have no ids yet. Warnings, such
// as that of a truncated trace, go to log, which must not be nil.
//
// All errors are about the files: each names the file and, if a line is malformed, its number.
func Invariants(files []string, confidence float64, log io.Writer) (*schemas.Invariants, error) {
	l := &learner{log: log}
	if err := l.read(files); err != nil {
		return nil, err
	}
	if len(l.decls.points) == 0 {
		return nil, fmt.Errorf("%s: declares no program point", files[0])
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), ".gz")
	path := strings.TrimSuffix(name, filepath.Ext(name))
	return &schemas.Invariants{
		Header: schemas.Header{Module: schemas.Module{Path: path}},
		Points: l.learned(confidence),
	}, nil
}
