package cache

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// ID is the digest of all that a result depends on.
type ID = [sha256.Size]byte

// Limits of the folder.
const (
	// maxSize is the size in bytes of the entries that are left when the folder is trimmed.
	maxSize = 1 << 30
	// maxAge is how long an unused entry is kept.
	maxAge = 30 * 24 * time.Hour
	// trimPause is the time between two trims.
	trimPause = 24 * time.Hour
	// usePause is the time between two notes that an entry was used: its file's time of change.
	usePause = time.Hour
)

// Cache is a folder of entries. The nil Cache keeps nothing. It may be used concurrently.
type Cache struct {
	dir  string // "" for none
	prog *prog  // nil for none
	now  func() time.Time
	trim sync.Once
}

// Variable is the environment variable that names the folder, or is Off.
const (
	Variable = "DSDCACHE"
	Off      = "off"
)

// Default returns the cache of the user; nil if there is none. command, if not "", is one that speaks the go
// command's GOCACHEPROG protocol: entries that the folder lacks come from there, and new ones go there,
// too. The error reports a folder that cannot be named or made, or that the command does not start.
func Default(command string) (*Cache, error) {
	c, err := folder()
	if err != nil || command == "" || os.Getenv(Variable) == Off {
		return c, err
	}
	if c == nil {
		c = &Cache{now: time.Now}
	}
	if c.prog, err = startProg(command); err != nil {
		return nil, err
	}
	return c, nil
}

// Close ends the command of Default.
func (c *Cache) Close() {
	if c != nil && c.prog != nil {
		c.prog.close()
	}
}

// folder returns the cache in the user's folder, nil if there is none.
func folder() (*Cache, error) {
	dir := os.Getenv(Variable)
	switch {
	case dir == Off:
		return nil, nil
	case dir == "":
		user, err := os.UserCacheDir()
		if err != nil || os.MkdirAll(filepath.Join(user, "dsd"), 0o777) != nil {
			return nil, nil // as on a machine without a home directory
		}
		return Open(filepath.Join(user, "dsd"))
	case !filepath.IsAbs(dir):
		return nil, fmt.Errorf("%s=%s: want an absolute path, or %s", Variable, dir, Off)
	}
	c, err := Open(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Variable, err)
	}
	return c, nil
}

// Open returns the cache in a folder, which it makes.
func Open(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return &Cache{dir: dir, now: time.Now}, nil
}

// path returns the file of an entry.
func (c *Cache) path(id ID) string {
	return filepath.Join(c.dir, fmt.Sprintf("%02x", id[0]), fmt.Sprintf("%x", id[1:]))
}

// Get returns the data of an entry, or nil.
func (c *Cache) Get(id ID) []byte {
	if c == nil {
		return nil
	}
	if c.dir != "" {
		name := c.path(id)
		content, _ := os.ReadFile(name)
		if data := checked(content); data != nil {
			now := c.now()
			if st, err := os.Stat(name); err == nil && now.Sub(st.ModTime()) > usePause {
				os.Chtimes(name, now, now)
			}
			return data
		}
	}
	if c.prog == nil {
		return nil
	}
	content := c.prog.get(id)
	data := checked(content)
	if data != nil {
		c.write(id, content)
	}
	return data
}

// checked returns the data in the content of an entry, which begins with their digest; nil if it is not
// theirs.
func checked(content []byte) []byte {
	if len(content) < sha256.Size {
		return nil
	}
	sum, data := content[:sha256.Size], content[sha256.Size:]
	if is := sha256.Sum256(data); !bytes.Equal(is[:], sum) {
		return nil
	}
	return data
}

// Put keeps data. That it could not be kept is no error: it costs time only.
func (c *Cache) Put(id ID, data []byte) {
	if c == nil {
		return
	}
	sum := sha256.Sum256(data)
	content := append(sum[:], data...)
	c.write(id, content)
	if c.prog != nil {
		c.prog.put(id, sha256.Sum256(content), content)
	}
}

// write writes an entry into the folder.
func (c *Cache) write(id ID, content []byte) {
	if c.dir == "" {
		return
	}
	name := c.path(id)
	f, err := os.CreateTemp(c.dir, "new-*")
	if err != nil {
		return
	}
	_, err = f.Write(content)
	if errClose := f.Close(); err == nil {
		err = errClose
	}
	if err == nil {
		if err = os.Rename(f.Name(), name); errors.Is(err, fs.ErrNotExist) {
			os.Mkdir(filepath.Dir(name), 0o777)
			err = os.Rename(f.Name(), name)
		}
	}
	if err != nil {
		os.Remove(f.Name())
		return
	}
	c.trim.Do(c.trimIfDue)
}

// trimIfDue removes old entries, unless that was done lately.
func (c *Cache) trimIfDue() {
	stamp := filepath.Join(c.dir, "trimmed")
	now := c.now()
	if st, err := os.Stat(stamp); err == nil && now.Sub(st.ModTime()) < trimPause {
		return
	}
	os.WriteFile(stamp, nil, 0o666)
	os.Chtimes(stamp, now, now)
	c.trimTo(maxSize)
}

// trimTo removes entries, least recently used first, until all that are left were used within maxAge and
// have at most size bytes in all.
func (c *Cache) trimTo(size int64) {
	type file struct {
		name string
		used time.Time
		size int64
	}
	var files []file
	total := int64(0)
	filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "trimmed" {
			return nil
		}
		if st, err := d.Info(); err == nil {
			files = append(files, file{name, st.ModTime(), st.Size()})
			total += st.Size()
		}
		return nil
	})
	slices.SortFunc(files, func(a, b file) int { return a.used.Compare(b.used) })
	for _, f := range files {
		if total <= size && c.now().Sub(f.used) <= maxAge {
			break
		}
		if os.Remove(f.name) == nil {
			total -= f.size
		}
	}
}

// Program returns a digest of the running program: results depend on what computed them.
func Program() (ID, error) {
	name, err := os.Executable()
	if err != nil {
		return ID{}, err
	}
	if id := buildID(name); id != nil { // reading the whole file takes longer
		return sha256.Sum256(id), nil
	}
	data, err := os.ReadFile(name)
	return sha256.Sum256(data), err
}

// buildID returns what the go command wrote into an ELF file of a program: digests of what the program was made from,
// and of its content. It returns nil if there is none, as after -ldflags=-buildid=.
func buildID(name string) []byte {
	file, err := elf.Open(name)
	if err != nil {
		return nil
	}
	defer file.Close()
	note := file.Section(".note.go.buildid")
	if note == nil {
		return nil
	}
	if data, err := note.Data(); err == nil && bytes.Count(data, []byte("/")) == 3 {
		return data
	}
	return nil
}
