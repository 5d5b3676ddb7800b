package candidate

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"dsd/crash/gofile"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// runtimeFiles are the package that executes the candidates.
//
//go:embed run
var runtimeFiles embed.FS

// ResetMode is how package-level variables are made anew between candidates.
type ResetMode string

// The ways of Reset: by their initialisers, by a new process for each candidate, and not at all.
const (
	ResetReinit  ResetMode = "reinit"
	ResetProcess ResetMode = "process"
	ResetNone    ResetMode = "none"
)

// Goal is what the arguments of an operation should be: the nodes of a counterexample, and the objects they refer to.
// Candidates that come nearer to it are told like those that reach new blocks.
type Goal struct {
	Args    []schemas.Node `json:"args"`
	Objects []schemas.Node `json:"objects"`
}

// BuildOptions say what a harness is to tell of candidates.
type BuildOptions struct {
	Reset ResetMode
	// Preconditions are tested by the calls of candidates.
	Preconditions Preconditions
	// Goals are what operations compare their arguments with; they name them by their index.
	Goals []Goal
	// Target are those of a stack, crash first, that is to be reproduced: the distance of each candidate to it is told.
	Target []TargetFrame
}

// Harness is a test binary that executes candidates over a table of operations of one package.
type Harness struct {
	Table []*Op
	// Blocks is the number of blocks of the testee; see Event.
	Blocks int
	// Dropped are operations that do not compile, with the reason; they are no part of Table.
	Dropped map[*Op]string
	// Steps are what has to happen on the way to each of the places, in Go.
	Steps [][]string

	over  *overlay.Overlay
	bin   string
	reset ResetMode
}

// complaint is the compiler's about a line of the table's file.
var complaint = regexp.MustCompile(`(?m)^(?:\S*/)?zz_dsd_table_test\.go:(\d+):\d+: (.*)$`)

// tableName is the base name of the table's file.
const tableName = "zz_dsd_table_test.go"

// Build compiles the harness of a package of prog. Operations that do not compile are dropped. Close it.
//
// An error means that the package itself cannot be built, or that ctx ended.
func Build(ctx context.Context, prog *source.Program, pkg *source.Package, table []*Op, opt BuildOptions) (h *Harness, err error) {
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		return nil, err
	}
	h = &Harness{Table: table, Dropped: map[*Op]string{}, over: o, bin: filepath.Join(o.Scratch, "candidates.test"), reset: opt.Reset}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	r := rewrite(prog, pkg, o.Root, opt.Reset == ResetReinit, opt.Preconditions, opt.Target)
	h.Blocks, h.Steps = len(r.blocks), r.steps
	for name, text := range r.files {
		if err := o.Add(name, text); err != nil {
			return nil, err
		}
	}
	if err := addRuntime(o, h.Blocks); err != nil {
		return nil, err
	}
	aims, err := json.Marshal(opt.Goals)
	if err != nil {
		return nil, err
	}
	for _, f := range pkg.TestFiles { // they may have a TestMain of their own
		rel, err := filepath.Rel(prog.Dir, f)
		if err != nil {
			return nil, err
		}
		o.Hide(rel)
	}
	dir, err := filepath.Rel(prog.Dir, pkg.Dir)
	if err != nil {
		return nil, err
	}
	for {
		text := tableFile(gofile.New(pkg.Types), path.Join(prog.Module, RuntimeDir), h.Table, opt.Preconditions.numbers(), string(aims), lengths(r.steps))
		if err := o.Add(filepath.Join(dir, tableName), []byte(text)); err != nil {
			return nil, err
		}
		cmd, err := o.Command(ctx, "test", "-c", "-gcflags="+pkg.Path+"=-e", "-o", h.bin, pkg.Path)
		if err != nil {
			return nil, err
		}
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			return h, nil
		}
		if !h.drop(text, string(out)) {
			return nil, fmt.Errorf("the candidates of %s do not build: %s", pkg.Path, strings.TrimSpace(string(out)))
		}
	}
}

// lengths are the numbers of the steps.
func lengths(steps [][]string) []int {
	var out []int
	for _, s := range steps {
		out = append(out, len(s))
	}
	return out
}

// MissedSteps says what a candidate at a distance to the places lacks: the number of the innermost place whose function it entered,
// and the steps there that it did not take, none if it came to the place; ok is false if it entered none.
func (h *Harness) MissedSteps(distance float64) (place int, steps []string, ok bool) {
	for i, s := range h.Steps {
		n := len(s)
		if distance > float64(n+1) {
			distance -= float64(n + 2)
			continue
		}
		// Step k is missed at n-k to n-k+1.
		k := n - int(math.Ceil(distance)) + 1
		return i, s[min(max(k, 0), n):], true
	}
	return 0, nil, false
}

// drop takes those operations out of the table that the compiler complains of; false if there are none.
func (h *Harness) drop(text, complaints string) bool {
	lines := strings.Split(text, "\n")
	first := 0
	for i, l := range lines {
		if strings.HasSuffix(l, "= []"+rtName+".Op{") {
			first = i + 1
		}
	}
	bad := map[int]string{}
	for _, m := range complaint.FindAllStringSubmatch(complaints, -1) {
		var line int
		fmt.Sscan(m[1], &line)
		if i := line - 1 - first; i >= 0 && i < len(h.Table) {
			bad[i] = m[2]
		}
	}
	var left []*Op
	for i, o := range h.Table {
		if bad[i] != "" {
			h.Dropped[o] = bad[i]
		} else {
			left = append(left, o)
		}
	}
	h.Table = left
	return len(bad) > 0
}

// addRuntime adds the package that executes candidates, of a testee of so many blocks.
func addRuntime(o *overlay.Overlay, blocks int) error {
	return fs.WalkDir(runtimeFiles, "run", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := runtimeFiles.ReadFile(name)
		if err != nil {
			return err
		}
		text = bytes.Replace(text, []byte("const blocks = 0"), []byte(fmt.Sprintf("const blocks = %d", blocks)), 1)
		return o.Add(path.Join(RuntimeDir, path.Base(name)), text)
	})
}

// Close removes the harness.
func (h *Harness) Close() error { return h.over.Close() }

// Root is the directory that files are in, as panics tell them, in place of the testee's.
func (h *Harness) Root() string { return h.over.Root }

// scratch makes a directory for a process.
func (h *Harness) scratch() (string, error) { return os.MkdirTemp(h.over.Scratch, "run") }
