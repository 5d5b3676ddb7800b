package cmdline

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// A team keeps its choices in a file, dsd.json, for all three commands:
//
//	{
//	    "exclude": ["internal/gen/..."],
//	    "fail-on": "likely-bug",
//	    "budget": "10m",
//	    "crash random": {"time": "2m"}
//	}
//
// Each key is a flag, and sets it in the commands that have it, unless the command line does. The name of a command
// has keys for this command alone.

// ConfigFile is the name of the file with default values of flags. It is looked for in the directory of -C, or the
// working directory, and those above.
const ConfigFile = "dsd.json"

// ConfigKeys are the flags that the file may set. It may come with a module from elsewhere, so it can neither run a
// command (--solver, --cache-prog), nor lift the confinement (--no-sandbox), nor choose where files are written.
var ConfigKeys = []string{
	"assume", "baseline", "bench", "budget", "confidence", "deps", "depth", "exclude", "fail-on", "func", "j", "kinds",
	"max-memory", "mod", "no-sequences", "policy", "rank", "recovered", "reset", "rlimit", "run",
	"seed", "since", "skip", "tags", "time", "timeout",
}

// configCommands are the commands that the file may have keys for.
var configCommands = []string{
	"check", "crash confirm", "crash random", "crash record", "crash replay", "crash report", "crash reproduce",
	"infer invariants", "infer models", "infer trace",
}

// configure makes the commands of an app read the file.
func configure(app *cli.App) {
	app.Flags = append(app.Flags, configFlag())
	app.Before = func(c *cli.Context) error {
		if app.Command(c.Args().First()) != nil {
			return nil // which reads it
		}
		return readConfig(c, app.Name, app.Flags)
	}
	for _, cmd := range app.Commands {
		cmd.Flags = append(cmd.Flags, configFlag())
		cmd.Before = func(c *cli.Context) error { return readConfig(c, app.Name+" "+cmd.Name, cmd.Flags) }
	}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "read default values of flags from `FILE`; none reads none (default: " +
		ConfigFile + ", here or above)"}
}

// readConfig sets the flags of a command that the file sets and the command line does not.
func readConfig(c *cli.Context, command string, flags []cli.Flag) error {
	file := c.String("config")
	if file == "none" || c.Bool("help") {
		return nil
	}
	if file == "" {
		dir := c.String("C")
		if dir == "" {
			dir = "."
		}
		if file = findConfig(dir); file == "" {
			return nil
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Usagef("--config: %v", err)
	}
	values, err := parseConfig(text, command)
	if err != nil {
		return Usagef("%s: %v", file, err)
	}
	for _, f := range flags {
		name := f.Names()[0]
		if v, ok := values[name]; ok && !c.IsSet(name) {
			if err := c.Set(name, v); err != nil {
				return Usagef("%s: %s: %v", file, name, err)
			}
		}
	}
	return nil
}

// findConfig returns the file in dir or the nearest directory above; "" if there is none.
func findConfig(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for {
		file := filepath.Join(dir, ConfigFile)
		if _, err := os.Stat(file); err == nil {
			return file
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// parseConfig returns what a file sets for a command: the values of flags, as a command line has them, by name.
func parseConfig(text []byte, command string) (map[string]string, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return nil, fmt.Errorf("want an object: %v", err)
	}
	out := map[string]string{}
	own := map[string]json.RawMessage{} // of the command
	for key, raw := range keys {
		if slices.Contains(configCommands, key) {
			var inner map[string]json.RawMessage
			if err := json.Unmarshal(raw, &inner); err != nil {
				return nil, fmt.Errorf("%s: want an object", key)
			}
			for name, raw := range inner {
				if _, err := flagValue(name, raw); err != nil {
					return nil, fmt.Errorf("%s: %w", key, err)
				}
				if key == command {
					own[name] = raw
				}
			}
			continue
		}
		v, err := flagValue(key, raw)
		if err != nil {
			return nil, err
		}
		out[key] = v
	}
	for name, raw := range own {
		out[name], _ = flagValue(name, raw)
	}
	return out, nil
}

// flagValue returns the value of a flag: a string, a number, true or false, or a list of strings.
func flagValue(name string, raw json.RawMessage) (string, error) {
	if !slices.Contains(ConfigKeys, name) {
		return "", fmt.Errorf("unknown key %q (want a flag: %s; or a command: %s)", name, strings.Join(ConfigKeys, ", "),
			strings.Join(configCommands, ", "))
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && list != nil {
		return strings.Join(list, ","), nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", fmt.Errorf("%s: %v", name, err)
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, float64:
		return string(raw), nil
	}
	return "", fmt.Errorf("%s: want a string, a number, true or false, or a list of strings", name)
}

// List returns the values of a flag with a list separated by commas.
func List(c *cli.Context, flag string) []string {
	text := c.String(flag)
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
