//go:build unix

package source

import (
	"context"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dsd/internal/scratch/limittest"
)

// TestRefused: a file that cannot be opened for want of files is no package that does not compile.
func TestRefused(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": goMod, "a.go": "package a\n"})
	p := &Program{Fset: token.NewFileSet(), Dir: dir, byPath: map[string]*Package{}}
	allow := limittest.NoFiles(t)
	err := p.parse([]*listedPackage{{ImportPath: "example.com/a", Dir: dir, GoFiles: []string{"a.go"}}})
	allow()
	if !errors.Is(err, syscall.EMFILE) {
		t.Errorf("got %v, want %v", err, syscall.EMFILE)
	}
}

// TestModulesUnwritten: the go command ends well although it cannot write what it was asked for.
func TestModulesUnwritten(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	if list, err := Modules(context.Background(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "printed nothing") {
		t.Errorf("got modules %v, error %v", list, err)
	}
}
