package cache

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func id(s string) ID { return sha256.Sum256([]byte(s)) }

func open(t *testing.T) *Cache {
	t.Helper()
	c, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGet checks that data comes back as it was put, and that damage costs the entry alone.
func TestGet(t *testing.T) {
	c := open(t)
	if got := c.Get(id("a")); got != nil {
		t.Errorf("an empty cache has %q", got)
	}
	c.Put(id("a"), []byte("old"))
	c.Put(id("a"), []byte("one"))
	c.Put(id("b"), []byte("two"))
	for name, want := range map[string]string{"a": "one", "b": "two"} {
		if got := string(c.Get(id(name))); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, damage := range []string{"", "x", string(make([]byte, 40))} {
		if err := os.WriteFile(c.path(id("a")), []byte(damage), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := c.Get(id("a")); got != nil {
			t.Errorf("a damaged entry %q has %q", damage, got)
		}
	}
	if got := string(c.Get(id("b"))); got != "two" {
		t.Errorf("beside a damaged entry: %q", got)
	}
	c.Put(id("a"), []byte("new"))
	if got := string(c.Get(id("a"))); got != "new" {
		t.Errorf("written again: %q", got)
	}
	var off *Cache
	off.Put(id("a"), []byte("x"))
	if off.Get(id("a")) != nil {
		t.Error("the nil cache keeps something")
	}
}

// TestConcurrent checks that readers see whole entries while several caches write one folder.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		c, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			wg.Go(func() {
				for i := range 200 {
					name := fmt.Sprint(i % 7)
					want := bytes.Repeat([]byte(name), 5000)
					if got := c.Get(id(name)); got != nil && !bytes.Equal(got, want) {
						t.Errorf("%s: %d other bytes", name, len(got))
					}
					c.Put(id(name), want)
				}
			})
		}
	}
	wg.Wait()
	if left, _ := filepath.Glob(filepath.Join(dir, "new-*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestTrim checks that the least recently used entries are removed first, and only as many as necessary.
func TestTrim(t *testing.T) {
	c := open(t)
	begin := time.Now()
	at := func(d time.Duration) { c.now = func() time.Time { return begin.Add(d) } }
	for i, name := range []string{"a", "b", "c", "d"} {
		c.Put(id(name), make([]byte, 1000))
		used := begin.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(c.path(id(name)), used, used); err != nil {
			t.Fatal(err)
		}
	}
	has := func(want ...bool) {
		t.Helper()
		for i, name := range []string{"a", "b", "c", "d"} {
			if _, err := os.Stat(c.path(id(name))); (err == nil) != want[i] {
				t.Errorf("%s is there: %v", name, err == nil)
			}
		}
	}
	at(2 * time.Hour)
	c.Get(id("a")) // used
	c.trimTo(3500)
	has(true, false, true, true)
	at(maxAge + time.Hour)
	c.trimTo(1 << 20)
	has(true, false, false, false)
}

// TestDefault checks where the folder is.
func TestDefault(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, variable, user string
		want                 string // the folder, "" for none
		bad                  bool
	}{
		{"named", dir, "/nowhere", dir, false},
		{"user", "", dir, filepath.Join(dir, "dsd"), false},
		{"off", "off", dir, "", false},
		{"relative", "x/y", dir, "", true},
		{"a file", file, dir, "", true},
		{"the user's is a file", "", file, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(Variable, tt.variable)
			t.Setenv("XDG_CACHE_HOME", tt.user)
			c, err := Default("")
			if (err != nil) != tt.bad {
				t.Fatal(err)
			}
			if got := ""; c != nil && c.dir != tt.want || c == nil && tt.want != got {
				t.Errorf("%v, want %q", c, tt.want)
			}
		})
	}
}

// TestTree checks that the digest of a folder tells changes of names, contents and links.
func TestTree(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	seen := map[ID]string{}
	begin, _, err := Tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	seen[begin] = "nothing"
	for _, step := range []struct {
		what string
		do   func() error
		same string // the step after which it was the same, "" for none
	}{
		{"a file", func() error { return os.WriteFile(file("a"), []byte("x"), 0o666) }, ""},
		{"its content", func() error { return os.WriteFile(file("a"), []byte("y"), 0o666) }, ""},
		{"its content again", func() error { return os.WriteFile(file("a"), []byte("x"), 0o666) }, "a file"},
		{"its name", func() error { return os.Rename(file("a"), file("b")) }, ""},
		{"its mode", func() error { return os.Chmod(file("b"), 0o777) }, ""},
		{"a folder", func() error { return os.Mkdir(file("d"), 0o777) }, ""},
		{"a link", func() error { return os.Symlink("b", file("d/l")) }, ""},
		{"another link", func() error { os.Remove(file("d/l")); return os.Symlink("d", file("d/l")) }, ""},
		{"history", func() error { return os.Mkdir(file(".git"), 0o777) }, "another link"},
		{"output", func() error { return os.WriteFile(file("out"), []byte("x"), 0o666) }, "another link"},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		sum, _, err := Tree(dir, file("out"))
		if err != nil {
			t.Fatal(err)
		}
		if seen[sum] != step.same {
			t.Errorf("%s: as after %q, want %q", step.what, seen[sum], step.same)
		}
		if step.same == "" {
			seen[sum] = step.what
		}
	}
	if _, _, err := Tree(file("missing")); err == nil {
		t.Error("a folder that is not there has a digest")
	}
	one, _, err := Tree(file("b"))
	if _, known := seen[one]; err != nil || known {
		t.Errorf("a file: %v", err)
	}
}
