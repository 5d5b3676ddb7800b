package text

import "testing"

func TestStyle(t *testing.T) {
	if got := Style(true).Red("a"); got != "\x1b[31ma\x1b[0m" {
		t.Errorf("%q", got)
	}
	if got := Style(false).Bold("a"); got != "a" {
		t.Errorf("%q", got)
	}
}
