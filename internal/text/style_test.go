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

// TestVisible: what a terminal acts on is shown, not done.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\tb":         "a\n\tb",
		"\x1b[31mred":    `\x1b[31mred`,
		"\u009b31m":      `\u009b31m`,
		"a\u202eb\u2028": `a\u202eb\u2028`,
		"\xff":           `\xff`,
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %s, want %s", in, got, want)
		}
	}
}
