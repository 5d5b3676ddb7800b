// Package golangci makes check a linter of golangci-lint, as a plugin of its module system: golangci-lint custom
// builds a golangci-lint with it from .custom-gcl.yml.
//
// The linter runs the command check on the folder of each package, and reports its warnings with a
// counterexample. Settings, in .golangci.yml: check is the command (default: check, in PATH), assume an invariants
// document, and kinds a list of kinds.
package golangci

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
)

func init() { register.Plugin("dsd", New) }

// Settings are those of the linter in .golangci.yml.
type Settings struct {
	Check  string   `json:"check"`
	Assume string   `json:"assume"`
	Kinds  []string `json:"kinds"`
}

// New returns the linter.
func New(raw any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[Settings](raw)
	if err != nil {
		return nil, err
	}
	if s.Check == "" {
		s.Check = "check"
	}
	return &plugin{s}, nil
}

type plugin struct{ settings Settings }

func (p *plugin) GetLoadMode() string { return register.LoadModeSyntax }

func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{{
		Name: "dsd", Doc: "warns of panics that functions can run into, with inputs that lead there", Run: p.run,
	}}, nil
}

// warning is what the linter reads of a warning.
type warning struct {
	Kind, Pos, Status, Message string
	Recovered                  bool
	Ignored                    string
}

// run checks a package, which is in the folder of its first file that is no test.
func (p *plugin) run(pass *analysis.Pass) (any, error) {
	files := map[string]*token.File{} // by base name
	dir := ""
	for _, f := range pass.Files {
		name := pass.Fset.PositionFor(f.Pos(), false).Filename
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			files[filepath.Base(name)], dir = pass.Fset.File(f.Pos()), filepath.Dir(name)
		}
	}
	if dir == "" {
		return nil, nil
	}
	args := []string{"-C", dir, "--format", "jsonl", "--config", "none", "-j", "1"}
	if p.settings.Assume != "" {
		args = append(args, "--assume", p.settings.Assume)
	}
	if len(p.settings.Kinds) > 0 {
		args = append(args, "--kinds", strings.Join(p.settings.Kinds, ","))
	}
	out, err := exec.Command(p.settings.Check, append(args, ".")...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() > 1 {
		return nil, fmt.Errorf("%s: %s", p.settings.Check, bytes.TrimSpace(exit.Stderr))
	} else if err != nil && exit == nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var w warning
		if err := d.Decode(&w); err != nil {
			return nil, err
		}
		var file string
		var line, column int
		parts := strings.Split(w.Pos, ":")
		if len(parts) < 2 || w.Status != "sat" || w.Recovered || w.Ignored != "" {
			continue
		}
		file = filepath.Base(parts[0])
		fmt.Sscan(parts[1], &line)
		if len(parts) > 2 {
			fmt.Sscan(parts[2], &column)
		}
		if f := files[file]; f != nil && line >= 1 && line <= f.LineCount() {
			pass.Reportf(f.LineStart(line)+token.Pos(max(column-1, 0)), "%s (dsd/%s)", w.Message, w.Kind)
		}
	}
	return nil, nil
}
