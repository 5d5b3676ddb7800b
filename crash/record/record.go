package record

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"dsd/crash/record/keep"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

//go:embed keep/*.go
var keepFiles embed.FS

// KeepDir is the directory of the runtime below the main module's root. It is not internal: dependencies import it, too.
const KeepDir = "zz_dsd_keep"

// Options say how to record.
type Options struct {
	// Packages are patterns of the packages whose functions are recorded, of the main module and its dependencies; ./... if there are none.
	Packages []string
	// At are functions, as stack traces call them, where panics are recovered that are to be recorded.
	At []string
	// Copy is how much of the arguments is copied as functions are entered; see Modes.
	Copy string
	// Label is kept in the recording.
	Label string
	// File is where a program that is only built writes its recording.
	File string
	// SecondChance is a file with the text of a crash; "" does without one. If there is none yet, nothing is recorded but that text, which
	// costs nothing; then the functions on its stack alone are [REC 2.3.2].
	SecondChance string
}

// Session is a build that records.
type Session struct {
	opt     Options
	dir     string
	build   []*source.Module
	main    *source.Module
	scratch string
	depth   int               // of copies
	replace map[string]string // of files, for -overlay
	funcs   []function
	skipped []schemas.LeftOut
	errors  map[string]bool // of the standard library
	only    map[string]bool // functions to record, by symbol; nil for all
	waiting bool            // for a first crash
	// fatal is the text of a first crash that was no panic but a fatal error, which nothing that is deferred sees, and stack its frames.
	fatal string
	stack []stacktrace.Frame
	// printed are the lines that begin fatal errors, of what the command printed.
	printed fatalLines
	// moved are the directories of copied modules, and what stands for them; modfile is the go.mod that replaces them, "" if none is.
	moved   [][2]string
	modfile string
}

// ErrCommand is a command that cannot be recorded.
var ErrCommand = errors.New("not a command to record")

// Open rewrites the packages that are to be recorded, of the build around dir. Close it.
//
// Errors: what source.Load returns, and modules whose files are not there.
func Open(ctx context.Context, dir string, opt Options) (*Session, error) {
	if opt.Copy == "" {
		opt.Copy = "reference"
	}
	depth, err := depthOf(opt.Copy)
	if err != nil {
		return nil, err
	}
	build, err := source.Modules(ctx, dir)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "dsd-")
	if err != nil {
		return nil, err
	}
	s := &Session{opt: opt, dir: dir, build: build, scratch: scratch, depth: depth, errors: map[string]bool{}, replace: map[string]string{}}
	if len(s.opt.Packages) == 0 {
		s.opt.Packages = []string{"./..."}
	}
	for _, m := range build {
		if m.Main {
			s.main = m
			break
		}
	}
	if err = s.chance(); err != nil {
	} else if s.main == nil {
		err = fmt.Errorf("%w: %s is in no module", source.ErrNoPackages, dir)
	} else {
		err = s.rewrite(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// depthOf is how deep a mode of copying goes: reference, shallow, depth=N or deep; of used it
// is the fields that functions write, by the source [REC 2.3].
func depthOf(mode string) (int, error) {
	switch mode {
	case "reference", "used":
		return 0, nil
	case "shallow":
		return 1, nil
	case "deep":
		return -1, nil
	}
	if text, ok := strings.CutPrefix(mode, "depth="); ok {
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			return n, nil
		}
	}
	return 0, fmt.Errorf("%w: --copy %s; there are reference, shallow, used, depth=N and deep", ErrCommand, mode)
}

// Close removes what was written.
func (s *Session) Close() error { return os.RemoveAll(s.scratch) }

// Functions is how many functions are recorded, and Skipped are those that are not, with the reason.
func (s *Session) Functions() int             { return len(s.funcs) }
func (s *Session) Skipped() []schemas.LeftOut { return s.skipped }

// rewrite rewrites the packages, module by module.
func (s *Session) rewrite(ctx context.Context) error {
	byModule, order, err := s.packages(ctx)
	if err != nil {
		return err
	}
	for _, path := range order {
		i := slices.IndexFunc(s.build, func(m *source.Module) bool { return m.Path == path })
		if i < 0 {
			continue
		}
		if m := s.build[i]; m.Main {
			err = s.mainModule(ctx, m, byModule[path])
		} else {
			err = s.dependency(ctx, m, byModule[path])
		}
		if err != nil {
			return err
		}
	}
	if len(s.funcs) == 0 && !s.waiting {
		return fmt.Errorf("%w with functions to record: %s", source.ErrNoPackages, strings.Join(s.opt.Packages, " "))
	}
	return s.runtime()
}

// listed is what go list says of a package.
type listed struct {
	ImportPath        string
	DepOnly, Standard bool
	Module            *struct {
		Path string
		Main bool
	}
}

// list lists packages.
func (s *Session) list(ctx context.Context, args ...string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-deps", "-json=ImportPath,Module,DepOnly,Standard"}, args...)...)
	cmd.Dir = s.dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, &source.CompileError{Text: errs.String()}
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		all = append(all, p)
	}
}

