package overlay

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// Export writes an overlay that stays: dir/overlay.json, for go build -overlay, and the files in dir/files.
// files are named by paths relative to root, with slashes, which is absolute.
//
// A directory that is neither missing nor empty must have an overlay.json, and its files are replaced.
func Export(dir, root string, files map[string][]byte) error {
	to, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	index := filepath.Join(to, "overlay.json")
	if there, err := os.ReadDir(to); err == nil && len(there) > 0 {
		if _, err := os.Stat(index); err != nil {
			return errors.New("the directory is not empty, and has no overlay.json: choose another one")
		}
	}
	if err := os.RemoveAll(filepath.Join(to, "files")); err != nil {
		return err
	}
	replace := map[string]string{}
	for name, text := range files {
		file := filepath.Join(to, "files", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = file
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(index, append(text, '\n'), 0o666)
}
