package cmdline

import (
	"os"
	"strings"
	"testing"
)

// TestVersion checks that the current version has a section in the change log, and that --version
// prints it first.
func TestVersion(t *testing.T) {
	log, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(log), "\n## ["+Version+"] - ") {
		t.Errorf("CHANGELOG.md has no section for version %s", Version)
	}
	if words := strings.Fields(version()); len(words) != 3 || words[0] != Version {
		t.Errorf("version() = %q, want %s, the revision and the version of Go", version(), Version)
	}
}