// packages are the import paths that the patterns match, by module, the modules in order; of dependencies only what the main module uses.
func (s *Session) packages(ctx context.Context) (map[string][]string, []string, error) {
	matched, err := s.list(ctx, append([]string{"--"}, s.opt.Packages...)...)
	if err != nil {
		return nil, nil, err
	}
	var used map[string]bool
	byModule := map[string][]string{}
	var order []string
	for _, p := range matched {
		if p.DepOnly || p.Standard || p.Module == nil {
			continue
		}
		if !p.Module.Main && used == nil {
			used = map[string]bool{}
			deps, err := s.list(ctx, "-test", "--", "./...")
			if err != nil {
				return nil, nil, err
			}
			for _, d := range deps {
				used[d.ImportPath] = true
			}
		}
		if !p.Module.Main && !used[p.ImportPath] {
			continue
		}
		if byModule[p.Module.Path] == nil {
			order = append(order, p.Module.Path)
		}
		byModule[p.Module.Path] = append(byModule[p.Module.Path], p.ImportPath)
	}
	sort.Strings(order)
	return byModule, order, nil
}

func (s *Session) keepPath() string { return s.main.Path + "/" + KeepDir }

// mainModule rewrites packages of a main module, by overlay.
func (s *Session) mainModule(ctx context.Context, m *source.Module, packages []string) error {
	prog, err := source.Load(ctx, m.Dir, packages)
	if err != nil {
		return err
	}
	w := &rewriter{prog: prog, keep: s.keepPath(), funcs: &s.funcs, skipped: &s.skipped, errors: s.errors, only: s.only, fatal: s.fatal != "", copies: s.depth != 0, files: map[string][]byte{}}
	if s.opt.Copy == "used" {
		w.writes = writesOf(prog)
	}
	w.rewrite()
	for name, text := range w.files {
		if err := s.overlay(name, text); err != nil {
			return err
		}
	}
	return nil
}

// overlay lets a file have another content.
func (s *Session) overlay(name string, text []byte) error {
	file := filepath.Join(s.scratch, fmt.Sprintf("file%d", len(s.replace)), filepath.Base(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	s.replace[name] = file
	return os.WriteFile(file, text, 0o666)
}

// dependency rewrites packages of another module, in a copy that replaces it.
func (s *Session) dependency(ctx context.Context, m *source.Module, packages []string) error {
	dir := filepath.Join(s.scratch, fmt.Sprintf("module%d", len(s.moved)))
	if err := overlay.Detach(s.build, s.main.Dir, m, dir); err != nil {
		return err
	}
	prog, err := source.Load(ctx, dir, packages)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name(), err)
	}
	w := &rewriter{prog: prog, keep: s.keepPath(), funcs: &s.funcs, skipped: &s.skipped, errors: s.errors, only: s.only, fatal: s.fatal != "", copies: s.depth != 0, files: map[string][]byte{}}
	if s.opt.Copy == "used" {
		w.writes = writesOf(prog)
	}
	w.rewrite()
	for name, text := range w.files {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	// As a replacement it requires what it did before.
	own, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
	if err != nil {
		own = []byte("module " + m.Path + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), own, 0o666); err != nil {
		return err
	}
	s.moved = append(s.moved, [2]string{dir, m.Name()})
	if s.modfile == "" {
		s.modfile = filepath.Join(s.scratch, "go.mod")
		for _, name := range []string{"go.mod", "go.sum"} {
			text, err := os.ReadFile(filepath.Join(s.main.Dir, name))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			if err := os.WriteFile(filepath.Join(s.scratch, name), text, 0o666); err != nil {
				return err
			}
		}
	}
	cmd := exec.CommandContext(ctx, "go", "mod", "edit", "-replace="+m.Path+"="+dir, s.modfile)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("replacing %s: %s", m.Name(), strings.TrimSpace(string(out)))
	}
	return nil
}

