package format

import (
	"fmt"
	"io"
	"strings"

	"dsd/internal/symbol"
	"dsd/internal/text"
)

// githubLevels are the commands for levels.
var githubLevels = map[Level]string{Error: "error", Warning: "warning", Note: "notice"}

// writeGitHub writes a workflow command for each finding, which annotates its line.
func writeGitHub(w io.Writer, r *Report) error {
	p := &text.Printer{W: w}
	for i := range r.Findings {
		f := &r.Findings[i]
		message := fmt.Sprintf("%s\nin calls of %s [%s]", f.Title, f.where(), f.ID)
		if f.Inputs != "" {
			message += "\n\n" + f.Inputs
		}
		if len(f.Reasons) > 0 {
			message += "\n\n" + strings.Join(f.Reasons, "\n")
		}
		p.Printf("%s", Annotation(f.Level, r.file(f.place()), f.place(), fmt.Sprintf("%s in %s", f.Kind, f.where()), message))
	}
	return p.Err
}

// Annotation returns the workflow command, a line, that annotates a line of a file. The line and the column are
// those of pos.
func Annotation(level Level, file, pos, title, message string) string {
	at := symbol.ParsePos(pos)
	place := ""
	if at.Line > 0 {
		place = fmt.Sprintf(",line=%d", at.Line)
	}
	if at.Col > 0 {
		place += fmt.Sprintf(",col=%d", at.Col)
	}
	return fmt.Sprintf("::%s file=%s%s,title=%s::%s\n", githubLevels[level], githubProperty(file), place,
		githubProperty(title), githubData(message))
}

// githubData escapes the message of a command. What is no UTF-8 is replaced.
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(strings.ToValidUTF8(printable(s), "\uFFFD"))
}

// githubProperty escapes a property of a command.
func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubData(s))
}

// printable replaces control characters, such as the beginning of an escape sequence, but not line breaks and tabs.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f || c >= 0x80 && c < 0xa0 {
			return '\uFFFD'
		}
		return c
	}, s)
}
