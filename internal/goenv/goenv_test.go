package goenv

import (
	"context"
	"testing"
)

// TestRead: the variables are those of the environment at the time, however often they were asked for before.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	for _, goos := range []string{"plan9", "linux", "plan9"} {
		t.Setenv("GOOS", goos)
		vars, err := Read(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if vars["GOOS"] != goos {
			t.Errorf("got GOOS=%s, want %s", vars["GOOS"], goos)
		}
		vars["GOOS"] = "changed" // the caller's
	}
	t.Setenv("GOCACHE", "off")
	if vars, err := Read(context.Background(), dir); err != nil || vars["GOOS"] != "plan9" || vars["GOVERSION"] != "" {
		t.Errorf("without a build cache: got GOOS=%s GOVERSION=%s (%v)", vars["GOOS"], vars["GOVERSION"], err)
	}
	if _, err := Read(context.Background(), dir+"/absent"); err == nil {
		t.Error("no error in a folder that does not exist")
	}
}

func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		if _, err := Read(context.Background(), dir); err != nil {
			b.Fatal(err)
		}
	}
}
