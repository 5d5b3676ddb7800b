package subprocess

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// refusal matches what the system says when it refuses a program memory, files, processes or room.
var refusal = regexp.MustCompile(`no space left on device|disk quota exceeded|input/output error|too many open files|` +
	`cannot allocate memory|resource temporarily unavailable`)

// Failure returns an error if the go command could not do its work: it did not start, was killed, ended without a word,
// or the system refused it something. It returns nil if the go command complains about the module. err and complaints
// are those of Go, err not nil.
func Failure(err error, complaints string) error {
	var exit *exec.ExitError
	switch reason := refusal.FindString(complaints); {
	case !errors.As(err, &exit) || strings.TrimSpace(complaints) == "":
		return fmt.Errorf("the go command: %w", err)
	case reason != "":
		for l := range strings.Lines(complaints) {
			if strings.Contains(l, reason) {
				return fmt.Errorf("the go command: %s", strings.TrimSpace(l))
			}
		}
	}
	return nil
}
