package text

import "testing"

func TestSize(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "1": 1, "10 B": 10, "2k": 2048, "500M": 500 << 20, "1.5 GiB": 3 << 29, "2GB": 2 << 30, "1tib": 1 << 40,
	} {
		if got, err := ParseSize(s); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "x", "-1", "1X", "GiB", "1e30", "NaN", "Inf", "1 2", "5PiB"} {
		if got, err := ParseSize(s); err == nil {
			t.Errorf("ParseSize(%q) = %d, want an error", s, got)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 17: "17 B", 2048: "2 KiB", 3 << 29: "1.5 GiB", 1 << 20: "1 MiB"} {
		if got := Size(n); got != want {
			t.Errorf("Size(%d) = %s, want %s", n, got, want)
		}
	}
}
