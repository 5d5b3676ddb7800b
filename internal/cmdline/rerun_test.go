package cmdline

import (
	"reflect"
	"testing"
	"time"
)

func TestWritten(t *testing.T) {
	for _, w := range []*Written{
		{},
		{Document: []byte("{\n}\n"), Log: "one\ntwo\n", Trees: map[string]string{"/a": "00"}, Dirs: map[string]string{"": "/a"}},
		{Document: []byte{0, '\n', 0xff}, Until: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Variables: map[string]string{"HOME": "01"}},
	} {
		data, err := w.encode()
		if err != nil {
			t.Fatal(err)
		}
		got := decodeWritten(data)
		if got != nil && len(got.Document) == 0 {
			got.Document = nil
		}
		if !reflect.DeepEqual(got, w) {
			t.Errorf("got %+v, want %+v", got, w)
		}
	}
	for _, text := range []string{"", "{}", "x\n", "[]\n{}"} {
		if got := decodeWritten([]byte(text)); got != nil {
			t.Errorf("%q: got %+v, want nil", text, got)
		}
	}
}
