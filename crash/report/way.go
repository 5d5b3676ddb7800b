package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

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
	parts := strings.SplitN(pos, ":", 3)
	if s.root == "" || len(parts) < 2 || !filepath.IsLocal(parts[0]) {
		return ""
	}
	lines, known := s.files[parts[0]]
	if !known {
		if text, err := os.ReadFile(filepath.Join(s.root, parts[0])); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		if s.files == nil {
			s.files = map[string][]string{}
		}
		s.files[parts[0]] = lines
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil || n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
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
