package cache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// maxTree is the size in bytes of the largest tree that Tree reads.
const maxTree = 1 << 30

// errTooLarge is the error of larger ones.
var errTooLarge = errors.New("too large")

// Tree returns the digest of a file, or of a folder with all that is in it: names, contents, targets of
// links; and the time of the last change. It leaves out the folders in dir itself whose names begin with a
// dot, in which tools keep things, and the files and folders of these names in except, which are
// absolute.
func Tree(dir string, except ...string) (id ID, changed time.Time, err error) {
	sum := sha256.New()
	total := int64(0)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return ID{}, changed, err
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if slices.Contains(except, name) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case d.IsDir():
			if rel == d.Name() && rel[0] == '.' && rel != "." {
				return filepath.SkipDir
			}
			fmt.Fprintf(sum, "folder %q\n", rel)
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "link %q %q\n", rel, to)
		case d.Type().IsRegular():
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			st, err := f.Stat()
			if err != nil {
				return err
			}
			if total += st.Size(); total > maxTree {
				return errTooLarge
			}
			if st.ModTime().After(changed) {
				changed = st.ModTime()
			}
			content := sha256.New()
			if _, err := io.Copy(content, f); err != nil {
				return err
			}
			fmt.Fprintf(sum, "file %q %v %x\n", rel, st.Mode().Perm()&0o111 != 0, content.Sum(nil))
		default:
			fmt.Fprintf(sum, "other %q\n", rel)
		}
		return nil
	})
	return ID(sum.Sum(nil)), changed, err
}

// EnvironmentVariable returns the digest of an environment variable: whether it is set, and to what.
func EnvironmentVariable(name string) ID {
	v, ok := os.LookupEnv(name)
	return sha256.Sum256([]byte(fmt.Sprint(ok, v)))
}