// runtime adds the runtime, with what it has to know.
func (s *Session) runtime() error {
	dir := filepath.Join(s.main.Dir, KeepDir)
	files, err := keepFiles.ReadDir("keep")
	if err != nil {
		return err
	}
	for _, e := range files {
		text, err := keepFiles.ReadFile("keep/" + e.Name())
		if err != nil {
			return err
		}
		if err := s.overlay(filepath.Join(dir, e.Name()), text); err != nil {
			return err
		}
	}
	var b strings.Builder
	b.WriteString("package keep\n\n")
	if s.fatal != "" {
		b.WriteString("import \"runtime\"\n")
	}
	names, packages := slices.Sorted(maps.Keys(s.errors)), map[string]string{}
	for _, name := range names {
		path := name[:strings.LastIndexByte(name, '.')]
		if packages[path] == "" {
			packages[path] = fmt.Sprintf("p%d", len(packages))
			fmt.Fprintf(&b, "import %s %q\n", packages[path], path)
		}
	}
	b.WriteString("\nfunc init() {\n")
	for _, name := range names {
		dot := strings.LastIndexByte(name, '.')
		fmt.Fprintf(&b, "\tSentinel(%q, &%s)\n", name, packages[name[:dot]]+name[dot:])
	}
	fmt.Fprintf(&b, "\tModule, Go, Label, File = %q, %q, %q, %q\n", s.main.Path, s.main.GoVersion, s.opt.Label, s.opt.File)
	if s.waiting {
		fmt.Fprintf(&b, "\tChance = %q\n", s.chanceFile())
	}
	fmt.Fprintf(&b, "\tMode, Depth = %q, %d\n", s.opt.Copy, s.depth)
	for _, m := range s.moved {
		fmt.Fprintf(&b, "\tMoved = append(Moved, [2]string{%q, %q})\n", m[0], m[1])
	}
	for _, f := range s.opt.At {
		fmt.Fprintf(&b, "\tAt(%q)\n", f)
	}
	b.WriteString("\tRegister([]Func{\n")
	for _, f := range s.funcs {
		fmt.Fprintf(&b, "\t\t{%q, %q, %q, %#v, %v, %#v, %v},\n", f.name, f.symbol, f.main, f.inputs, f.receiver, f.globals, f.closure)
	}
	b.WriteString("\t})\n")
	if s.fatal != "" {
		fmt.Fprintf(&b, "\tFatal(%q,\n", s.fatal)
		for _, f := range s.stack {
			fmt.Fprintf(&b, "\t\truntime.Frame{Function: %q, File: %q, Line: %d},\n", f.Func, f.File, f.Line)
		}
		b.WriteString("\t)\n")
	}
	b.WriteString("\tStart()\n}\n")
	return s.overlay(filepath.Join(dir, "table.go"), []byte(b.String()))
}

// origin is a text with the directories of copied modules as what they stand for.
func (s *Session) origin(text string) string {
	for _, m := range s.moved {
		text = strings.ReplaceAll(text, m[0], m[1])
	}
	return text
}

// Run runs a command of the go tool so that what it builds records: test, run, build or install, with their arguments. It returns the
// exit status.
func (s *Session) Run(ctx context.Context, command []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	text, err := json.Marshal(map[string]any{"Replace": s.replace})
	if err != nil {
		return 0, err
	}
	over := filepath.Join(s.scratch, "overlay.json")
	if err := os.WriteFile(over, text, 0o666); err != nil {
		return 0, err
	}
	if err := os.MkdirAll(s.out(), 0o777); err != nil {
		return 0, err
	}
	args := []string{command[1], "-overlay=" + over}
	if command[1] == "test" {
		args = append(args, "-vet=off")
	}
	if s.modfile != "" {
		args = append(args, "-modfile="+s.modfile, "-mod=mod")
	}
	cmd := exec.CommandContext(ctx, command[0], append(args, command[2:]...)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.dir, stdin, stdout, stderr
	if s.waiting {
		cmd.Stdout, cmd.Stderr = io.MultiWriter(stdout, &s.printed), io.MultiWriter(stderr, &s.printed)
	}
	cmd.Env = append(cmd.Environ(), keep.Variable+"="+filepath.Join(s.out(), "PID.json"), keep.ChanceVariable+"="+filepath.Join(s.out(), "PID.chance"))
	overlay.Group(cmd)
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), ctx.Err()
}

