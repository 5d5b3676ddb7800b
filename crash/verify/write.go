package verify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"dsd/internal/source"
	"dsd/schemas"
)

// WriteTests writes the tests of crashes below root, each in the directory that its package has in
// the testee.
func WriteTests(prog *source.Program, root string, crashes []schemas.Crash) error {
	for _, c := range crashes {
		dir, err := TestDir(prog, &c)
		if err != nil {
			return err
		}
		if err := WriteTest(filepath.Join(root, dir), &c.Test); err != nil {
			return err
		}
	}
	return nil
}

// TestDir returns the directory of the package of a crash's test, relative to the testee's root.
func TestDir(prog *source.Program, c *schemas.Crash) (string, error) {
	return filepath.Rel(prog.Dir, prog.Package(c.Test.Package).Dir)
}

// WriteTest writes a test, with the files that it needs, into a directory, which it creates. An
// existing file of the test's name is overwritten only if it is a generated test, too.
func WriteTest(dir string, t *schemas.Test) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file := filepath.Join(dir, t.File)
	old, err := os.ReadFile(file)
	if err == nil && !strings.Contains(string(old), "func "+TestPrefix) {
		return fmt.Errorf("%s exists and is not a generated test: not overwritten", file)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, f := range t.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.File))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.Content), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(t.Source), 0o666)
}
