package candidate

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"dsd/crash/candidate/instrument"
	"dsd/crash/gofile"
	"dsd/crash/maporder"
	"dsd/internal/memo"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// ResetMode is how package-level variables are reset between candidates. Its values are those of
// the --reset flag.
type ResetMode string

// The ways to reset.
const (
	ResetReinit  ResetMode = "reinit"  // repeat the initialization of the packages
	ResetProcess ResetMode = "process" // run each candidate in a process of its own
	ResetNone    ResetMode = "none"    // never: candidates see what others left behind
)

// Goal is a counterexample: what the arguments of an operation should be. Args are the nodes of the
// arguments, and Objects the objects that they refer to. Candidates that come nearer to it are
// reported with events of kind "near".
type Goal struct {
	Args    []schemas.Node `json:"args"`
	Objects []schemas.Node `json:"objects"`
}

// BuildOptions configure a harness.
type BuildOptions struct {
	Reset ResetMode
	// Preconditions are checked when candidates call their functions.
	Preconditions instrument.Preconditions
	// Goals are what operations compare their arguments with; Op.Goals are indices into them.
	Goals []Goal
	// Targets are stacks that are to be reproduced, crash first; the distances of candidates to
	// the one that Runner.Target names are reported. Nil for none.
	Targets [][]instrument.TargetFrame
	// Dynamic is the dynamic type that the panic of the only target is about, see instrument.Options.
	Dynamic string
	// Memo, if not nil, has answers of earlier runs, and gets those of this one. Fresh says not to look at the former.
	Memo  *memo.Memo
	Fresh bool
}

// Harness is a test binary that executes candidates over a table of operations of one package.
type Harness struct {
	// Table holds the operations that compile; programs refer to them by index.
	Table []*Op
	// Dropped holds the operations that do not compile, with the compiler's reason.
	Dropped map[*Op]string
	// Blocks is the number of blocks of the testee; see Event.Blocks.
	Blocks int
	prog   *source.Program
	over   *overlay.Overlay
	bin    string // file name of the binary
	reset  ResetMode
	// steps are, for each frame, what has to happen on the way to its line, in order and in
	// Go; targets are the frames of each target.
	steps   [][]string
	targets [][]int
	goals   int // their number
	// transcript has what the runners were answered; nil if nothing is kept.
	transcript *transcript
	asked      []*Op // the table before operations were dropped
}

// runtimeFiles is the source of the package that executes candidates.
//
//go:embed run
var runtimeFiles embed.FS

// tableName is the base name of the file with the table.
const tableName = "zz_dsd_table_test.go"

// tableComplaint matches a complaint of the compiler about a line of that file.
var tableComplaint = regexp.MustCompile(
	`(?m)^(?:\S*/)?` + regexp.QuoteMeta(tableName) + `:(\d+):\d+: (.*)$`)

// Build compiles the harness of a package of prog over a table of operations. Operations that do
// not compile move from Table to Dropped. The caller must close the harness.
//
// An error means that the package itself cannot be built, or that ctx ended.
func Build(
	ctx context.Context, prog *source.Program, pkg *source.Package,
	table []*Op, opt BuildOptions,
) (h *Harness, err error) {
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	h = &Harness{
		Table: table, Dropped: map[*Op]string{},
		prog: prog, over: o, bin: filepath.Join(o.Scratch, "candidates.test"), reset: opt.Reset,
	}
	frames, targets := numberFrames(opt.Targets)
	testee := instrument.Rewrite(prog, pkg, instrument.Options{
		Root: o.Root, Reset: opt.Reset == ResetReinit,
		Preconditions: opt.Preconditions, Frames: frames, Guards: len(opt.Targets) == 1, Dynamic: opt.Dynamic,
	})
	h.Blocks, h.steps, h.targets, h.goals = testee.Blocks, testee.Steps, targets, len(opt.Goals)
	files, err := runtimeOf(prog)
	if err != nil {
		return nil, err
	}
	maps.Copy(files, prog.WithoutLines())
	maps.Copy(files, testee.Files)
	if err := addAll(o, files); err != nil {
		return nil, err
	}
	// The package's own tests may have a TestMain, as the table's file does.
	for _, f := range pkg.TestFiles {
		rel, err := filepath.Rel(prog.Dir, f)
		if err != nil {
			return nil, err
		}
		o.Hide(rel)
	}
	goals, err := json.Marshal(opt.Goals)
	if err != nil {
		return nil, err
	}
	_, runtime := prog.Generated(instrument.RuntimeDir)
	in := tableInput{
		runtime: runtime,
		numbers: testee.Numbers, goals: string(goals), targets: targets,
	}
	for _, s := range testee.Steps {
		in.steps = append(in.steps, len(s))
	}
	if h.restore(pkg, files, in, opt) {
		return h, nil
	}
	if err := h.compile(ctx, prog, pkg, in); err != nil {
		return nil, err
	}
	return h, nil
}

