package gotest

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dsd/internal/cache"
)

// maxCopied is the size of the largest file that is copied, in bytes.
const maxCopied = 32 << 20

// Mirror makes a copy of a package's folder below to, and returns it. What is around the folder in the
// module is there, too, as links. So are large files, and folders inside that are packages of their own.
func Mirror(root, dir, to string) (string, error) {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return "", err
	}
	from := root
	if rel != "." {
		for _, part := range strings.Split(rel, string(filepath.Separator)) {
			if err := linkAll(from, to, part); err != nil {
				return "", err
			}
			from, to = filepath.Join(from, part), filepath.Join(to, part)
		}
	}
	return to, copyFolder(from, to)
}

// linkAll makes the folder to with links to all that is in from, but for one entry.
func linkAll(from, to, but string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == but {
			continue
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// copyFolder copies the files of a folder and the folders in it that are no packages.
func copyFolder(from, to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		old, name := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch kindOf(old, info) {
		case ownFolder:
			err = copyFolder(old, name)
		case ownFile:
			err = copyFile(old, name, info.Mode().Perm()|0o200)
		default:
			err = os.Symlink(old, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// kind is what becomes of something in the folder of a package.
type kind int

const (
	linked kind = iota
	ownFile
	ownFolder // whose contents are treated alike
)

// kindOf returns what becomes of the file or folder name.
func kindOf(name string, info os.FileInfo) kind {
	switch {
	case info.IsDir() && !isPackage(name) && !strings.HasPrefix(info.Name(), ".git"):
		return ownFolder
	case info.Mode().IsRegular() && info.Size() <= maxCopied:
		return ownFile
	}
	return linked
}

// Folder returns the digest of what Mirror copies of a package's folder, and of the names of what it links to.
func Folder(dir string) (id cache.ID, err error) {
	h := sha256.New()
	err = hashFolder(h, dir, "")
	return cache.ID(h.Sum(nil)), err
}

// hashFolder writes what is in the folder dir, which is rel in the package's.
func hashFolder(h hash.Hash, dir, rel string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, in := filepath.Join(dir, e.Name()), path.Join(rel, e.Name())
		info, err := e.Info()
		if err != nil {
			return err
		}
		switch kindOf(name, info) {
		case ownFolder:
			fmt.Fprintf(h, "folder %q\n", in)
			err = hashFolder(h, name, in)
		case ownFile:
			var text []byte
			text, err = os.ReadFile(name)
			fmt.Fprintf(h, "file %q %v %x\n", in, info.Mode().Perm(), sha256.Sum256(text))
		default:
			fmt.Fprintf(h, "other %q\n", in)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isPackage reports whether a folder has Go files, outside of testdata.
func isPackage(dir string) bool {
	if filepath.Base(dir) == "testdata" {
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return true
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") || e.IsDir() && isPackage(filepath.Join(dir, e.Name())) {
			return true
		}
	}
	return false
}

func copyFile(from, to string, mode os.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
