package cmdline

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/internal/text"
)

// manFlag makes a command print its manual page: the first argument alone.
const manFlag = "--man"

// writeMan writes the manual page of an app, in the language of man, from the definitions of its commands.
func writeMan(w io.Writer, app *cli.App) error {
	m := &manual{text.Printer{W: w}}
	m.Printf(".TH %s 1 \"\" \"dsd %s\" \"dsd\"\n", roff(strings.ToUpper(app.Name)), Version)
	m.Printf(".SH NAME\n%s \\- %s\n", roff(app.Name), roff(app.Usage))
	if app.UsageText != "" {
		m.synopsis("SH SYNOPSIS", app.UsageText)
	}
	if app.Description != "" {
		m.Printf(".SH DESCRIPTION\n")
		m.paragraphs(app.Description)
	}
	if app.UsageText != "" {
		m.options("SH OPTIONS", app.Flags)
	}
	if len(app.Commands) > 0 {
		m.Printf(".SH COMMANDS\n")
	}
	for _, c := range app.Commands {
		if c.Hidden || c.Name == "help" {
			continue
		}
		m.synopsis("SS \""+roff(app.Name+" "+c.Name)+"\"", c.UsageText)
		m.Printf(".PP\n%s.\n", roff(strings.ToUpper(c.Usage[:1])+c.Usage[1:]))
		if c.Description != "" {
			m.Printf(".PP\n")
			m.paragraphs(c.Description)
		}
		m.options("PP", c.Flags)
	}
	m.Printf(".SH FILES\n.TP\n.I %s\nDefault values of flags, in the working directory or above.\n", ConfigFile)
	m.Printf(".SH EXIT STATUS\n0 nothing found, 1 warnings or crashes found, 2 wrong usage or unreadable input, 3 the analysis\n" +
		"could not be carried out.\n")
	var others []string
	for _, name := range []string{"infer", "check", "crash"} {
		if name != app.Name {
			others = append(others, ".BR "+name+" (1)")
		}
	}
	m.Printf(".SH SEE ALSO\n%s\n", strings.Join(others, ",\n"))
	return m.Err
}

// manual writes parts of a page.
type manual struct{ text.Printer }

// synopsis writes a heading and lines as they are.
func (m *manual) synopsis(heading, usage string) {
	m.Printf(".%s\n.nf\n", heading)
	for _, line := range strings.Split(usage, "\n") {
		m.Printf("%s\n", roff(strings.TrimSpace(line)))
	}
	m.Printf(".fi\n")
}

// paragraphs writes text whose paragraphs are divided by empty lines.
func (m *manual) paragraphs(s string) {
	for i, p := range strings.Split(s, "\n\n") {
		if i > 0 {
			m.Printf(".PP\n")
		}
		m.Printf("%s\n", roff(strings.ReplaceAll(p, "\n", " ")))
	}
}

// options writes flags under a heading.
func (m *manual) options(heading string, flags []cli.Flag) {
	m.Printf(".%s\n", heading)
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		if v, visible := f.(cli.VisibleFlag); !ok || visible && !v.IsVisible() {
			continue
		}
		name := f.Names()[0]
		dashes := "--"
		if len(name) == 1 {
			dashes = "-"
		}
		usage, value := d.GetUsage(), ""
		if before, rest, found := strings.Cut(usage, "`"); found {
			inside, after, _ := strings.Cut(rest, "`")
			usage, value = before+inside+after, inside
		}
		m.Printf(".TP\n.B %s", roff(dashes+name))
		if d.TakesValue() && value != "" {
			m.Printf(" \\fI%s\\fR", roff(value))
		}
		m.Printf("\n%s", roff(usage))
		if v := d.GetDefaultText(); d.TakesValue() && v != "" && v != `""` && v != "0" && v != "0s" {
			m.Printf(" (default: %s)", roff(v))
		}
		m.Printf("\n")
	}
}

// roff escapes text.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// printsMan prints the manual page if the arguments ask for it.
func printsMan(app *cli.App, args []string) (printed bool, err error) {
	if len(args) != 2 || args[1] != manFlag {
		return false, nil
	}
	if err := writeMan(app.Writer, app); err != nil {
		return true, fmt.Errorf("%s: %w", manFlag, err)
	}
	return true, nil
}
