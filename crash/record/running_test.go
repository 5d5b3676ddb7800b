package record

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dsd/schemas"
)

// shop is a server that panics on requests for 49, which net/http recovers from. Its arguments say how many of
// those, and how many others at the same time.
const shop = `package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
)

type shop struct {
	mu    sync.Mutex
	stock map[string][]int
}

func (s *shop) buy(id int, name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stock[name][id]
}

func mux(s *shop) *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.URL.Query().Get("id"))
		if err != nil {
			return
		}
		fmt.Fprint(w, s.buy(id, "all"))
	})
	return m
}

func main() {
	s := &shop{stock: map[string][]int{"all": make([]int, 49)}}
	srv := httptest.NewUnstartedServer(mux(s))
	srv.Config.ErrorLog = nil
	srv.Start()
	var ok, failed atomic.Int64
	var wg sync.WaitGroup
	get := func(id int) {
		defer wg.Done()
		r, err := http.Post(srv.URL+"?id="+strconv.Itoa(id), "", nil)
		if err != nil {
			failed.Add(1)
			return
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.StatusCode == 200 && string(text) == "0" {
			ok.Add(1)
		}
	}
	panics, _ := strconv.Atoi(os.Args[1])
	others, _ := strconv.Atoi(os.Args[2])
	for range panics {
		wg.Add(1)
		get(49)
	}
	for i := range others {
		wg.Add(1)
		go get(i % 49)
		if i%100 == 0 {
			wg.Add(1)
			go get(49)
		}
	}
	wg.Wait()
	fmt.Println(ok.Load(), failed.Load())
}
`

// TestRunning checks that a server built with a second chance records after its first panic, without a second build, and
// loses no request. The next process of the program records its first panic.
func TestRunning(t *testing.T) {
	dir := program(t, "example.com/shop", shop)
	chance := filepath.Join(t.TempDir(), "chance.txt")
	binary := filepath.Join(t.TempDir(), "shop")
	records := t.TempDir()
	s, err := Open(t.Context(), dir, Options{SecondChance: chance, Running: true, File: filepath.Join(records, "PID.json")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out strings.Builder
	if status, err := s.Run(t.Context(), []string{"go", "build", "-o", binary, "."}, nil, &out, &out); err != nil || status != 0 {
		t.Fatalf("status %d, %v: %s", status, err, out.String())
	}
	for _, run := range []struct {
		name, panics, others, want string
		recorded                   int
	}{
		{"nothing panics", "0", "0", "0 0", 0},
		{"the first panic", "1", "0", "0 1", 0},
		{"the next process", "1", "1000", "1000 11", 11},
		{"later panics in the process that saw the first", "1", "1000", "1000 11", 21},
	} {
		if strings.HasPrefix(run.name, "later") {
			if err := os.Remove(chance); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), binary, run.panics, run.others)
		cmd.Env = append(os.Environ(), "DSD_RECORD=", "DSD_CHANCE=")
		text, err := cmd.Output()
		if err != nil || strings.TrimSpace(string(text)) != run.want {
			t.Fatalf("%s: requests answered and failed: %s, %v, want %s", run.name, text, err, run.want)
		}
		if n := len(recordings(t, records)); n != run.recorded {
			t.Fatalf("%s: %d recordings, want %d", run.name, n, run.recorded)
		}
	}
	text, err := os.ReadFile(chance)
	if err != nil || !strings.HasPrefix(string(text), "panic: runtime error: index out of range [49] with length 49\n\ngoroutine ") {
		t.Errorf("the first crash is %.300s, %v", text, err)
	}
	for _, doc := range recordings(t, records) {
		f := doc.Crashes[0].Frames
		i := 0
		for i < len(f) && f[i].Func != "example.com/shop.(*shop).buy" {
			i++
		}
		if i == len(f) || f[i].Params[0].Lit != "49" || doc.Crashes[0].Ended != "at net/http.(*conn).serve" {
			t.Fatalf("recorded is %+v, which ended %s", f, doc.Crashes[0].Ended)
		}
	}
}

// recordings returns the documents in a folder.
func recordings(t *testing.T, dir string) (list []*schemas.Recording) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		r, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := schemas.ReadRecording(r, file)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, doc)
	}
	return list
}
