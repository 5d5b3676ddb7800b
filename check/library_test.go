package check

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
)

// TestLibrary checks functions that rest on what the standard library returns. Those whose names
// begin with F never panic; the others do.
func TestLibrary(t *testing.T) {
	const src = `package m

import (
	"encoding/json"
	"math/big"
	"net/http"
	"os"
	"time"
)

func FMonth(t time.Time) string  { return [13]string{}[t.Month()] }
func MMonth(t time.Time) string  { return [12]string{}[t.Month()] }
func FSign(x *big.Int) int {
	if x == nil {
		return 0
	}
	return [3]int{}[x.Sign()+1]
}
func MSign(x *big.Int) int {
	if x == nil {
		return 0
	}
	return [2]int{}[x.Sign()+1]
}
func FSum(x, y *big.Int) string {
	if x == nil || y == nil {
		return ""
	}
	z := new(big.Int).Add(x, y)
	return z.SetInt64(3).String()
}
func FMarshal(v any) byte {
	text, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return text[0]
}
func MMarshal(v any) byte {
	text, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return text[1]
}
func FRequest(address string) string {
	r, err := http.NewRequest("GET", address, nil)
	if err != nil {
		return ""
	}
	r.Header["X"] = nil
	return r.URL.Host
}
func FArgs() string { return os.Args[0] }
func MArgs() string { return os.Args[1] }
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(context.Background(), prog, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range doc.Warnings {
		got = append(got, strings.TrimPrefix(w.Func, "example.com/m."))
	}
	slices.Sort(got)
	if want := []string{"MArgs", "MMarshal", "MMonth", "MSign"}; !slices.Equal(got, want) {
		t.Errorf("warned of %v, want %v", got, want)
	}
}
