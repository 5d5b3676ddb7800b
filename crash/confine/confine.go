// Package confine runs a program so that it can do no harm: it writes below one directory alone, has no network, starts no
// processes, signals no others, sees none of the user's environment, and uses no more memory and disk than it may. No
// privileges are needed for that.
//
// The confined program is started through the running executable itself, which must call Init first in its main function:
// it gives up what is not allowed, and then becomes the program.
package confine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// Rules are what a program may do.
type Rules struct {
	// Dir is the only directory that it may write below; it runs there.
	Dir string
	// MemoryKB bounds its address space, FileBytes the size of a file that it writes.
	MemoryKB, FileBytes int64
	// Env are further variables of its environment.
	Env []string `json:"-"`
	// Unconfined lets it do all that the user may, but for the bounds.
	Unconfined bool
}

// variable is the environment variable that tells the executable what it is to become.
const variable = "DSD_CONFINE"

// Error says that a program cannot be confined here.
type Error struct{ Why string }

func (e *Error) Error() string {
	return "candidates cannot be confined here: " + e.Why + "; --no-sandbox runs them with your rights"
}

// Command returns the command that runs a program under the rules. Nothing of the user's environment is passed on. The
// error is an *Error.
func Command(ctx context.Context, rules Rules, program string, args ...string) (*exec.Cmd, error) {
	if !rules.Unconfined {
		if why := Unsupported(); why != "" {
			return nil, &Error{why}
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, &Error{err.Error()}
	}
	text, err := json.Marshal(rules)
	if err != nil {
		return nil, &Error{err.Error()}
	}
	cmd := exec.CommandContext(ctx, self, append([]string{program}, args...)...)
	cmd.Dir = rules.Dir
	cmd.Env = append([]string{variable + "=" + string(text), "GOTRACEBACK=single", "HOME=" + rules.Dir, "TMPDIR=" + rules.Dir, "PWD=" + rules.Dir,
		"PATH=/usr/local/bin:/usr/bin:/bin"}, rules.Env...)
	if rules.Unconfined {
		cmd.Env = append(os.Environ(), cmd.Env...)
	}
	return cmd, nil
}

// Init becomes the program that Command was asked for, if this process was started for that. It comes first in main.
func Init() {
	text := os.Getenv(variable)
	if text == "" {
		return
	}
	var rules Rules
	err := json.Unmarshal([]byte(text), &rules)
	if err == nil {
		os.Unsetenv(variable)
		err = become(rules, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "dsd: confining:", err)
	os.Exit(126)
}
