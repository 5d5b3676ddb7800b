package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"dsd/internal/goenv"
)

// Local returns the files and folders, absolute and sorted, on which the packages that the patterns match and
// their tests depend, apart from the toolchain and the module cache, whose contents do not change: the
// main modules, the modules that replace directives name, and the workspace's files.
func Local(ctx context.Context, dir string, patterns []string) ([]string, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	ask := sync.OnceValues(func() ([]string, error) { return local(ctx, abs, patterns) })
	if before, ok := asked.LoadOrStore(fmt.Sprintf("%q %q", abs, patterns), ask); ok {
		ask = before.(func() ([]string, error))
	}
	return ask()
}

// asked are the questions to Local so far: several want to know the same, and the go command takes half a second.
var asked sync.Map

// local is Local for an absolute dir and some patterns.
func local(ctx context.Context, dir string, patterns []string) ([]string, error) {
	env, err := Environment(ctx, dir)
	if err != nil {
		return nil, err
	}
	if root := alone(env); root != "" {
		return []string{root}, nil
	}
	var out []string
	add := func(name string) {
		if !filepath.IsAbs(name) || slices.Contains(out, name) {
			return
		}
		if rel, err := filepath.Rel(env["GOMODCACHE"], name); err == nil && filepath.IsLocal(rel) {
			return
		}
		if _, err := os.Stat(name); err == nil {
			out = append(out, name)
		}
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}")
	cmd.Dir = dir
	main, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for d := range strings.Lines(string(main)) {
		add(strings.TrimSpace(d))
	}
	pkgs, err := list(ctx, dir, append([]string{"-e", "-deps", "-test", "-json=Module", "--"}, patterns...))
	if err != nil {
		return nil, err
	}
	for _, l := range pkgs {
		if l.Module != nil {
			add(l.Module.Dir)
		}
	}
	if work := env["GOWORK"]; filepath.IsAbs(work) {
		add(work)
		add(work + ".sum")
	}
	slices.Sort(out)
	return out, ctx.Err()
}

// alone returns the folder of the main module if nothing else can be local: outside of workspaces, for a go.mod file
// without replacements. It returns "" if it cannot tell without asking the go command, which takes half a second.
func alone(env map[string]string) string {
	if env["GOWORK"] != "" && env["GOWORK"] != "off" || strings.Contains(env["GOFLAGS"], "modfile") {
		return ""
	}
	text, err := os.ReadFile(env["GOMOD"])
	if err != nil || len(text) == 0 || bytes.Contains(text, []byte("=>")) {
		return ""
	}
	return filepath.Dir(env["GOMOD"])
}

// unimportant are the variables of go env that do not change what is built, or are other ones each time.
var unimportant = []string{"GOCACHE", "GOENV", "GOTELEMETRY", "GOTELEMETRYDIR", "GOPROXY",
	"GOSUMDB", "GOAUTH", "GOVCS", "GONOPROXY", "GONOSUMDB", "GOPRIVATE", "GOINSECURE"}

// Environment returns the go command's variables in dir that what it builds may depend on.
func Environment(ctx context.Context, dir string) (map[string]string, error) {
	env, err := goenv.Read(ctx, dir)
	if err != nil {
		return nil, err
	}
	if env["GOVERSION"] == "" {
		return nil, errors.New("the go command has no build cache")
	}
	for _, name := range unimportant {
		delete(env, name)
	}
	return env, nil
}
