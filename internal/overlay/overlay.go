package overlay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Overlay is a set of replaced files and a scratch directory.
type Overlay struct {
	// Root is the directory to run the go command in: the testee's, or its copy.
	Root string
	// Scratch is a directory of our own for binaries and outputs.
	Scratch string

	replace map[string]string
	n       int
}

// Open prepares work on the module rooted at dir (absolute). Close it.
//
// Root differs from dir only if dir lies in the module cache, whose files may not be overlaid; then Root is a copy.
func Open(dir string) (*Overlay, error) {
	scratch, err := os.MkdirTemp("", "dsd-")
	if err != nil {
		return nil, err
	}
	o := &Overlay{Root: dir, Scratch: scratch, replace: map[string]string{}}
	if inModuleCache(dir) {
		o.Root = filepath.Join(scratch, "module")
		if err := copyTree(dir, o.Root); err != nil {
			o.Close()
			return nil, fmt.Errorf("copying %s out of the module cache: %w", dir, err)
		}
	}
	return o, nil
}

// Close removes the scratch directory.
func (o *Overlay) Close() error { return os.RemoveAll(o.Scratch) }

// Add puts a file of the given content where name is, a path relative to Root.
func (o *Overlay) Add(name string, content []byte) error {
	// The base name stays, as the compiler mentions it in its complaints.
	o.n++
	dir := filepath.Join(o.Scratch, fmt.Sprintf("file%d", o.n))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.Base(name))
	o.replace[filepath.Join(o.Root, name)] = file
	return os.WriteFile(file, content, 0o666)
}

// Original gives the files in the compiler's complaints the names that they have in the testee, ./a/b.go, as the go command writes them.
func (o *Overlay) Original(complaint string) string {
	ours := regexp.MustCompile(`[^\s:]*` + regexp.QuoteMeta(filepath.Base(o.Scratch)) + `/file\d+/[^\s:]+`)
	return ours.ReplaceAllStringFunc(complaint, func(name string) string {
		_, tail, _ := strings.Cut(name, filepath.Base(o.Scratch))
		for original, file := range o.replace {
			if rel, err := filepath.Rel(o.Root, original); err == nil && file == o.Scratch+tail {
				return "./" + filepath.ToSlash(rel)
			}
		}
		return name
	})
}

// Command returns `go VERB -overlay=... ARGS`, to be run in Root; its whole process group is killed when ctx ends.
func (o *Overlay) Command(ctx context.Context, verb string, args ...string) (*exec.Cmd, error) {
	text, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(o.Scratch, "overlay.json")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, err
	}
	all := []string{verb, "-overlay=" + file}
	if verb == "test" {
		all = append(all, "-vet=off")
	}
	cmd := exec.CommandContext(ctx, "go", append(all, args...)...)
	cmd.Dir = o.Root
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+o.Scratch) // removed with Scratch, even if the go command is killed
	Group(cmd)
	return cmd, nil
}

// Group makes cmd the leader of a process group that is killed as a whole when cmd's context ends, so that the tests
// that `go test` started do not live on.
func Group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
}

func inModuleCache(dir string) bool {
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	cache := strings.TrimSpace(string(out))
	return err == nil && cache != "" && strings.HasPrefix(dir+string(filepath.Separator), cache+string(filepath.Separator))
}

// Remove takes back an added file.
func (o *Overlay) Remove(name string) { delete(o.replace, filepath.Join(o.Root, name)) }

// Hide lets a file not be there, a path relative to Root.
func (o *Overlay) Hide(name string) { o.replace[filepath.Join(o.Root, name)] = "" }