// restore reports whether an earlier run of the harness, with these files and table, can answer for it.
func (h *Harness) restore(pkg *source.Package, files map[string][]byte, in tableInput, opt BuildOptions) bool {
	dir, err := filepath.Rel(h.prog.Dir, pkg.Dir)
	if opt.Memo == nil || err != nil || h.over.Root != h.prog.Dir {
		return false
	}
	files = maps.Clone(files)
	files[path.Join(filepath.ToSlash(dir), tableName)] = []byte(tableFile(gofile.New(pkg.Types), h.Table, in))
	build, ok := opt.Memo.Build(pkg, files)
	if !ok {
		return false
	}
	h.asked = h.Table
	h.transcript = newTranscript(opt.Memo, opt.Memo.Of(build, "harness", opt.Reset))
	before := h.transcript.before
	if opt.Fresh || before == nil {
		h.transcript.before = nil
		return false
	}
	h.Table = nil
	for i, o := range h.asked {
		if why, dropped := before.Dropped[i]; dropped {
			h.Dropped[o] = why
		} else {
			h.Table = append(h.Table, o)
		}
	}
	return true
}

// compile compiles the binary. As long as the compiler complains about operations, it drops them
// and tries again.
func (h *Harness) compile(
	ctx context.Context, prog *source.Program, pkg *source.Package, in tableInput,
) error {
	dir, err := filepath.Rel(prog.Dir, pkg.Dir)
	if err != nil {
		return err
	}
	for {
		text := tableFile(gofile.New(pkg.Types), h.Table, in)
		if err := h.over.Add(filepath.Join(dir, tableName), []byte(text)); err != nil {
			return err
		}
		// With -e the compiler reports all errors, not the first ten.
		cmd, err := h.over.Command(ctx, "test", "-c",
			compilerFlags(prog), "-gcflags="+pkg.Path+"=-e "+flags(prog),
			"-o", h.bin, pkg.Path)
		if err != nil {
			return err
		}
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			return nil
		}
		if !h.drop(text, string(out)) {
			return fmt.Errorf("the candidates of %s do not build: %s", pkg.Path,
				strings.TrimSpace(string(out)))
		}
	}
}

