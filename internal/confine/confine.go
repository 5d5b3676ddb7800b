package confine

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Rules are what a program may do.
type Rules struct {
	// Dir is the working directory. The program may write below it and the directories of Write, and nowhere else.
	// Its home, and its directory for temporary files, is Home, or else Dir.
	Dir, Home string
	Write     []string
	// Read are the directories that it may read, apart from Dir and those of the system.
	Read []string
	// MemoryKB is the size of the memory that it may write, in KiB, and FileBytes that of the
	// largest file that it may write, in bytes; 0 for no limit.
	MemoryKB, FileBytes int64
	// Env are further variables of its environment.
	Env []string `json:"-"`
	// Files is the number of open files that it gets as the command's ExtraFiles. Others that this process has
	// inherited are closed.
	Files int
	// Parent is this process: the program is killed when it ends, however that happens. Command sets it.
	Parent int
	// Unconfined lets it do everything that the user may, within MemoryKB and FileBytes.
	Unconfined bool
}

// AllowRead are further directories and files that confined programs may read. It is set before any is started.
var AllowRead []string

// rulesVariable is the environment variable that holds the rules, as JSON, between Command and
// Init.
const rulesVariable = "DSD_CONFINE"

// exitRefused is the exit status if the program cannot be confined or started. Shells use it for a
// command that cannot be executed.
const exitRefused = 126

// Error is why a program cannot be confined here.
type Error struct{ Why string }

func (e *Error) Error() string {
	return "candidates cannot be confined here: " + e.Why +
		"; --no-sandbox runs them with your rights"
}

// Command returns the command that runs a program under the rules. Unless it is unconfined, the
// program gets nothing of the user's environment. The error is an *Error.
func Command(ctx context.Context, rules Rules, program string, args ...string) (*exec.Cmd, error) {
	if !rules.Unconfined {
		if why := Unsupported(); why != "" {
			return nil, &Error{why}
		}
	}
	rules.Parent, rules.Read = os.Getpid(), append(slices.Clone(rules.Read), AllowRead...)
	self, err := os.Executable()
	if err != nil {
		return nil, &Error{err.Error()}
	}
	text, err := json.Marshal(rules)
	if err != nil {
		return nil, &Error{err.Error()}
	}
	home := cmp.Or(rules.Home, rules.Dir)
	cmd := exec.CommandContext(ctx, self, append([]string{program}, args...)...)
	cmd.Dir = rules.Dir
	cmd.Env = []string{
		rulesVariable + "=" + string(text),
		"GOTRACEBACK=single",
		"HOME=" + home, "TMPDIR=" + home, "PWD=" + rules.Dir,
		"PATH=/usr/local/bin:/usr/bin:/bin",
	}
	cmd.Env = append(cmd.Env, rules.Env...)
	if rules.Unconfined {
		cmd.Env = append(os.Environ(), cmd.Env...)
	}
	return cmd, nil
}

// Init becomes the program that Command was called with, if this process was started for that;
// otherwise it returns. It must be called first in main.
func Init() {
	text := os.Getenv(rulesVariable)
	if text == "" {
		return
	}
	var rules Rules
	err := json.Unmarshal([]byte(text), &rules)
	if err == nil {
		os.Unsetenv(rulesVariable)
		err = become(rules, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "dsd: confining:", err)
	os.Exit(exitRefused)
}

// named returns a command whose program is told its own name without the directory. That is a
// temporary one, and what a program prints of it would be different each time.
func named(command []string) []string {
	return append([]string{filepath.Base(command[0])}, command[1:]...)
}
