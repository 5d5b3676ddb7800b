package cache

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestMain runs the tests; called with serve as the first argument, it is a process that keeps entries in the
// folder that follows.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		serve(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// serve answers requests as the go command's protocol says. In a folder named stops, it ends at the first
// one; in one named fails, nothing can be kept.
func serve(dir string) {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{"ID": 0, "KnownCommands": []string{"get", "put", "close"}})
	for {
		var r request
		if in.Decode(&r) != nil || filepath.Base(dir) == "stops" {
			return
		}
		name := filepath.Join(dir, fmt.Sprintf("%x", r.ActionID))
		switch r.Command {
		case "get":
			if _, err := os.Stat(name); err != nil {
				out.Encode(answer{ID: r.ID, Miss: true})
				continue
			}
			out.Encode(answer{ID: r.ID, DiskPath: name})
		case "put":
			var data []byte
			if r.BodySize > 0 {
				if err := in.Decode(&data); err != nil || int64(len(data)) != r.BodySize {
					return
				}
			}
			if filepath.Base(dir) == "fails" {
				out.Encode(answer{ID: r.ID, Err: "the disk is full"})
				continue
			}
			os.WriteFile(name, data, 0o666)
			out.Encode(answer{ID: r.ID, DiskPath: name})
		case "close":
			out.Encode(answer{ID: r.ID})
			return
		}
	}
}

// TestProg shares entries between two folders by a process.
func TestProg(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"works", "fails", "stops"} {
		t.Run(kind, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), kind)
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			with := func(do func(*Cache)) {
				t.Helper()
				t.Setenv(Variable, t.TempDir())
				c, err := Default(self + " serve " + dir)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				do(c)
			}
			with(func(c *Cache) {
				var wg sync.WaitGroup
				for i := range 50 {
					wg.Go(func() {
						name := fmt.Sprint(i)
						c.Put(id(name), []byte(strings.Repeat(name, 10_000)))
					})
				}
				wg.Wait()
				if got := string(c.Get(id("7"))); !strings.HasPrefix(got, "777") {
					t.Errorf("from the folder: %.10q", got)
				}
			})
			with(func(c *Cache) {
				for i := range 50 {
					want := ""
					if kind == "works" {
						want = strings.Repeat(fmt.Sprint(i), 10_000)
					}
					if got := string(c.Get(id(fmt.Sprint(i)))); got != want {
						t.Fatalf("%d: %d bytes, want %d", i, len(got), len(want))
					}
				}
				if c.Get(id("missing")) != nil {
					t.Error("there is what was never put")
				}
			})
		})
	}
	for _, command := range []string{"/nonexistent/command", "true"} {
		if _, err := Default(command); err == nil {
			t.Errorf("%s: no error", command)
		}
	}
}
