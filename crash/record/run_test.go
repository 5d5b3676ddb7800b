package record

import (
	"os"
	"path/filepath"
	"testing"

	"dsd/schemas"
)

// TestSettle: which of three panics remain, of goroutines 1, 7 and 7, the last one recovered in a function of --at?
func TestSettle(t *testing.T) {
	text := func(goroutine string) string {
		return "panic: x\n\ngoroutine " + goroutine + " [running]:\nmain.main()\n\t/m/m.go:3 +0x1d\n"
	}
	for _, tt := range []struct {
		name, outcome string
		want          string // how each that remains ended
	}{
		{"no panic ended the program", "", "at "},
		{"one did", text("7"), "program at "},
		{"the other one did", text("1"), "program at "},
		{"another one did", text("9"), "at "},
		{"the disk was full before the goroutine", "panic: x\n\ngorout", "program program at "},
		{"a fatal error", "fatal error: x\n\ngoroutine 9 [running]:\n", "at "},
	} {
		file := filepath.Join(t.TempDir(), "1.json.outcome")
		if err := os.WriteFile(file, []byte(tt.outcome), 0o666); err != nil {
			t.Fatal(err)
		}
		doc := &schemas.Recording{Crashes: []schemas.RecordedCrash{
			{Panic: text("1")}, {Panic: text("7")}, {Panic: text("7"), Ended: "at"},
		}}
		new(Session).settle(doc, file)
		got := ""
		for _, c := range doc.Crashes {
			got += c.Ended + " "
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
