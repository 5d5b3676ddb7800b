package overlay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dsd/internal/goenv"
	"dsd/internal/scratch"
	"dsd/internal/subprocess"
)

// Overlay is a set of added, replaced and hidden files, with a scratch directory.
type Overlay struct {
	// Root is the directory in which the go command runs: the module's, or that of its copy.
	Root string
	// Scratch is a directory for binaries and outputs, which Close removes.
	Scratch string

	replace map[string]string // absolute file names, and the files that replace them; "" hides a file
	n       int               // the number of files added so far
	flags   string            // GOFLAGS of the commands

	moduleCache, toolchain string // GOMODCACHE and GOROOT
	workspace              string // the file go.work, "" if there is none
}

// Open returns an empty overlay of the module whose root is dir, an absolute path. The caller
// closes it.
//
// Root is dir, unless that is in the module cache, where the go command allows no overlay; then
// Root is a copy.
func Open(dir string) (*Overlay, error) {
	temp, err := scratch.New()
	if err != nil {
		return nil, err
	}
	o := &Overlay{Root: dir, Scratch: temp, replace: map[string]string{}}
	if err := o.environment(); err != nil {
		o.Close()
		return nil, err
	}
	const sep = string(filepath.Separator)
	if strings.HasPrefix(dir+sep, o.moduleCache+sep) {
		o.Root = filepath.Join(temp, "module")
		if err := copyTree(dir, o.Root); err != nil {
			o.Close()
			return nil, fmt.Errorf("copying %s out of the module cache: %w", dir, err)
		}
	}
	return o, nil
}

// Close removes the scratch directory.
func (o *Overlay) Close() error { return scratch.Remove(o.Scratch) }

// Add adds a file, or replaces it. name is a path relative to Root.
func (o *Overlay) Add(name string, content []byte) error {
	// The replacement keeps the base name, which the compiler prints in its errors.
	o.n++
	dir := filepath.Join(o.Scratch, fmt.Sprintf("file%d", o.n))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.Base(name))
	o.replace[filepath.Join(o.Root, name)] = file
	return os.WriteFile(file, content, 0o666)
}

// Remove removes a file that was added or hidden from the overlay.
func (o *Overlay) Remove(name string) { delete(o.replace, filepath.Join(o.Root, name)) }

// Hide makes a file of the module invisible to the go command. name is a path relative to Root.
func (o *Overlay) Hide(name string) { o.replace[filepath.Join(o.Root, name)] = "" }

// RestoreNames replaces the names of added files in the compiler's errors by their names in the
// module, in the go command's form: ./a/b.go.
func (o *Overlay) RestoreNames(text string) string {
	name := regexp.QuoteMeta(filepath.Base(o.Scratch))
	added := regexp.MustCompile(`[^\s:]*` + name + `/file\d+/[^\s:]+`)
	return added.ReplaceAllStringFunc(text, func(name string) string {
		_, tail, _ := strings.Cut(name, filepath.Base(o.Scratch))
		for original, file := range o.replace {
			if rel, err := filepath.Rel(o.Root, original); err == nil && file == o.Scratch+tail {
				return "./" + filepath.ToSlash(rel)
			}
		}
		return name
	})
}

// Command returns the command `go VERB -overlay=... ARGS`, to be run in Root. Its process group is
// killed when ctx ends.
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
		// The go command links without debug information what it runs and removes. With -c it would not,
		// and that is a fifth of the time that a test takes to build when its packages are compiled.
		if !strings.Contains(o.flags, "-ldflags=") {
			all = append(all, "-ldflags=-s -w")
		}
	}
	cmd := exec.CommandContext(ctx, "go", append(all, args...)...)
	cmd.Dir = o.Root
	// The go command's work directory goes with Scratch, even if the go command is killed.
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+o.Scratch, "GOFLAGS="+o.flags)
	if verb == "build" || slices.Contains(args, "-c") { // no program of the user's sees it
		cmd.Env = append(cmd.Env, "TMPDIR="+o.Scratch) // for long arguments, and files of the C compiler
		cmd.Env = append(cmd.Env, subprocess.Compiling()...)
	}
	subprocess.KillGroup(cmd)
	return cmd, nil
}

// Literally returns a pattern of filepath.Match that matches a path, and nothing else.
func Literally(path string) string {
	return strings.NewReplacer("\\", "\\\\", "[", "\\[", "*", "\\*", "?", "\\?").Replace(path)
}

// environment reads the settings of the go command. It returns an error if there is no module cache, because
// the go command refuses overlays then.
func (o *Overlay) environment() error {
	env, err := goenv.Read(context.Background(), o.Root)
	if err != nil {
		return err
	}
	if env["GOMODCACHE"] == "" {
		return errors.New("the go command has no module cache: set HOME, or GOMODCACHE and GOCACHE")
	}
	o.flags = withoutTestFlags(env["GOFLAGS"])
	o.moduleCache, o.toolchain = env["GOMODCACHE"], env["GOROOT"]
	if filepath.IsAbs(env["GOWORK"]) { // not "off"
		o.workspace = env["GOWORK"]
	}
	return nil
}

// testFlags are flags of the go command that change how tests are built, run or reported, in ways that
// instrumented tests do not stand: coverage rewrites them, the race detector slows them down, and
// without paths positions do not tell the testee's files.
var testFlags = map[string]bool{
	"a": true, "asan": true, "bench": true, "benchtime": true, "c": true, "count": true, "cover": true,
	"covermode": true, "coverpkg": true, "coverprofile": true, "cpu": true, "exec": true,
	"failfast": true, "fullpath": true, "fuzz": true, "json": true, "list": true, "msan": true,
	"n": true, "o": true, "overlay": true, "parallel": true, "race": true, "run": true, "short": true,
	"shuffle": true, "skip": true, "timeout": true, "toolexec": true, "trimpath": true, "v": true,
	"vet": true, "x": true,
}

// withoutTestFlags returns the flags of GOFLAGS without testFlags. Flags are separated by spaces, and may
// have quotes around them.
func withoutTestFlags(flags string) string {
	var out []string
	for flags = strings.TrimSpace(flags); flags != ""; flags = strings.TrimSpace(flags) {
		end := strings.IndexAny(flags, " \t\n")
		if q := flags[0]; q == '\'' || q == '"' {
			if end = strings.IndexByte(flags[1:], q); end >= 0 {
				end += 2
			}
		}
		if end < 0 {
			end = len(flags)
		}
		flag := flags[:end]
		flags = flags[end:]
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "'\"-"), "=")
		if !testFlags[name] {
			out = append(out, flag)
		}
	}
	return strings.Join(out, " ")
}
