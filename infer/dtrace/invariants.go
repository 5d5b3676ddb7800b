package dtrace

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"dsd/schemas"
)

// Is says that a file is Daikon's, by its name.
func Is(name string) bool {
	name = strings.TrimSuffix(name, ".gz")
	return strings.HasSuffix(name, ".decls") || strings.HasSuffix(name, ".dtrace")
}

// Invariants learns what is of at least some confidence from files of Daikon's; the invariants have no ids yet. Errors are those of the files.
func Invariants(files []string, confidence float64, log io.Writer) (*schemas.Invariants, error) {
	l := &Learner{Log: log}
	if err := l.Read(files); err != nil {
		return nil, err
	}
	if len(l.decls.Ppts) == 0 {
		return nil, fmt.Errorf("%s: declares no program point", files[0])
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), ".gz")
	return &schemas.Invariants{
		Header: schemas.Header{Module: schemas.Module{Path: strings.TrimSuffix(name, filepath.Ext(name))}},
		Points: l.Points(confidence),
	}, nil
}