// out is the directory of the recordings.
func (s *Session) out() string { return filepath.Join(s.scratch, "out") }

// Collect joins the recordings of the programs that ran. Panics that they recovered from, at no place that was named, are left out.
func (s *Session) Collect() (*schemas.Recording, error) {
	files, err := filepath.Glob(filepath.Join(s.out(), "*.json"))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) // PID-2 before PID-10
	var all *schemas.Recording
	for _, file := range files {
		r, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		doc, err := schemas.ReadRecording(r, "the recording of a process")
		r.Close()
		if err != nil {
			return nil, err
		}
		s.settle(doc, outcomeOf(file))
		if all == nil {
			all = doc
			continue
		}
		all.Crashes = append(all.Crashes, doc.Crashes...)
	}
	if all == nil {
		return nil, nil
	}
	for i := range all.Crashes {
		all.Crashes[i].ID = fmt.Sprintf("R%d", i+1)
	}
	if len(all.Crashes) == 0 {
		return nil, nil
	}
	return all, nil
}

// outcomeOf is the file where the runtime wrote what ended the process that a recording is of: PID.json.outcome of PID-3.json.
func outcomeOf(file string) string {
	pid, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), "-")
	return filepath.Join(filepath.Dir(file), pid+".json"+keep.OutcomeSuffix)
}

// settle drops a panic that neither ended the program, as the file where the runtime wrote that says, nor came to a place that was named,
// and a fatal error that did not happen again.
func (s *Session) settle(doc *schemas.Recording, outcome string) {
	text, err := os.ReadFile(outcome)
	if err != nil { // by an older Go, which does not say
		return
	}
	if s.fatal != "" {
		again := s.ended(string(text), fatalError.FindString(s.fatal))
		if !isFatal(again) {
			doc.Crashes = nil
		}
		for i := range doc.Crashes {
			doc.Crashes[i].Panic, doc.Crashes[i].Ended = s.origin(again), "program"
		}
		return
	}
	doc.Crashes = slices.DeleteFunc(doc.Crashes, func(c schemas.RecordedCrash) bool {
		return c.Ended == "" && (len(text) == 0 || goroutine(c.Panic) != goroutine(string(text)))
	})
	for i := range doc.Crashes {
		if doc.Crashes[i].Ended == "" {
			doc.Crashes[i].Ended = "program"
		}
	}
}

var runningGoroutine = regexp.MustCompile(`(?m)^goroutine (\d+) `)

// goroutine is the number of the one that panicked, the first of a stack's text.
func goroutine(text string) string {
	if m := runningGoroutine.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// Command checks the arguments of a command to record, and says whether it only builds.
func Command(args []string) (builds bool, err error) {
	if len(args) < 2 || filepath.Base(args[0]) != "go" {
		return false, fmt.Errorf("%w: give go test, go run or go build, with its arguments, after --", ErrCommand)
	}
	switch args[1] {
	case "test", "run":
		builds = slices.Contains(args, "-c")
	case "build", "install":
		builds = true
	default:
		return false, fmt.Errorf("%w: go %s; there are go test, run, build and install", ErrCommand, args[1])
	}
	for _, a := range args[2:] {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if a == "--" || !strings.HasPrefix(a, "-") && args[1] == "run" {
			break
		}
		if strings.HasPrefix(a, "-") && (name == "overlay" || name == "modfile") {
			return false, fmt.Errorf("%w: -%s is needed for the recording itself", ErrCommand, name)
		}
		if a == "-C" || strings.HasPrefix(a, "-C=") {
			return false, fmt.Errorf("%w: give -C to crash record", ErrCommand)
		}
	}
	return builds, nil
}
