package record

import (
	"embed"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed keep/*.go
var keepFiles embed.FS

// KeepDir is the directory of the runtime, below the root of the main module. It is not internal,
// since dependencies import it, too.
const KeepDir = "zz_dsd_keep"

// addRuntime adds the runtime to the overlay, with a file table.go that tells it about the program.
func (s *Session) addRuntime() error {
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
	return s.overlay(filepath.Join(dir, "table.go"), s.table())
}

// table returns a file of the runtime with an init function that sets its variables and registers
// the recorded functions and the errors of the standard library.
func (s *Session) table() []byte {
	var b strings.Builder
	b.WriteString("package keep\n\n")
	if s.fatal != "" {
		b.WriteString("import \"runtime\"\n")
	}
	if s.switched {
		b.WriteString("import \"sync/atomic\"\n")
	}
	names, packages := slices.Sorted(maps.Keys(s.errors)), map[string]string{}
	for _, name := range names {
		path := name[:strings.LastIndexByte(name, '.')]
		if packages[path] == "" {
			packages[path] = fmt.Sprintf("p%d", len(packages))
			fmt.Fprintf(&b, "import %s %q\n", packages[path], path)
		}
	}
	if s.switched {
		fmt.Fprintf(&b, "\n// On has a switch for each function.\nvar On [%d]atomic.Bool\n", len(s.funcs))
	}
	b.WriteString("\nfunc init() {\n")
	for _, name := range names {
		dot := strings.LastIndexByte(name, '.')
		fmt.Fprintf(&b, "\tSentinel(%q, &%s)\n", name, packages[name[:dot]]+name[dot:])
	}
	fmt.Fprintf(&b, "\tModule, Go, Label, File = %q, %q, %q, %q\n",
		s.main.Path, s.main.GoVersion, s.opt.Label, s.opt.File)
	if s.waiting {
		fmt.Fprintf(&b, "\tFirstCrash = %q\n", s.firstCrashFile())
	}
	fmt.Fprintf(&b, "\tMode, Depth = %q, %d\n", s.opt.Copy, s.depth)
	for _, m := range s.origins {
		fmt.Fprintf(&b, "\tOrigins = append(Origins, [2]string{%q, %q})\n", m[0], m[1])
	}
	fmt.Fprintf(&b, "\tMaxSize, Last = %d, %d\n", s.opt.MaxSize, s.opt.Last)
	for _, f := range append(slices.Clone(Servers), s.opt.At...) {
		fmt.Fprintf(&b, "\tAt(%q)\n", f)
	}
	b.WriteString("\tRegister([]Func{\n")
	for _, f := range s.funcs {
		fmt.Fprintf(&b, "\t\t{%q, %q, %q, %#v, %v, %#v, %v},\n",
			f.name, f.symbol, f.main, f.inputs, f.receiver, f.globals, f.closure)
	}
	b.WriteString("\t})\n\tLiterals([]Literal{\n")
	for _, l := range s.lits {
		fmt.Fprintf(&b, "\t\t{%q, %q, %d, %#v},\n", l.at, l.file, l.line, l.captured)
	}
	b.WriteString("\t})\n")
	if s.fatal != "" {
		fmt.Fprintf(&b, "\tFatal(%q,\n", s.fatal)
		for _, f := range s.stack {
			fmt.Fprintf(&b, "\t\truntime.Frame{Function: %q, File: %q, Line: %d},\n",
				f.Func, f.File, f.Line)
		}
		b.WriteString("\t)\n")
	}
	if s.switched {
		b.WriteString("\tRunning(On[:])\n")
	}
	b.WriteString("\tStart()\n}\n")
	return []byte(b.String())
}
