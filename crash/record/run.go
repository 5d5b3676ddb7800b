package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dsd/crash/record/keep"
	"dsd/internal/overlay"
	"dsd/internal/subprocess"
	"dsd/schemas"
)

// processRecording names the recording of a single process in errors.
const processRecording = "the recording of a process"

// Run runs a command that Command accepts, so that the programs it builds record. It returns the
// exit status. The error is for commands that cannot be run, and of the context.
func (s *Session) Run(
	ctx context.Context, command []string, stdin io.Reader, stdout, stderr io.Writer,
) (int, error) {
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
	if err := os.WriteFile(s.whole(), nil, 0o666); err != nil {
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
		cmd.Stdout = io.MultiWriter(stdout, &s.printed)
		cmd.Stderr = io.MultiWriter(stderr, &s.printed)
	}
	// The go command's work directory goes with scratch, even if the go command is killed.
	cmd.Env = append(cmd.Environ(), "GOTMPDIR="+s.scratch,
		keep.Variable+"="+s.pattern(),
		keep.FirstCrashVariable+"="+filepath.Join(s.out(), "PID"+firstCrashExt))
	subprocess.KillGroup(cmd)
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), ctx.Err()
}

// out returns the directory of the recordings.
func (s *Session) out() string { return filepath.Join(s.scratch, "out") }

// pattern returns the name of the recordings.
func (s *Session) pattern() string { return filepath.Join(s.out(), "PID.json") }

// whole returns the name of the file that a program removes when it cannot write its recording.
func (s *Session) whole() string { return s.pattern() + keep.WholeSuffix }

// ErrLost is the error of Collect if a program could not write what it recorded, and nothing else was recorded.
var ErrLost = errors.New("a program could not write its recording, see above")

// Collect joins the recordings of the programs that ran, in the order of their process ids. It
// leaves out panics that a program recovered from, except in the functions of Options.At. It
// returns nil if no crash is left. Errors: ErrLost, or those of reading.
func (s *Session) Collect() (*schemas.Recording, error) {
	files, err := filepath.Glob(filepath.Join(overlay.Literally(s.out()), "*.json"))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b string) int { // PID-2 before PID-10
		return cmp.Or(len(a)-len(b), strings.Compare(a, b))
	})
	var all *schemas.Recording
	for _, file := range files {
		r, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		doc, err := schemas.ReadRecording(r, processRecording)
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
	if all == nil || len(all.Crashes) == 0 {
		if _, err := os.Stat(s.whole()); err != nil {
			return nil, ErrLost
		}
		return nil, nil
	}
	for i := range all.Crashes {
		all.Crashes[i].ID = fmt.Sprintf("R%d", i+1)
	}
	return all, nil
}

// outcomeOf returns the file where Go's runtime wrote what ended the process of a recording:
// PID.json.outcome for PID-3.json.
func outcomeOf(file string) string {
	pid, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), "-")
	return filepath.Join(filepath.Dir(file), pid+".json"+keep.OutcomeSuffix)
}

// settle drops the panics that did not end the program, according to the outcome file, and that
// were not recovered in a function of Options.At. It drops a fatal error that did not happen again.
func (s *Session) settle(doc *schemas.Recording, outcome string) {
	text, err := os.ReadFile(outcome)
	if err != nil { // before Go 1.23 the runtime does not write it
		return
	}
	if s.fatal != "" {
		again := addFatalLine(string(text), fatalError.FindString(s.fatal))
		if !isFatal(again) {
			doc.Crashes = nil
		}
		for i := range doc.Crashes {
			doc.Crashes[i].Panic, doc.Crashes[i].Ended = s.originOf(again), "program"
		}
		return
	}
	doc.Crashes = slices.DeleteFunc(doc.Crashes, func(c schemas.RecordedCrash) bool {
		ended := len(text) > 0 && goroutineOf(c.Panic) == goroutineOf(string(text)) || isCut(string(text))
		return c.Ended == "" && !ended
	})
	for i := range doc.Crashes {
		if doc.Crashes[i].Ended == "" {
			doc.Crashes[i].Ended = "program"
		}
	}
}

// isCut reports whether the text of a panic ends before the number of the goroutine, as on a full disk.
func isCut(text string) bool {
	return strings.HasPrefix(text, "panic: ") && goroutineOf(text) == ""
}

var goroutineLine = regexp.MustCompile(`(?m)^goroutine (\d+) `)

// goroutineOf returns the number of the goroutine that panicked, the first one in a stack trace.
func goroutineOf(text string) string {
	if m := goroutineLine.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
