package cmdline

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// run runs an app with a root action and a command, and returns the values of their flags, and the errors.
func runConfigured(args ...string) (said string) {
	var out bytes.Buffer
	show := func(c *cli.Context) error {
		fmt.Fprintf(&out, "budget=%v kinds=%q deps=%v", c.Duration("budget"), List(c, "kinds"), c.Bool("deps"))
		return nil
	}
	flags := func() []cli.Flag {
		return []cli.Flag{Dir(), &cli.DurationFlag{Name: "budget"}, &cli.StringFlag{Name: "kinds"}, &cli.BoolFlag{Name: "deps"}}
	}
	app := &cli.App{
		Name: "crash", Flags: flags(), Action: show, ErrWriter: &out, Writer: &out,
		Commands: []*cli.Command{{Name: "random", Flags: flags(), Action: show}},
	}
	Main(app, append([]string{"crash"}, args...))
	return strings.TrimSpace(out.String())
}

// TestConfig: what the file sets counts where the command line says nothing.
func TestConfig(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		config, args, want string
	}{
		{`{}`, "", "budget=0s kinds=[] deps=false"},
		{`{"budget": "2m", "kinds": ["index", "shift"], "deps": true}`, "", `budget=2m0s kinds=["index" "shift"] deps=true`},
		{`{"budget": "2m", "deps": true}`, "--budget 1s --deps=false", "budget=1s kinds=[] deps=false"},
		{`{"budget": "2m"}`, "--config none", "budget=0s kinds=[] deps=false"},
		{`{"budget": "2m", "crash random": {"budget": "3m"}}`, "", "budget=2m0s kinds=[] deps=false"},
		{`{"budget": "2m", "crash random": {"budget": "3m"}}`, "random", "budget=3m0s kinds=[] deps=false"},
		{`{"budget": "2m", "fail-on": "look"}`, "random", "budget=2m0s kinds=[] deps=false"}, // another command's flag
		{`{"budget": "x"}`, "", `crash: FILE: budget: parse error`},
		{`{"budgets": "2m"}`, "", `crash: FILE: unknown key "budgets" (want a flag: assume, `},
		{`{"no-sandbox": true}`, "", `crash: FILE: unknown key "no-sandbox"`},
		{`{"check": {"solver": "sh -c true"}}`, "", `crash: FILE: check: unknown key "solver"`},
		{`{"tests": "/tmp"}`, "", `crash: FILE: unknown key "tests"`},
		{`{"cache-prog": "sh"}`, "", `crash: FILE: unknown key "cache-prog"`},
		{`{"check": {"budgets": "2m"}}`, "", `crash: FILE: check: unknown key "budgets"`},
		{`{"check": 1}`, "", `crash: FILE: check: want an object`},
		{`{"budget": {"a": 1}}`, "", `crash: FILE: budget: want a string, a number, true or false, or a list of strings`},
		{`[]`, "", `crash: FILE: want an object: `},
		{`{`, "random", `crash: FILE: want an object: unexpected end of JSON input`},
	} {
		file := filepath.Join(dir, ConfigFile)
		if err := os.WriteFile(file, []byte(tt.config), 0o666); err != nil {
			t.Fatal(err)
		}
		args := strings.Fields(tt.args)
		if len(args) > 0 && args[0] == "random" {
			args = append([]string{"random", "-C", inner}, args[1:]...)
		} else {
			args = append([]string{"-C", inner}, args...)
		}
		got := strings.ReplaceAll(runConfigured(args...), file, "FILE")
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s, %q: got %s, want %s", tt.config, tt.args, got, tt.want)
		}
	}
	if got := runConfigured("-C", inner, "--config", filepath.Join(dir, "none.json")); !strings.Contains(got, "--config: open ") {
		t.Errorf("a file that is not there: %s", got)
	}
}

// TestRelative: positions as a person opens them, from where the command runs.
func TestRelative(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "m", "sub")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ from, pos, want string }{
		{filepath.Join(dir, "m"), "sub/a.go:3:4", "sub/a.go:3:4"},
		{sub, "sub/a.go:3:4", "a.go:3:4"},
		{sub, "b.go:3", "../b.go:3"},
		{dir, "b.go:3", "m/b.go:3"},
		{dir, "example.com/x@v1.0.0/b.go:3", "example.com/x@v1.0.0/b.go:3"},
		{dir, "/abs/b.go:3", "/abs/b.go:3"},
	} {
		t.Chdir(tt.from)
		if got := Relative(filepath.Join(dir, "m"))(tt.pos); got != tt.want {
			t.Errorf("%s from %s: %s, want %s", tt.pos, tt.from, got, tt.want)
		}
	}
	if got := Relative("")("b.go:3"); got != "b.go:3" {
		t.Errorf("without a root: %s", got)
	}
}
