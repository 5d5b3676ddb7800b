package crash

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode"

	"dsd/crash/stack"
	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// names counts the tests of each name.
type names map[string]int

// next makes the names of a test and its file out of those of the function and the kind: TestCrashCanvasWriteIndex in
// crash_canvas_write_index_test.go.
func (n names) next(fn string, pkg *source.Package, kind schemas.Kind) (name, file string) {
	words := strings.FieldsFunc(strings.TrimPrefix(symbol.Short(symbol.Plain(fn)), pkg.Name)+" "+string(kind),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var camel strings.Builder
	for _, w := range words {
		first := []rune(w)
		first[0] = unicode.ToUpper(first[0])
		camel.WriteString(string(first))
	}
	name = "TestCrash" + camel.String()
	file = "crash_" + strings.ToLower(strings.Join(words, "_"))
	key := pkg.Path + " " + strings.ToLower(name)
	n[key]++
	if i := n[key]; i > 1 {
		name = fmt.Sprintf("%s_%d", name, i)
		file = fmt.Sprintf("%s_%d", file, i)
	}
	return name, file + "_test.go"
}

// shorten leaves of a stack of recursive calls one frame a place, so that stacks are the same however deep they went.
func shorten(frames []schemas.Frame) []schemas.Frame {
	seen := map[schemas.Frame]bool{}
	var out []schemas.Frame
	for _, f := range frames {
		if !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	sort.Slice(out, func(i, j int) bool { return symbol.PosLess(out[i].Pos, out[j].Pos) })
	return out
}

// testeeFrames keeps the frames between the panic and the test, which is in file, that lie in the testee, and returns the
// place of the innermost.
func testeeFrames(prog *source.Program, file string, p *stack.Panic) ([]schemas.Frame, string) {
	var out []schemas.Frame
	for _, f := range p.Frames {
		if filepath.Base(f.File) == file {
			break
		}
		rel, err := filepath.Rel(prog.Dir, f.File)
		if err != nil || !filepath.IsLocal(rel) || strings.HasPrefix(filepath.ToSlash(rel), "vendor/") {
			continue
		}
		out = append(out, schemas.Frame{Func: f.Func, Pos: symbol.Pos{File: filepath.ToSlash(rel), Line: f.Line}.String()})
	}
	if len(out) == 0 {
		return nil, ""
	}
	return out, out[0].Pos
}

// differs says how a test's run is not the crash that was seen, "" if it is.
func differs(prog *source.Program, c *schemas.Crash, r testrun.Result) string {
	p := stack.Parse(r.Output)
	if p == nil {
		if r.Err != "" {
			return r.Err
		}
		return "its test does not crash"
	}
	frames, pos := testeeFrames(prog, c.Test.File, p)
	if p.Kind == schemas.StackOverflow && c.Kind == p.Kind { // any frame of the recursion may be the last
		for _, f := range frames {
			if symbol.SameLine(f.Pos, c.Pos) {
				return ""
			}
		}
	}
	if p.Kind != c.Kind || !symbol.SameLine(pos, c.Pos) {
		return fmt.Sprintf("its test panics otherwise: %s at %s: %s", p.Kind, pos, p.Message)
	}
	return ""
}

// seen is the message and the stack of a run that panicked.
func seen(prog *source.Program, file string, r testrun.Result) (string, []schemas.Frame) {
	p := stack.Parse(r.Output)
	frames, _ := testeeFrames(prog, file, p)
	if p.Kind == schemas.StackOverflow {
		frames = shorten(frames)
	}
	return p.Message, frames
}

// writeTests writes the tests of the reported crashes below a directory, in the testee's layout; nothing that exists is
// overwritten but what an earlier run wrote.
func writeTests(prog *source.Program, below string, crashes []schemas.Crash) error {
	for _, cr := range crashes {
		pkg := prog.Package(cr.Test.Package)
		rel, err := filepath.Rel(prog.Dir, pkg.Dir)
		if err != nil {
			return err
		}
		if err := writeTest(filepath.Join(below, rel), &cr.Test); err != nil {
			return err
		}
	}
	return nil
}

// writeTest writes a test into a directory; nothing that exists is overwritten but what an earlier run wrote.
func writeTest(dir string, t *schemas.Test) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	file := filepath.Join(dir, t.File)
	if old, err := os.ReadFile(file); err == nil && !strings.Contains(string(old), "func TestCrash") {
		return fmt.Errorf("%s exists and is none of our tests; it is not overwritten", file)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, f := range t.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.File))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.Content), 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(file, []byte(t.Source), 0o666)
}

// harnessTest is a test as the harness runs it.
func harnessTest(t *schemas.Test) testrun.Test {
	out := testrun.Test{Name: t.Name, File: t.File, Source: t.Source, Files: map[string]string{}}
	for _, f := range t.Files {
		out.Files[f.File] = f.Content
	}
	return out
}
