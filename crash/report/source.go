package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// maxFrames is the number of frames, counted from the panic, whose source lines are printed.
const maxFrames = 6

// Root returns the root directory of the module that dir is in, or "" if the module does not have
// the given path; for modules of a workspace, the directory of go.work. The sources of a document about
// that testee can be read there.
func Root(dir string, m *schemas.Module) string {
	for {
		if len(m.Workspace) > 0 {
			if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
				return dir
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && len(m.Workspace) == 0 {
			line := moduleLine.FindSubmatch(text)
			if line != nil && strings.Trim(string(line[1]), "\"`") == m.Path {
				return dir
			}
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)`)

// sources reads source lines of files below root, each file once. Without a root there are none.
type sources struct {
	root  string
	pos   func(pos string) string // as it is to be written
	files map[string][]string     // lines by file name
}

// line returns the source line at a position, without indentation; "" if it cannot be read.
func (s *sources) line(pos string) string {
	at := symbol.ParsePos(pos)
	if s.root == "" || !filepath.IsLocal(at.File) {
		return ""
	}
	lines, known := s.files[at.File]
	if !known {
		if text, err := os.ReadFile(filepath.Join(s.root, at.File)); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		if s.files == nil {
			s.files = map[string][]string{}
		}
		s.files[at.File] = lines
	}
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[at.Line-1])
}

// elsewhere reports whether a position is in another module: below the root there is no such file.
func (s *sources) elsewhere(pos string) bool {
	_, err := os.Stat(filepath.Join(s.root, symbol.ParsePos(pos).File))
	return s.root != "" && errors.Is(err, os.ErrNotExist)
}

// stack returns the positions and source lines of the innermost frames, in the order of the calls:
// the panic is last.
func (s *sources) stack(frames []schemas.Frame) []string {
	frames = frames[:min(len(frames), maxFrames)]
	width := 0
	var found []schemas.Frame // in the order of the calls
	for i := len(frames) - 1; i >= 0; i-- {
		if s.line(frames[i].Pos) != "" || s.elsewhere(frames[i].Pos) {
			found = append(found, frames[i])
			width = max(width, len(s.pos(frames[i].Pos)))
		}
	}
	var out []string
	for _, f := range found {
		line := s.line(f.Pos)
		if s.elsewhere(f.Pos) {
			line = "in " + f.Func
		}
		out = append(out, fmt.Sprintf("%-*s  %s", width, s.pos(f.Pos), line))
	}
	return out
}
