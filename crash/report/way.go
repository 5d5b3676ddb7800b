package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// maxWay is how many frames' lines are shown of a crash.
const maxWay = 6

// Root is the directory of the module with that path which dir is in, "" if dir is in another or none: the sources of a
// document can be read there.
func Root(dir, module string) string {
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			if m := moduleLine.FindSubmatch(text); m != nil && strings.Trim(string(m[1]), "\"`") == module {
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

// sources reads lines of files below root.
type sources struct {
	root  string
	files map[string][]string
}

// line is the source line at a position, "" if it cannot be had.
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

// way prints the source lines from the test's call to the crash.
func (p *printer) way(c *schemas.Crash) {
	frames := c.Stack
	if len(frames) > maxWay {
		frames = frames[:maxWay]
	}
	var places, lines []string
	width := 0
	for i := len(frames) - 1; i >= 0; i-- {
		if l := p.sources.line(frames[i].Pos); l != "" {
			places, lines = append(places, frames[i].Pos), append(lines, l)
			width = max(width, len(frames[i].Pos))
		}
	}
	head := "way     "
	for i, l := range lines {
		p.Printf("    %s%-*s  %s\n", head, width, places[i], l)
		head = "        "
	}
}