// drop drops the operations that the compiler complains about and reports whether there are any.
// text is the table's file.
func (h *Harness) drop(text, complaints string) bool {
	head, _, _ := strings.Cut(text, tableHead)
	first := strings.Count(head, "\n") + 2 // line of the first operation, from 1 on
	bad := map[int]string{}
	for _, m := range tableComplaint.FindAllStringSubmatch(complaints, -1) {
		line, _ := strconv.Atoi(m[1])
		if i := line - first; i >= 0 && i < len(h.Table) {
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

// runtimeOf returns the files of the runtime, by names relative to the root of prog: the package that executes candidates,
// and the one that puts maps in order. They do not depend on the testee, so the go command compiles them once for its
// path.
func runtimeOf(prog *source.Program) (map[string][]byte, error) {
	files := maps.Clone(maporder.Files(prog))
	dir, _ := prog.Generated(instrument.RuntimeDir)
	err := fs.WalkDir(runtimeFiles, "run", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		files[path.Join(dir, path.Base(name))], err = runtimeFiles.ReadFile(name)
		return err
	})
	return files, err
}

// addAll adds files to an overlay.
func addAll(o *overlay.Overlay, files map[string][]byte) error {
	for name, text := range files {
		if err := o.Add(name, text); err != nil {
			return err
		}
	}
	return nil
}

// compilerFlags returns the flag that says how the packages of the module are compiled, the runtime among them.
func compilerFlags(prog *source.Program) string {
	return "-gcflags=" + prog.Module + "/...=" + flags(prog)
}

// flags returns the compiler's flags. What it would tell debuggers, the linker drops.
func flags(prog *source.Program) string { return "-dwarf=false " + maporder.LanguageFlag(prog) }

// Prepare compiles the packages of the runtime, which are the same whatever the table, so that Build finds them
// in the go command's cache. It is worth its while beside something else.
func Prepare(ctx context.Context, prog *source.Program) error {
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		return err
	}
	defer o.Close()
	if o.Root != prog.Dir { // a copy, of which each overlay has its own
		return nil
	}
	files, err := runtimeOf(prog)
	if err != nil {
		return err
	}
	if err := addAll(o, files); err != nil {
		return err
	}
	_, runtime := prog.Generated(instrument.RuntimeDir)
	cmd, err := o.Command(ctx, "build", compilerFlags(prog), runtime)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the runtime of candidates does not build: %s", bytes.TrimSpace(out))
	}
	return ctx.Err()
}

// numberFrames returns the different frames of targets, and the targets as indices of these.
func numberFrames(
	list [][]instrument.TargetFrame,
) (frames []instrument.TargetFrame, targets [][]int) {
	index := map[instrument.TargetFrame]int{}
	for _, target := range list {
		var numbers []int
		for _, f := range target {
			n, ok := index[f]
			if !ok {
				n = len(frames)
				index[f] = n
				frames = append(frames, f)
			}
			numbers = append(numbers, n)
		}
		targets = append(targets, numbers)
	}
	return frames, targets
}

// MissedSteps returns what a candidate at a distance to a target missed: the index of the innermost
// frame whose function it entered, and the steps there that it did not take, none if it came to the
// frame's line. ok is false if it entered none.
func (h *Harness) MissedSteps(target int, distance float64) (frame int, steps []string, ok bool) {
	// A frame with n steps that is not entered counts n+2; at its entry n+1 are left. See
	// run/trail.go.
	for i, number := range h.targets[target] {
		s := h.steps[number]
		n := len(s)
		if distance > float64(n+1) {
			distance -= float64(n + 2)
			continue
		}
		// If step k is the first to be missed, the distance is from n-k to n-k+1.
		k := n - int(math.Ceil(distance)) + 1
		return i, s[min(max(k, 0), n):], true
	}
	return 0, nil, false
}

// Place returns the name of a source file, as source.Program.Place does, wherever the harness was built.
func (h *Harness) Place(file string) (name string, own bool) {
	if rel, err := filepath.Rel(h.over.Root, file); err == nil && filepath.IsLocal(rel) {
		file = filepath.Join(h.prog.Dir, rel)
	}
	return h.prog.Place(file)
}

// Outdated reports whether a runner returned ErrOutdated.
func (h *Harness) Outdated() bool {
	t := h.transcript
	if t == nil {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.outdated
}

// Close removes the harness.
func (h *Harness) Close() error {
	dropped := map[int]string{}
	for i, o := range h.asked {
		if why, ok := h.Dropped[o]; ok {
			dropped[i] = why
		}
	}
	h.transcript.close(dropped)
	return h.over.Close()
}

// scratch makes a directory for a process.
func (h *Harness) scratch() (string, error) { return os.MkdirTemp(h.over.Scratch, "run") }
