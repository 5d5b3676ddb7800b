package e2e_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/cmdline"
)

// TestConfigKeys: each key that dsd.json may have is a flag of some command.
func TestConfigKeys(t *testing.T) {
	var help strings.Builder
	for _, cmd := range []string{"check", "check diff", "infer trace", "infer invariants", "infer models", "crash confirm", "crash random",
		"crash reproduce", "crash record", "crash replay", "crash report"} {
		words := append(strings.Fields(cmd), "--help")
		out, err := exec.Command(filepath.Join(bin, words[0]), words[1:]...).Output()
		if err != nil {
			t.Fatalf("%s: %v", cmd, err)
		}
		help.Write(out)
	}
	for _, key := range cmdline.ConfigKeys {
		dashes := "--"
		if len(key) == 1 {
			dashes = "-"
		}
		if !strings.Contains(help.String(), " "+dashes+key+" ") && !strings.Contains(help.String(), " "+dashes+key+"\n") {
			t.Errorf("no command has the flag %s%s", dashes, key)
		}
	}
}
